package io.github.etcdgitops.execute;

import io.github.etcdgitops.execute.lease.Fenced;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.StepResult;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.state.journal.ChangeHistory;
import java.time.InstantSource;

/// Writes into a ring's journal when the ring was last changed: rings of later waves wait for it, and so
/// does the next change of the ring itself. Nothing else shows that time afterwards.
///
/// The time is written after the first step of a change and again at its end. A run that is killed in
/// between leaves the earlier time; without the first write there would be none. An operation that was held
/// before its first step is no change.
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

    /// Operations that could cost a member. A deleted ring has no journal afterwards.
    private static boolean concerns(Operation operation) {
        return operation.changesRing() && operation.risk().compareTo(Risk.MEDIUM) >= 0 && !operation.endsRing();
    }
}
