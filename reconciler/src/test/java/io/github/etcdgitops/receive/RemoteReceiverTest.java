package io.github.etcdgitops.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.gateway.SnapshotDigest;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/// A sender whose far side behaves badly.
class RemoteReceiverTest {
    private static final SnapshotDigest LARGE = new SnapshotDigest(1L << 40, "ab".repeat(32));

    @FunctionalInterface
    private interface FarSide {
        void serve(Socket socket) throws Exception;
    }

    private static void sendTo(FarSide far, Duration stall) throws IOException {
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            var serving = executor.submit(() -> {
                try (Socket socket = server.accept()) {
                    far.serve(socket);
                }
                return null;
            });
            try {
                new RemoteReceiver(to(server.getLocalPort()))
                        .send(
                                new MemberAccess.Pod(new ClusterRef("ring", "db"), "ring", "p", ""),
                                LARGE,
                                new Zeros(),
                                stall,
                                _ -> {});
            } finally {
                serving.cancel(true);
            }
        }
    }

    private static final class Zeros extends InputStream {
        @Override
        public int read() {
            return 0;
        }

        @Override
        public int read(byte[] bytes, int from, int length) {
            return length;
        }
    }

    private static void assertFails(FarSide far, Duration stall, Kind kind, String why) {
        assertThatThrownBy(() -> sendTo(far, stall))
                .isInstanceOfSatisfying(
                        GatewayException.class, e -> assertThat(e.kind()).isEqualTo(kind))
                .hasMessageContaining(why);
    }

    @Test
    void givesUpOnAReceiverThatTakesNothingMore() {
        assertFails(
                socket -> {
                    Protocol.line(socket.getInputStream());
                    Protocol.say(socket.getOutputStream(), Protocol.GO);
                    new CountDownLatch(1).await();
                },
                Duration.ofMillis(50),
                Kind.TIMEOUT,
                "no progress");
    }

    @Test
    void givesUpOnAReceiverThatSaysNothing() {
        assertFails(_ -> new CountDownLatch(1).await(), Duration.ofMillis(50), Kind.TIMEOUT, "no progress");
    }

    @Test
    void stopsIfReceiverRefusesDuringTransfer() {
        assertFails(
                socket -> {
                    Protocol.line(socket.getInputStream());
                    Protocol.say(socket.getOutputStream(), Protocol.GO);
                    socket.getInputStream().skipNBytes(1_000_000);
                    Protocol.say(socket.getOutputStream(), Protocol.NO + "the disk\u001b[31m is full");
                    socket.getInputStream().transferTo(java.io.OutputStream.nullOutputStream());
                },
                Duration.ofSeconds(60),
                Kind.REJECTED,
                "refused: the disk?[31m is full");
    }

    @Test
    void refusesAnotherServerOnThePort() {
        assertFails(
                socket -> Protocol.say(socket.getOutputStream(), "HTTP/1.1 400 Bad Request"),
                Duration.ofSeconds(60),
                Kind.REJECTED,
                "does not speak the protocol of the receiver");
    }

    @Test
    void saysThatTheConnectionBroke() {
        assertFails(
                socket -> {
                    Protocol.line(socket.getInputStream());
                    Protocol.say(socket.getOutputStream(), Protocol.GO);
                    socket.getInputStream().skipNBytes(1_000_000);
                    socket.setSoLinger(true, 0);
                },
                Duration.ofSeconds(60),
                Kind.UNREACHABLE,
                "Check the Job's state");
    }

    private static MemberAccess to(int port) {
        return new MemberAccess() {
            @Override
            public Route open(ClusterRef ref, int ordinal, String podIp, Door door) {
                throw new IllegalStateException("a receiver is no member");
            }

            @Override
            public Route open(Pod pod, int to) {
                return new Loopback(port);
            }

            @Override
            public void close() {}
        };
    }

    private record Loopback(int port) implements MemberAccess.Route {
        @Override
        public String host() {
            return "127.0.0.1";
        }

        @Override
        public String authority() {
            return "";
        }

        @Override
        public MemberAccess.Way way() {
            return MemberAccess.Way.PORT_FORWARD;
        }

        @Override
        public void close() {}
    }
}
