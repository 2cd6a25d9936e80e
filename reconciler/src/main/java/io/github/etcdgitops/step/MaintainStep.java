package io.github.etcdgitops.step;

import io.github.etcdgitops.state.Quorum;
import java.time.Duration;

/// Steps by which the members' database files are made smaller, and a ring that is out of space gets back
/// to writing. A member that is defragmented answers nobody until it is done.
public sealed interface MaintainStep extends Step.OfMaintenance {
    /// Has the member write its file anew without the free space in it, if that is still `unusedPercent`
    /// or more, and waits until it answers, has caught up, and the same one leads.
    record Defragment(int ordinal, int unusedPercent, long minimumSize) implements MaintainStep {}

    /// Forgets what was before the newest `kept` revisions, and waits until every voter has freed it.
    /// What is there now stays: only how it came to be is forgotten.
    record CompactHistory(long kept) implements MaintainStep {}

    /// Moves the leadership off the member, if it has it, also while the ring is out of space.
    record HandOver(int ordinal) implements MaintainStep {}

    /// Has the member write its file anew, if that is near its quota and no other member's has shown that
    /// there is nothing to be gained.
    record MakeRoom(int ordinal) implements MaintainStep {}

    /// Takes the alarms back, if every voter's file leaves room below its quota.
    record DisarmSpace() implements MaintainStep {}

    /// Has every voter be asked for a write that does not take place: it would be refused out of space
    /// all the same.
    record ProveWrites() implements MaintainStep {}

    /// A ring that is out of space is not green: what else must hold is asked of each step by itself.
    @Override
    default Gate gate() {
        return switch (this) {
            case Defragment _ -> Gate.GREEN;
            case CompactHistory _, HandOver _, MakeRoom _, DisarmSpace _ -> Gate.EXPECTED;
            case ProveWrites _ -> Gate.NONE;
        };
    }

    /// For files, the most that any may take: see [#forSize].
    @Override
    default Duration deadline() {
        return switch (this) {
            case Defragment _, MakeRoom _ -> Duration.ofHours(1);
            case CompactHistory _ -> Duration.ofMinutes(30);
            case HandOver _, ProveWrites _ -> Duration.ofMinutes(1);
            case DisarmSpace _ -> Duration.ofMinutes(2);
        };
    }

    /// How long a member may take to write a file of so many bytes anew: a slow disk does 4 MiB a second.
    default Duration forSize(long bytes) {
        var fitting = Duration.ofMinutes(2).plusSeconds(bytes / (4 << 20));
        return fitting.compareTo(deadline()) < 0 ? fitting : deadline();
    }

    @Override
    default RingModel apply(RingModel ring) {
        return ring;
    }

    /// Who writes its file anew is away for that long.
    @Override
    default Quorum during(RingModel before) {
        return switch (this) {
            case Defragment(int ordinal, var percent, var size) -> before.quorumWithout(ordinal);
            case MakeRoom(int ordinal) -> before.quorumWithout(ordinal);
            case CompactHistory _, HandOver _, DisarmSpace _, ProveWrites _ -> before.quorum();
        };
    }
}
