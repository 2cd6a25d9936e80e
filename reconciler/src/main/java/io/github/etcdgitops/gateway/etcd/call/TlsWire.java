package io.github.etcdgitops.gateway.etcd.call;

import io.grpc.Deadline;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;

/// TLS over another wire. The server's certificate is checked against the context's CA and for the host's
/// name, and the server must have chosen HTTP/2.
final class TlsWire implements Wire {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
    private static final String HTTP_2 = "h2";

    /// TLS sessions are kept by host and port, and none without a port. Where the port is forwarded, the
    /// real one changes each time.
    private static final int SESSIONS = 1;

    private final Wire raw;
    private final SSLEngine engine;
    /// Ready to be read from.
    private ByteBuffer sealed;

    private ByteBuffer opened;
    /// Ready to be written to. What follows each other goes out together.
    private final ByteBuffer out;

    private boolean overAtServer;

    private TlsWire(Wire raw, SSLEngine engine) {
        this.raw = raw;
        this.engine = engine;
        var session = engine.getSession();
        this.sealed = ByteBuffer.allocate(session.getPacketBufferSize()).limit(0);
        this.opened = ByteBuffer.allocate(session.getApplicationBufferSize()).limit(0);
        this.out = ByteBuffer.allocate(2 * session.getPacketBufferSize());
    }

    /// Closes `raw` when it fails.
    static TlsWire handshake(Wire raw, SslContext context, String host, Deadline deadline) throws IOException {
        try {
            var engine = context.newEngine(UnpooledByteBufAllocator.DEFAULT, host, SESSIONS);
            var parameters = engine.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            engine.setSSLParameters(parameters);
            var wire = new TlsWire(raw, engine);
            wire.handshake(deadline);
            if (!HTTP_2.equals(engine.getApplicationProtocol())) {
                throw io.grpc.Status.UNAVAILABLE
                        .withDescription("the server does not offer HTTP/2 over TLS")
                        .asRuntimeException();
            }
            return wire;
        } catch (IOException | RuntimeException e) {
            raw.close();
            throw e;
        }
    }

    private void handshake(Deadline deadline) throws IOException {
        engine.beginHandshake();
        try {
            while (engine.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING) {
                step(deadline);
                if (overAtServer) {
                    throw new EOFException("the connection was closed during the handshake");
                }
            }
        } catch (SSLException e) {
            sayWhy();
            throw e;
        }
    }

    /// The alert: the server's log then has the reason as well.
    private void sayWhy() {
        try {
            while (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP && wrap(NOTHING) != Status.CLOSED) {
                // The next record.
            }
            flush();
        } catch (IOException _) {
            // The reason itself is thrown.
        }
    }

    @Override
    public int read(byte[] into, int offset, int length, Deadline deadline) throws IOException {
        while (!opened.hasRemaining()) {
            if (overAtServer) {
                return -1;
            }
            step(deadline);
        }
        int count = Math.min(length, opened.remaining());
        opened.get(into, offset, count);
        return count;
    }

    @Override
    public void write(byte[] from, int length) throws IOException {
        var left = ByteBuffer.wrap(from, 0, length);
        while (left.hasRemaining() && wrap(left) != Status.CLOSED) {
            // The next record.
        }
        flush();
    }

    /// Without TLS' own goodbye: each answer says itself where it ends.
    @Override
    public void close() {
        raw.close();
    }

    private void step(Deadline deadline) throws IOException {
        switch (engine.getHandshakeStatus()) {
            case NEED_WRAP -> overAtServer |= wrap(NOTHING) == Status.CLOSED;
            case NEED_TASK -> runTasks();
            case NEED_UNWRAP, NEED_UNWRAP_AGAIN, FINISHED, NOT_HANDSHAKING -> receive(deadline);
        }
    }

    private Status wrap(ByteBuffer from) throws IOException {
        var status = engine.wrap(from, out).getStatus();
        if (status == Status.BUFFER_OVERFLOW) {
            flush();
        }
        return status;
    }

    private void runTasks() {
        for (var task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
            task.run();
        }
    }

    private void flush() throws IOException {
        raw.write(out.array(), out.position());
        out.clear();
    }

    /// Opens one record, after waiting for it if need be.
    private void receive(Deadline deadline) throws IOException {
        var status = engine.unwrap(sealed, opened.clear()).getStatus();
        opened.flip();
        switch (status) {
            case OK -> {}
            case CLOSED -> overAtServer = true;
            case BUFFER_OVERFLOW ->
                opened = ByteBuffer.allocate(larger(opened, engine.getSession().getApplicationBufferSize()))
                        .limit(0);
            case BUFFER_UNDERFLOW -> fill(deadline);
        }
    }

    private static int larger(ByteBuffer full, int wanted) throws SSLException {
        if (wanted <= full.capacity()) {
            throw new SSLException("a record is larger than TLS allows");
        }
        return wanted;
    }

    private void fill(Deadline deadline) throws IOException {
        flush();
        var free = sealed.compact();
        if (!free.hasRemaining()) {
            int size = larger(free, engine.getSession().getPacketBufferSize());
            free = ByteBuffer.allocate(size).put(free.flip());
        }
        int count = raw.read(free.array(), free.position(), free.remaining(), deadline);
        overAtServer = count < 0;
        sealed = free.position(free.position() + Math.max(0, count)).flip();
    }
}
