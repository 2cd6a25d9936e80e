package io.github.etcdgitops.execute.roll;

import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.execute.StepHandler;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.ring.StepResult;
import io.github.etcdgitops.ring.roll.v2.PassOldRecords;
import io.github.etcdgitops.ring.roll.v2.V2Data;
import io.github.etcdgitops.state.health.RingHealth;
import java.util.LongSummaryStatistics;
import java.util.Optional;
import java.util.Set;

/// Has the members write snapshots past the records of earlier versions. What counts is the index that each
/// member has applied, and the journal has where to count from: a run that is killed loses nothing.
public final class OldRecordSteps implements StepHandler<PassOldRecords> {
    /// Between two looks at the ring. etcd keeps as many for a member that is behind.
    private static final int AT_A_TIME = 5_000;

    private final StepContext context;

    public OldRecordSteps(StepContext context) {
        this.context = context;
    }

    @Override
    public Optional<String> alreadySo(PassOldRecords step) {
        if (V2Data.never(context.journal())) {
            return Optional.of("members read none");
        }
        return V2Data.passedBefore(context.state())
                ? Optional.of("a member runs the later version already")
                : last().filter(last -> applied()
                                .filter(all -> all.getMin() >= step.due(last))
                                .isPresent())
                        .map(_ -> "every member is past them");
    }

    /// Where nothing is known, the last record is at most where the log is now: all members run 3.5.
    @Override
    public StepResult act(PassOldRecords step) {
        var now = applied().map(LongSummaryStatistics::getMax);
        if (now.isEmpty()) {
            return new StepResult.Held("not every member tells how far its log is");
        }
        if (last().isEmpty()) {
            context.journal(journal -> journal.withV2RecordsUpTo(now));
        }
        return context.until(step.deadline(), () -> missing(step), () -> "every member is past them");
    }

    /// Adds entries, unless a member must catch up first.
    private Optional<String> missing(PassOldRecords step) {
        var unwell = RingHealth.problems(context.state(), Set.of()).stream().findFirst();
        var all = applied();
        var last = last();
        if (unwell.isPresent() || all.isEmpty() || last.isEmpty()) {
            return unwell.or(() -> Optional.of("not every member tells how far its log is"));
        }
        long due = step.due(last.get());
        if (all.get().getMin() >= due) {
            return Optional.empty();
        }
        long left = due - all.get().getMax();
        try {
            if (left > 0) {
                add((int) Math.min(left, AT_A_TIME));
            }
            return Optional.of("the log is at entry " + all.get().getMin() + " of " + due);
        } catch (GatewayException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private void add(int entries) {
        context.calls().throughLeader((etcd, leader) -> etcd.writeNothing(leader, entries, StepContext.CALL));
    }

    /// As the journal has it. An index that no member has reached is of another log, or nonsense.
    private Optional<Long> last() {
        return context.journal()
                .past()
                .v2RecordsUpTo()
                .filter(index -> applied().filter(all -> index <= all.getMax()).isPresent());
    }

    private Optional<LongSummaryStatistics> applied() {
        return V2Data.applied(context.state());
    }
}
