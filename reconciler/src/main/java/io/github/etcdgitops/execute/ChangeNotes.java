package io.github.etcdgitops.execute;

import io.github.etcdgitops.execute.lease.Fenced;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.StepResult;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.state.journal.ChangeHistory;
import java.time.InstantSource;

/// When a ring was changed last, in its journal: rings of later waves wait for it, and so does the next change of
/// the ring itself. Nothing else shows that afterwards.
///
/// It is noted once the first step of a change is done and again when it has ended. Whoever is killed in between
/// leaves the earlier time; of a change that was not noted there would be none. What was held before anything was
/// done is no change.
record ChangeNotes(StepContext context, InstantSource clock) {
    StepResult begun(Operation operation) {
        return note(operation, false);
    }

    StepResult ended(Operation operation) {
        return note(operation, true);
    }

    private StepResult note(Operation operation, boolean ended) {
        if (!concerns(operation) || context.journalState().isEmpty()) {
            return new StepResult.AlreadySo("nothing to note");
        }
        try {
            var changed = new ChangeHistory.Changed(operation.kind(), operation.id(), clock.instant(), ended);
            context.journal(
                    journal -> journal.withDoings(journal.past().doings().with(changed)));
            return new StepResult.Done("noted");
        } catch (Fenced e) {
            return new StepResult.Fenced(String.valueOf(e.getMessage()));
        } catch (GatewayException e) {
            return new StepResult.Failed(
                    "the time of the change could not be recorded in the journal: " + e.getMessage());
        }
    }

    /// What could cost a member. A ring that is deleted has no journal afterwards.
    private static boolean concerns(Operation operation) {
        return operation.changesRing() && operation.risk().compareTo(Risk.MEDIUM) >= 0 && !operation.endsRing();
    }
}
