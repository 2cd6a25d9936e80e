package io.github.etcdgitops.receive;

import io.github.etcdgitops.digest.Digests;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.gateway.SnapshotDigest;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// A receiver that runs on loopback, and ways to talk to it.
final class ReceivingEnd implements AutoCloseable {
    private static final Duration STALL = Duration.ofSeconds(60);
    private static final MemberAccess.Pod POD =
            new MemberAccess.Pod(new ClusterRef("ring", "db"), "ring", "db-restore-x", "127.0.0.1");

    private final ServerSocket server;
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private final Future<Outcome> outcome;
    private final List<Long> told = new CopyOnWriteArrayList<>();

    private ReceivingEnd(Receiver.Order order, Disk disk) throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        outcome = executor.submit(() -> {
            try (server) {
                return new Receiver(order, disk, _ -> {}).receive(server);
            }
        });
    }

    static ReceivingEnd start(Receiver.Order order, Disk disk) throws IOException {
        return new ReceivingEnd(order, disk);
    }

    static byte[] bytes(int size, long seed) {
        var bytes = new byte[size];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    static SnapshotDigest digest(byte[] bytes) {
        MessageDigest digest = Digests.sha256();
        return new SnapshotDigest(bytes.length, HexFormat.of().formatHex(digest.digest(bytes)));
    }

    Outcome outcome() {
        try {
            return outcome.get();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    List<Long> told() {
        return told;
    }

    void send(SnapshotDigest digest, byte[] bytes) throws IOException {
        send(digest, new ByteArrayInputStream(bytes));
    }

    void send(SnapshotDigest digest, InputStream bytes) throws IOException {
        new RemoteReceiver(new Here()).send(POD, digest, bytes, STALL, told::add);
    }

    Future<?> sendLater(SnapshotDigest digest, byte[] bytes) {
        return executor.submit(() -> {
            send(digest, bytes);
            return null;
        });
    }

    static String kind(Future<?> sending) {
        try {
            sending.get();
            return "sent";
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        } catch (ExecutionException e) {
            return e.getCause() instanceof GatewayException known
                    ? known.kind().toString()
                    : String.valueOf(e.getCause());
        }
    }

    Socket connect() throws IOException {
        var socket = new Socket(InetAddress.getLoopbackAddress(), server.getLocalPort());
        socket.setSoTimeout(30_000);
        return socket;
    }

    /// What it answers to these bytes.
    String raw(byte[] bytes) throws IOException {
        try (Socket socket = connect()) {
            socket.getOutputStream().write(bytes);
            return new String(socket.getInputStream().readNBytes(4), StandardCharsets.US_ASCII);
        }
    }

    /// Ends the connection with a reset.
    void abort(byte[] bytes) throws IOException {
        try (Socket socket = connect()) {
            socket.setSoLinger(true, 0);
            socket.getOutputStream().write(bytes);
        }
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        executor.shutdownNow();
    }

    private final class Here implements MemberAccess {
        @Override
        public Route open(ClusterRef ref, int ordinal, String podIp, Door door) {
            throw new IllegalStateException("a receiver is no member");
        }

        @Override
        public Route open(Pod pod, int port) {
            return new ToHere(server.getLocalPort());
        }

        @Override
        public void close() {}
    }

    private record ToHere(int port) implements MemberAccess.Route {
        @Override
        public String host() {
            return "127.0.0.1";
        }

        @Override
        public String authority() {
            return host();
        }

        @Override
        public MemberAccess.Way way() {
            return MemberAccess.Way.POD_IP;
        }

        @Override
        public void close() {}
    }
}
