package io.github.etcdgitops.execute.progress;

import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.WireName;
import java.util.List;

/// What a run did to one ring.
public record ClusterResult(ClusterRef ref, Outcome outcome, String detail, List<StepEvent> events) {
    public ClusterResult {
        events = List.copyOf(events);
    }

    public enum Outcome implements WireName {
        /// There was nothing that might be done.
        NOTHING,
        DONE,
        /// Not safe now; the next run looks again.
        HELD,
        FAILED,
        /// Not begun, because too many others have failed in this run.
        ABORTED,
        /// The Lease or the journal went to another run.
        FENCED,
        /// Another run works on the ring.
        BUSY,
        /// The ring is not what it was when the plan was made.
        STALE;

        @Override
        public String wire() {
            return switch (this) {
                case NOTHING -> "nothing";
                case DONE -> "done";
                case HELD -> "held";
                case FAILED -> "failed";
                case ABORTED -> "aborted";
                case FENCED -> "fenced";
                case BUSY -> "busy";
                case STALE -> "stale";
            };
        }
    }

    public static ClusterResult of(ClusterRef ref, Outcome outcome, String detail) {
        return new ClusterResult(ref, outcome, detail, List.of());
    }
}
