package io.github.etcdgitops.gateway.etcd;

import static io.github.etcdgitops.gateway.etcd.call.Sent.SETTINGS;
import static io.github.etcdgitops.gateway.etcd.call.Sent.all;
import static io.github.etcdgitops.gateway.etcd.call.Sent.begun;
import static io.github.etcdgitops.gateway.etcd.call.Sent.block;
import static io.github.etcdgitops.gateway.etcd.call.Sent.frame;
import static io.github.etcdgitops.gateway.etcd.call.Sent.headers;
import static io.github.etcdgitops.gateway.etcd.call.Sent.lastData;
import static io.github.etcdgitops.gateway.etcd.call.Sent.lastHeaders;
import static io.github.etcdgitops.gateway.etcd.call.Sent.ping;
import static io.github.etcdgitops.gateway.etcd.call.Sent.reset;
import static org.assertj.core.api.Assertions.assertThat;

import io.etcd.jetcd.api.MaintenanceGrpc;
import io.etcd.jetcd.api.StatusRequest;
import io.github.etcdgitops.gateway.etcd.call.ScriptedServer;
import io.github.etcdgitops.gateway.etcd.call.ScriptedServer.Script;
import io.github.etcdgitops.gateway.etcd.call.UnaryChannel;
import io.grpc.Channel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Whatever a server does, a person reads the same as from gRPC's own channel.
class UnaryChannelHostileTest {
    private static final int LARGEST = 1 << 20;
    private static final long LIMIT_MILLIS = 1_500;
    private static final int PUSH_PROMISE = 5;
    private static final int END_HEADERS = 4;

    /// The first call of a channel loads its classes, which may take longer than a call has.
    @BeforeAll
    static void loadsBothChannels() throws Exception {
        try (var server = new ScriptedServer(Objects.requireNonNull(HostileScripts.ALL.get("closes at once")))) {
            same(server.address(), 60_000);
        }
    }

    static Stream<String> scripts() {
        return HostileScripts.ALL.keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("scripts")
    void endsAsWithTheChannelOfGrpc(String name) throws Exception {
        same(Objects.requireNonNull(HostileScripts.ALL.get(name)));
    }

    static IntStream errors() {
        return IntStream.concat(IntStream.rangeClosed(0, 14), IntStream.of(-1));
    }

    @ParameterizedTest
    @MethodSource("errors")
    void resetIsReadAsWithTheChannelOfGrpc(int error) throws Exception {
        same(HostileScripts.answer(stream -> reset(stream, error)));
    }

    static IntStream codes() {
        return IntStream.rangeClosed(0, 17);
    }

    @ParameterizedTest
    @MethodSource("codes")
    void statusIsReadAsWithTheChannelOfGrpc(int code) throws Exception {
        same(HostileScripts.answer(stream -> all(
                begun(stream),
                lastHeaders(stream, "grpc-status", "" + code, "grpc-message", "etcdserver: too many requests"))));
        same(HostileScripts.answer(stream -> all(begun(stream), lastHeaders(stream, "grpc-status", "" + code))));
    }

    static IntStream answers() {
        return IntStream.of(200, 204, 301, 400, 401, 403, 404, 429, 431, 500, 502, 503, 504);
    }

    @ParameterizedTest
    @MethodSource("answers")
    void answerThatIsNotGrpcIsReadAsWithTheChannelOfGrpc(int code) throws Exception {
        same(HostileScripts.answer(stream -> lastHeaders(stream, ":status", "" + code)));
        same(HostileScripts.answer(stream -> all(
                headers(stream, ":status", "" + code, "content-type", "text/plain"), lastData(stream, (byte) 'x'))));
    }

    @Test
    void closedPortIsReadAsWithTheChannelOfGrpc() throws Exception {
        var closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        closed.close();

        same(new InetSocketAddress(InetAddress.getLoopbackAddress(), closed.getLocalPort()), LIMIT_MILLIS);
    }

    @Test
    void nameWithoutAddressIsReadAsWithTheChannelOfGrpc() throws Exception {
        same(InetSocketAddress.createUnresolved("m0.test", 2379), LIMIT_MILLIS);
    }

    /// gRPC's own channel waits for the answer until the end.
    @Test
    void whatIsPushedIsRefused() throws Exception {
        try (var server = new ScriptedServer(HostileScripts.answer(s ->
                        frame(PUSH_PROMISE, END_HEADERS, s, all(new byte[] {0, 0, 0, 2}, block("a", "b")))));
                var channel = UnaryChannel.plain(server.address(), "m0.test", LARGEST)) {
            assertThat(said(channel, 60_000)).contains("gRPC status INTERNAL");
        }
    }

    /// So does it here.
    @Test
    void framesWithoutEndAreNotWaitedFor() throws Exception {
        try (var server = new ScriptedServer(with -> {
                    with.send(SETTINGS).request();
                    while (true) {
                        with.send(ping());
                    }
                });
                var channel = UnaryChannel.plain(server.address(), "m0.test", LARGEST)) {
            long start = System.nanoTime();

            assertThat(said(channel, 60_000)).contains("gRPC status INTERNAL");
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(30));
        }
    }

    private static void same(Script script) throws IOException, InterruptedException {
        try (var server = new ScriptedServer(script)) {
            same(server.address(), LIMIT_MILLIS);
        }
    }

    private static void same(InetSocketAddress address, long limit) throws InterruptedException {
        var theirs = NettyChannelBuilder.forAddress(address)
                .usePlaintext()
                .disableRetry()
                .maxInboundMessageSize(LARGEST)
                .directExecutor()
                .build();
        try (var ours = UnaryChannel.plain(address, "m0.test", LARGEST)) {
            assertThat(said(ours, limit)).isEqualTo(said(theirs, limit));
        } finally {
            theirs.shutdownNow().awaitTermination(5, TimeUnit.SECONDS);
        }
    }

    private static String said(Channel channel, long limit) {
        try {
            return MaintenanceGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(limit, TimeUnit.MILLISECONDS)
                    .status(StatusRequest.getDefaultInstance())
                    .getVersion();
        } catch (StatusRuntimeException e) {
            var failure = EtcdErrors.changing("asking", e);
            return failure.kind() + " " + failure.mayHaveHappened() + " " + failure.getMessage();
        }
    }
}
