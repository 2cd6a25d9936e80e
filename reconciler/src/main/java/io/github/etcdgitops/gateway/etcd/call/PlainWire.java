package io.github.etcdgitops.gateway.etcd.call;

import io.grpc.Deadline;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.util.concurrent.TimeUnit;

/// A TCP connection. It is made by a channel, because an interrupt does not end a wait at a plain socket.
final class PlainWire implements Wire {
    /// Longer than any handshake takes: then nobody is there, however long the call itself may last.
    private static final long LONGEST_CONNECT_MILLIS = 30_000;

    private final SocketChannel channel;
    private final Socket socket;
    private final InputStream in;

    private PlainWire(SocketChannel channel, InputStream in) {
        this.channel = channel;
        this.socket = channel.socket();
        this.in = in;
    }

    static PlainWire connect(InetSocketAddress address, Deadline deadline) throws IOException {
        if (address.isUnresolved()) {
            throw new UnresolvedAddressException();
        }
        var channel = SocketChannel.open();
        try {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
            connect(channel, address, deadline);
            return new PlainWire(channel, channel.socket().getInputStream());
        } catch (IOException | RuntimeException e) {
            close(channel);
            throw e;
        }
    }

    private static void connect(SocketChannel channel, InetSocketAddress address, Deadline deadline)
            throws IOException {
        int most = (int) Math.min(millis(deadline), LONGEST_CONNECT_MILLIS);
        try {
            channel.socket().connect(address, most);
        } catch (SocketTimeoutException e) {
            if (deadline.isExpired()) {
                throw e;
            }
            throw new ConnectException("no connection within " + most + " ms");
        }
    }

    @Override
    public int read(byte[] into, int offset, int length, Deadline deadline) throws IOException {
        socket.setSoTimeout(millis(deadline));
        return in.read(into, offset, length);
    }

    @Override
    public void write(byte[] from, int length) {
        try {
            var left = ByteBuffer.wrap(from, 0, length);
            while (left.hasRemaining()) {
                channel.write(left);
            }
        } catch (IOException _) {
            // The next read says it.
        }
    }

    @Override
    public void close() {
        close(channel);
    }

    private static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException _) {
            // It counts as closed.
        }
    }

    /// At least 1: a socket takes 0 for no limit.
    private static int millis(Deadline deadline) throws SocketTimeoutException {
        long left = deadline.timeRemaining(TimeUnit.NANOSECONDS);
        if (left <= 0) {
            throw new SocketTimeoutException("the deadline has passed");
        }
        return (int) Math.min(Integer.MAX_VALUE, 1 + TimeUnit.NANOSECONDS.toMillis(left));
    }
}
