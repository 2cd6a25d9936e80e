package io.github.etcdgitops.gateway.etcd.call;

import static io.github.etcdgitops.gateway.etcd.call.Sent.SETTINGS;
import static io.github.etcdgitops.gateway.etcd.call.Sent.begun;
import static io.github.etcdgitops.gateway.etcd.call.Sent.data;
import static io.github.etcdgitops.gateway.etcd.call.Sent.ended;
import static io.github.etcdgitops.gateway.etcd.call.Sent.message;
import static io.github.etcdgitops.gateway.etcd.call.UnaryChannelTest.failure;
import static org.assertj.core.api.Assertions.assertThat;

import io.etcd.jetcd.api.MaintenanceGrpc;
import io.etcd.jetcd.api.StatusRequest;
import io.etcd.jetcd.api.StatusResponse;
import io.github.etcdgitops.gateway.etcd.call.ScriptedServer.Connected;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// All work is done by the thread that waits for the answer.
class UnaryChannelThreadTest {
    private static final int LARGEST = 1 << 20;

    private static final byte[] STATUS =
            message(StatusResponse.newBuilder().setVersion("3.5.30").build().toByteArray());

    @Test
    void runsOnTheThreadThatWaits() throws Exception {
        try (var server = new ScriptedServer(with -> answer(with));
                var channel = to(server)) {
            var threads = new ArrayList<Thread>();
            var call = channel.newCall(MaintenanceGrpc.getStatusMethod(), CallOptions.DEFAULT);

            call.start(
                    new ClientCall.Listener<>() {
                        @Override
                        public void onMessage(StatusResponse answer) {
                            threads.add(Thread.currentThread());
                        }

                        @Override
                        public void onClose(Status status, Metadata trailers) {
                            threads.add(Thread.currentThread());
                        }
                    },
                    new Metadata());
            call.request(1);
            call.sendMessage(StatusRequest.getDefaultInstance());
            call.halfClose();

            assertThat(threads).containsExactly(Thread.currentThread(), Thread.currentThread());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void interruptEndsIt(boolean virtual) throws Exception {
        var asked = new CountDownLatch(1);
        var ended = new AtomicReference<Status>();
        var kept = new AtomicReference<Boolean>();
        try (var server = new ScriptedServer(with -> {
                    with.send(SETTINGS).request();
                    asked.countDown();
                });
                var channel = to(server)) {
            Runnable work = () -> {
                ended.set(failure(channel));
                kept.set(Thread.currentThread().isInterrupted());
            };
            var thread = virtual
                    ? Thread.ofVirtual().start(work)
                    : Thread.ofPlatform().start(work);
            assertThat(asked.await(10, TimeUnit.SECONDS)).isTrue();

            thread.interrupt();

            assertThat(thread.join(Duration.ofSeconds(10))).isTrue();
            assertThat(ended.get().getCode()).isEqualTo(Status.Code.CANCELLED);
            assertThat(kept.get()).isTrue();
            assertThat(server.clientGone()).isTrue();
        }
    }

    @Test
    void interruptedThreadAsksNothing() throws Exception {
        try (var server = new ScriptedServer(with -> answer(with));
                var channel = to(server)) {
            Thread.currentThread().interrupt();

            assertThat(failure(channel).getCode()).isEqualTo(Status.Code.CANCELLED);
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    private static UnaryChannel to(ScriptedServer server) {
        return UnaryChannel.plain(server.address(), "m0.test", LARGEST);
    }

    private static void answer(Connected with) throws IOException {
        int stream = with.send(SETTINGS).request();
        with.send(begun(stream), data(stream, STATUS), ended(stream));
    }
}
