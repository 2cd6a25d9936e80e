package io.github.etcdgitops.it;

import com.google.protobuf.UnknownFieldSet;
import io.etcd.jetcd.api.Event;
import io.etcd.jetcd.api.WatchCreateRequest;
import io.etcd.jetcd.api.WatchResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Puts answers of a watch together that etcd sends in pieces. Only whole ones say up to which revision all was
/// shown: the events of one revision can be in two pieces.
///
/// jetcd's messages do not know the fields for this, so they are set and read by their numbers.
final class Fragments {
    private static final int ASKED = 8;
    private static final int MORE = 7;
    private static final UnknownFieldSet.Field TRUE =
            UnknownFieldSet.Field.newBuilder().addVarint(1).build();

    private final List<Event> before = new ArrayList<>();

    /// etcd sends pieces from 3.4 on, and only to who asks for them.
    static WatchCreateRequest asked(WatchCreateRequest.Builder request) {
        return request.setUnknownFields(
                        UnknownFieldSet.newBuilder().addField(ASKED, TRUE).build())
                .build();
    }

    /// Says of an answer that the next one continues it.
    static WatchResponse withMore(WatchResponse.Builder answer) {
        return answer.setUnknownFields(
                        UnknownFieldSet.newBuilder().addField(MORE, TRUE).build())
                .build();
    }

    /// Empty as long as more pieces follow.
    Optional<WatchResponse> add(WatchResponse piece) {
        before.addAll(piece.getEventsList());
        if (piece.getUnknownFields().getField(MORE).getVarintList().contains(1L)) {
            return Optional.empty();
        }
        var whole = piece.toBuilder().clearEvents().addAllEvents(before).build();
        before.clear();
        return Optional.of(whole);
    }
}
