package io.github.etcdgitops.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.Event;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.WatchResponse;
import io.grpc.Channel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WatchCallIT {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final String PREFIX = "load/a/";
    private static final int WRITES = 40;

    /// etcd divides what exceeds half a MiB and one request.
    private static final int LARGEST_REQUEST = 100_000;

    @ParameterizedTest
    @ValueSource(strings = {"3.5.16", "3.6.14", "3.7.1"})
    void showsLargeHistoryAndProgress(String version) {
        var flags = List.of("--max-request-bytes=" + LARGEST_REQUEST, progressEach(version, "100ms"));
        try (var ring = EtcdRing.start(EtcdBinaries.require(version), 1, flags);
                var line = new Line(new Endpoints(ring::endpoints), () -> ClientAccess.PLAIN, 0)) {
            var channel = line.channel();
            for (int write = 0; write < WRITES; write++) {
                put(channel, PREFIX + write);
            }
            put(channel, "load/b/0");
            var pieces = new AtomicInteger();
            try (var call = new WatchCall(channel, PREFIX, 2, _ -> pieces.incrementAndGet())) {
                assertThat(next(call).getCreated()).isTrue();
                var events = new ArrayList<Event>();
                int answers = 0;
                for (; events.size() < WRITES; answers++) {
                    events.addAll(next(call).getEventsList());
                }
                assertThat(events)
                        .extracting(e -> e.getKv().getModRevision())
                        .containsExactlyElementsOf(
                                LongStream.range(2, 2 + WRITES).boxed().toList());
                assertThat(pieces).hasValueGreaterThan(1 + answers);

                var progress = next(call);

                assertThat(progress.getEventsCount()).isZero();
                assertThat(progress.getCreated() || progress.getCanceled()).isFalse();
                assertThat(progress.getHeader().getRevision()).isEqualTo(2 + WRITES);
            }
        }
    }

    private static String progressEach(String version, String interval) {
        return (version.startsWith("3.5.") ? "--experimental-" : "--") + "watch-progress-notify-interval=" + interval;
    }

    private static void put(Channel channel, String key) {
        KVGrpc.newBlockingStub(channel)
                .put(PutRequest.newBuilder()
                        .setKey(ByteString.copyFromUtf8(key))
                        .setValue(ByteString.copyFrom(new byte[LARGEST_REQUEST / 2]))
                        .build());
    }

    private static WatchResponse next(WatchCall call) {
        return call.next(LIMIT).orElseThrow(() -> new AssertionError("the call ended"));
    }
}
