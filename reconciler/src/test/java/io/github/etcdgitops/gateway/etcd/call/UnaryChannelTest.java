package io.github.etcdgitops.gateway.etcd.call;

import static io.github.etcdgitops.gateway.etcd.call.Sent.SETTINGS;
import static io.github.etcdgitops.gateway.etcd.call.Sent.begun;
import static io.github.etcdgitops.gateway.etcd.call.Sent.data;
import static io.github.etcdgitops.gateway.etcd.call.Sent.ended;
import static io.github.etcdgitops.gateway.etcd.call.Sent.goAway;
import static io.github.etcdgitops.gateway.etcd.call.Sent.message;
import static io.github.etcdgitops.gateway.etcd.call.Sent.reset;
import static io.github.etcdgitops.gateway.etcd.call.Sent.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.etcd.jetcd.api.ClusterGrpc;
import io.etcd.jetcd.api.MaintenanceGrpc;
import io.etcd.jetcd.api.Member;
import io.etcd.jetcd.api.MemberListRequest;
import io.etcd.jetcd.api.MemberListResponse;
import io.etcd.jetcd.api.StatusRequest;
import io.etcd.jetcd.api.StatusResponse;
import io.github.etcdgitops.gateway.etcd.call.ScriptedServer.Connected;
import io.grpc.Channel;
import io.grpc.Deadline;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UnaryChannelTest {
    private static final int LARGEST = 1 << 20;
    private static final int REFUSED_STREAM = 7;
    private static final int MAX_CONCURRENT_STREAMS = 3;

    private static final byte[] STATUS =
            message(StatusResponse.newBuilder().setVersion("3.5.30").build().toByteArray());
    private static final byte[] LIST = message(MemberListResponse.newBuilder()
            .addMembers(Member.newBuilder().setName("m0"))
            .build()
            .toByteArray());

    @Test
    void callsGoOutTogether() throws Exception {
        try (var server = new ScriptedServer(with -> {
                    var streams = with.send(SETTINGS).requests(2);
                    answer(with, streams.get(1), STATUS);
                    answer(with, streams.get(0), LIST);
                });
                var channel = to(server)) {
            var listing = listing(channel);

            assertThat(status(channel).getVersion()).isEqualTo("3.5.30");
            assertThat(listing.await().getMembersCount()).isEqualTo(1);
            assertThat(server.nextRequest()).contains("/etcdserverpb.Cluster/MemberList");
            assertThat(server.nextRequest()).contains("/etcdserverpb.Maintenance/Status");
        }
    }

    @Test
    void callThatNobodyWaitsForIsNotWaitedFor() throws Exception {
        try (var server = new ScriptedServer(
                        with -> answer(with.send(SETTINGS), with.requests(2).get(1), STATUS));
                var channel = to(server)) {
            var _ = listing(channel);

            assertThat(status(channel).getVersion()).isEqualTo("3.5.30");
        }
    }

    @Test
    void nextCallUsesTheSameConnection() throws Exception {
        var connections = new AtomicInteger();
        try (var server = new ScriptedServer(with -> {
                    connections.incrementAndGet();
                    with.send(SETTINGS);
                    for (int i = 0; i < 3; i++) {
                        answer(with, with.request(), STATUS);
                    }
                });
                var channel = to(server)) {
            for (int i = 0; i < 3; i++) {
                assertThat(status(channel).getVersion()).isEqualTo("3.5.30");
            }
            assertThat(connections).hasValue(1);
        }
    }

    @Test
    void closesItsConnection() throws Exception {
        try (var server = new ScriptedServer(with -> answer(with.send(SETTINGS), with.request(), STATUS))) {
            try (var channel = to(server)) {
                status(channel);
            }

            assertThat(server.clientGone()).isTrue();
        }
    }

    /// One that allows a single call at a time.
    @Test
    void secondCallWaitsForServerThatTakesOne() throws Exception {
        try (var server = new ScriptedServer(with -> {
                    with.send(settings(MAX_CONCURRENT_STREAMS, 1));
                    var streams = with.requests(2);
                    with.send(reset(streams.get(1), REFUSED_STREAM));
                    answer(with, streams.get(0), LIST);
                    answer(with, with.request(), STATUS);
                    answer(with, with.request(), STATUS);
                });
                var channel = to(server)) {
            var listing = listing(channel);

            assertThat(status(channel).getVersion()).isEqualTo("3.5.30");
            assertThat(listing.await().getMembersCount()).isEqualTo(1);
            assertThat(status(channel).getVersion()).isEqualTo("3.5.30");
        }
    }

    @Test
    void callThatIsRefusedAloneIsNotRepeated() throws Exception {
        var requests = new AtomicInteger();
        try (var server = new ScriptedServer(with -> {
                    with.send(SETTINGS);
                    while (true) {
                        int stream = with.request();
                        requests.incrementAndGet();
                        with.send(reset(stream, REFUSED_STREAM));
                    }
                });
                var channel = to(server)) {
            assertThat(failure(channel).getCode()).isEqualTo(Status.Code.UNAVAILABLE);
            assertThat(requests).hasValue(1);
        }
    }

    @Test
    void nothingIsAskedOfServerThatIsLeaving() throws Exception {
        try (var server = new ScriptedServer(with -> {
                    int stream = with.send(SETTINGS).request();
                    with.send(goAway(stream, 0));
                    answer(with, stream, STATUS);
                });
                var channel = to(server)) {
            assertThat(status(channel).getVersion()).isEqualTo("3.5.30");
            assertThat(failure(channel).getCode()).isEqualTo(Status.Code.UNAVAILABLE);
        }
    }

    @Test
    void lostConnectionIsNotOpenedAgain() throws Exception {
        var connections = new AtomicInteger();
        try (var server = new ScriptedServer(with -> {
                    connections.incrementAndGet();
                    with.hangUp();
                });
                var channel = to(server)) {
            assertThat(failure(channel).getCode()).isEqualTo(Status.Code.UNAVAILABLE);
            assertThat(failure(channel).getCode()).isEqualTo(Status.Code.UNAVAILABLE);
            assertThat(connections).hasValue(1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 20_000, LARGEST - 10})
    void readsAnswersOfAnySize(int size) throws Exception {
        byte[] large = message(
                StatusResponse.newBuilder().setVersion("v".repeat(size)).build().toByteArray());
        try (var server = new ScriptedServer(with -> answer(with.send(SETTINGS), with.request(), large));
                var channel = to(server)) {
            assertThat(status(channel).getVersion()).hasSize(size);
        }
    }

    @Test
    void sendsDeadlineAlong() throws Exception {
        try (var server = new ScriptedServer(with -> answer(with.send(SETTINGS), with.request(), STATUS));
                var channel = to(server)) {
            status(channel);

            assertThat(server.nextRequest()).containsPattern("grpc-timeout.\\d{7,8}u");
        }
    }

    /// Something comes all the time, and never the answer.
    @Test
    void deadlineHoldsForServerThatSendsOnAndOn() throws Exception {
        try (var server = new ScriptedServer(with -> {
                    with.send(SETTINGS).request();
                    while (true) {
                        with.send(data(99, new byte[1_000]));
                    }
                });
                var channel = to(server)) {
            var late = catchThrowableOfType(
                    StatusRuntimeException.class,
                    () -> MaintenanceGrpc.newBlockingStub(channel)
                            .withDeadlineAfter(300, TimeUnit.MILLISECONDS)
                            .status(StatusRequest.getDefaultInstance()));

            assertThat(late.getStatus().getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
        }
    }

    private static UnaryChannel to(ScriptedServer server) {
        return UnaryChannel.plain(server.address(), "m0.test", LARGEST);
    }

    private static Ahead<MemberListResponse> listing(Channel channel) {
        return Ahead.of(
                channel,
                ClusterGrpc.getMemberListMethod(),
                MemberListRequest.getDefaultInstance(),
                Deadline.after(20, TimeUnit.SECONDS));
    }

    static StatusResponse status(Channel channel) {
        return MaintenanceGrpc.newBlockingStub(channel)
                .withDeadlineAfter(20, TimeUnit.SECONDS)
                .status(StatusRequest.getDefaultInstance());
    }

    static Status failure(Channel channel) {
        return catchThrowableOfType(StatusRuntimeException.class, () -> status(channel))
                .getStatus();
    }

    private static void answer(Connected with, int stream, byte[] message) throws IOException {
        with.send(begun(stream));
        for (int start = 0; start < message.length; start += Frame.LARGEST) {
            with.send(data(
                    stream, Arrays.copyOfRange(message, start, Math.min(message.length, start + Frame.LARGEST))));
        }
        with.send(ended(stream));
    }
}
