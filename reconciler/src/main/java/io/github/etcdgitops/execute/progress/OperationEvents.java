package io.github.etcdgitops.execute.progress;

import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.gateway.RingEvents;
import io.github.etcdgitops.gateway.RingEvents.Event;
import io.github.etcdgitops.ring.Operation;

/// Reports operations as Kubernetes Events.
public record OperationEvents(RingEvents events) implements StepListener {
    @Override
    public void begins(Operation operation) {
        tell(operation, false, "Begun", operation.summary());
    }

    @Override
    public void ended(Operation operation, Outcome outcome, String detail) {
        switch (outcome) {
            case DONE, NOTHING -> tell(operation, false, "Done", operation.summary());
            case HELD, ABORTED, BUSY, STALE -> tell(operation, true, "Held", operation.summary() + ": " + detail);
            case FAILED, FENCED -> tell(operation, true, "Failed", operation.summary() + ": " + detail);
        }
    }

    private void tell(Operation operation, boolean warning, String what, String message) {
        events.tell(operation.ref(), new Event(warning, operation.kind() + what, message));
    }
}
