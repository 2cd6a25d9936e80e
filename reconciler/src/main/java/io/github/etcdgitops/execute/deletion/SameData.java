package io.github.etcdgitops.execute.deletion;

import io.github.etcdgitops.execute.Hashes;
import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.gateway.EtcdGateway.KeyHash;
import io.github.etcdgitops.state.journal.RetainedRing;
import io.github.etcdgitops.state.member.MemberState;
import io.github.etcdgitops.state.value.EtcdId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Whether all members that answer have the same data, and whether it matches the journalled data.
final class SameData {
    private static final int ATTEMPTS = 20;
    private static final Duration BETWEEN = Duration.ofMillis(500);

    private final StepContext context;
    private final Hashes hashes;

    sealed interface Result {
        record Same(RetainedRing.Data data) implements Result {}

        record Differs(String why) implements Result {}
    }

    SameData(StepContext context) {
        this.context = context;
        this.hashes = new Hashes(context);
    }

    /// Compares at the revision of the first member: the others are asked until they have reached it and
    /// have compacted alike.
    Result ofAll() {
        return without(Set.of());
    }

    private Result without(Set<EtcdId> except) {
        String last = "no member answers";
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            var members = answering(except);
            var first = members.stream().findFirst().flatMap(m -> hashes.ask(m, 0));
            if (first.isPresent()) {
                var outcome = at(members, first.get());
                if (outcome.isEmpty()) {
                    var own = first.get();
                    return new Result.Same(new RetainedRing.Data(own.revision(), own.compactRevision(), own.hash()));
                }
                last = outcome.get().why();
                if (outcome.get().forSure()) {
                    return new Result.Differs(last);
                }
            }
            context.pass(BETWEEN);
            context.refresh();
        }
        return new Result.Differs("the members' data could not be compared: " + last);
    }

    private record Otherwise(String why, boolean forSure) {}

    private Optional<Otherwise> at(List<MemberState> members, KeyHash wanted) {
        for (var member : members) {
            var own = hashes.ask(member, wanted.revision());
            if (own.filter(o -> o.compactRevision() == wanted.compactRevision()).isEmpty()) {
                return Optional.of(new Otherwise(hashes.name(member) + " is behind", false));
            }
            if (own.get().hash() != wanted.hash()) {
                return Optional.of(new Otherwise(
                        hashes.name(member) + " has different data at revision " + wanted.revision()
                                + " than the other members. One of them is corrupt",
                        true));
            }
        }
        return Optional.empty();
    }

    /// How the data differs from the journalled data, or why that cannot be decided. A compaction since
    /// then makes the hashes incomparable with the journal, but not those of the members with each other.
    /// The members in `except` are left out.
    Result with(RetainedRing.Data then, Set<EtcdId> except) {
        return switch (without(except)) {
            case Result.Differs differs -> differs;
            case Result.Same(var now) -> {
                if (now.revision() < then.revision()) {
                    yield new Result.Differs("the revision is " + now.revision() + ", and was " + then.revision()
                            + " when the ring was deleted");
                }
                var again = answering(except).stream().findFirst().flatMap(m -> hashes.ask(m, then.revision()));
                boolean differs = again.filter(
                                a -> a.compactRevision() == then.compactRevision() && a.hash() != then.hash())
                        .isPresent();
                yield differs
                        ? new Result.Differs("the data at revision " + then.revision()
                                + " differs from the data when the ring was deleted")
                        : new Result.Same(now);
            }
        };
    }

    private List<MemberState> answering(Set<EtcdId> except) {
        return context.state().ring().optional().stream()
                .flatMap(ring -> ring.voters().stream())
                .filter(m -> m.answers() && !except.contains(m.id()))
                .toList();
    }
}
