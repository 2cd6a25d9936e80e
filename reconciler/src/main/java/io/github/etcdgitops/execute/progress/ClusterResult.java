package io.github.etcdgitops.execute.progress;

import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.WireName;
import java.util.List;

/// The result of a run for one ring.
public record ClusterResult(ClusterRef ref, Outcome outcome, String detail, List<StepEvent> events) {
    public ClusterResult {
        events = List.copyOf(events);
    }

    public enum Outcome implements WireName {
        /// No permitted operation was due.
        NOTHING,
        DONE,
        /// Not safe now; the next run checks again.
        HELD,
        FAILED,
        /// Not started, because too many other rings have failed in this run.
        ABORTED,
        /// Another run took the Lease or wrote the journal.
        FENCED,
        /// Another run works on the ring.
        BUSY,
        /// The ring has changed since the plan was made.
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
