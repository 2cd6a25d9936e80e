package io.github.etcdgitops.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.Event;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.ResponseHeader;
import io.etcd.jetcd.api.WatchResponse;
import java.util.BitSet;
import org.junit.jupiter.api.Test;

class ShownTest {
    private static final String PREFIX = "load/a/";
    private static final long FROM = 10;

    private final Shown shown = new Shown(PREFIX, FROM);

    @Test
    void findsNothingWrongWithEachWriteShownOnce() {
        written(0, 1, 10);
        written(1, 1, 12);

        assertThat(count(0, 1).isWhole()).isTrue();
        assertThat(count(0, 1).shown()).isEqualTo(2);
        assertThat(shown.last()).isEqualTo(12);
    }

    @Test
    void missesAcknowledgedWriteThatWasNotShown() {
        written(0, 1, 10);

        assertThat(count(0, 1).missed()).isEqualTo(1);
        assertThat(count(0, 1).isWhole()).isFalse();
    }

    /// It may have been made all the same.
    @Test
    void acceptsShownWriteThatWasNotAcknowledged() {
        written(0, 1, 10);

        assertThat(count().isWhole()).isTrue();
    }

    @Test
    void distinguishesWriteMadeTwiceFromEventShownTwice() {
        written(0, 1, 10);
        written(0, 2, 11);
        assertThat(count(0).isWhole()).isTrue();

        written(0, 2, 11);

        assertThat(count(0).doubled()).isEqualTo(1);
        assertThat(count(0).shown()).isEqualTo(2);
    }

    @Test
    void missesWritesBeforeShownOneOfTheSameKey() {
        written(0, 4, 14);

        assertThat(count(0).missed()).isEqualTo(3);
    }

    @Test
    void noticesEventOutOfOrder() {
        written(1, 1, 11);
        written(0, 1, 10);

        assertThat(count(0, 1).outOfOrder()).isEqualTo(1);
        assertThat(count(0, 1).missed()).isZero();
        assertThat(shown.last()).isEqualTo(11);
    }

    @Test
    void noticesEventFromBeforeTheBeginning() {
        written(0, 1, 9);

        assertThat(count(0).troubles()).containsExactly("event of revision 9, before the first of the watch, 10");
    }

    @Test
    void noticesDeletionsAndOtherValues() {
        shown.add(Event.newBuilder()
                .setType(Event.EventType.DELETE)
                .setKv(KeyValue.newBuilder()
                        .setKey(ByteString.copyFromUtf8(PREFIX + "lease"))
                        .setModRevision(10))
                .build());
        shown.add(event(3, "4", 1, 11));

        assertThat(count().troubles())
                .containsExactly(
                        "key lease was deleted at revision 10",
                        "key 000000000003 was shown with another value at revision 11");
    }

    @Test
    void putsPiecesTogetherUntilTheLastOne() {
        var fragments = new Fragments();
        var header = ResponseHeader.newBuilder().setRevision(11);

        assertThat(fragments.add(Fragments.withMore(WatchResponse.newBuilder().addEvents(event(0, "0", 1, 10)))))
                .isEmpty();
        var whole = fragments.add(WatchResponse.newBuilder()
                .setHeader(header)
                .addEvents(event(1, "1", 1, 11))
                .build());

        assertThat(whole).hasValueSatisfying(answer -> {
            assertThat(answer.getHeader().getRevision()).isEqualTo(11);
            assertThat(answer.getEventsList()).containsExactly(event(0, "0", 1, 10), event(1, "1", 1, 11));
        });
        assertThat(fragments.add(WatchResponse.getDefaultInstance()))
                .hasValueSatisfying(next -> assertThat(next.getEventsList()).isEmpty());
    }

    private void written(int number, long version, long revision) {
        shown.add(event(number, Integer.toString(number), version, revision));
    }

    private static Event event(int number, String value, long version, long revision) {
        return Event.newBuilder()
                .setKv(KeyValue.newBuilder()
                        .setKey(ByteString.copyFromUtf8(WriteLoad.key(PREFIX, number)))
                        .setValue(ByteString.copyFromUtf8(value))
                        .setVersion(version)
                        .setModRevision(revision))
                .build();
    }

    private LoadWatch.Events count(int... acknowledged) {
        var numbers = new BitSet();
        for (int number : acknowledged) {
            numbers.set(number);
        }
        return shown.count(numbers);
    }
}
