package io.github.etcdgitops.execute;

import io.github.etcdgitops.gateway.EtcdGateway.KeyHash;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.ring.StepResult;
import io.github.etcdgitops.state.member.MemberState;
import java.time.Duration;
import java.util.Optional;

/// Compares the data of two members by etcd's own hash over all keys up to one revision. Comparable only
/// where both have compacted alike; a compaction reaches members one after the other, so the question is
/// repeated. Hashes agree in a ring of mixed versions (tested with 3.3 and 3.4, 3.4 and 3.5, and two
/// patches of 3.5).
public final class Hashes {
    /// Hashing reads every key of the member.
    public static final Duration HASHING = Duration.ofMinutes(10);

    private static final int ATTEMPTS = 10;
    private static final Duration BETWEEN = Duration.ofMillis(500);

    private final StepContext context;

    public Hashes(StepContext context) {
        this.context = context;
    }

    public StepResult compare(MemberState member) {
        // A ring that is out of space still has all its data.
        var others = Sources.othersThan(member.id(), context.state());
        if (others.isEmpty()) {
            return new StepResult.Failed("no other member answers, so " + name(member) + " cannot be compared");
        }
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            var other = others.get(attempt % others.size());
            var own = ask(member, 0);
            var theirs = own.flatMap(o -> ask(other, o.revision()));
            if (theirs.isPresent()
                    && theirs.get().compactRevision() == own.get().compactRevision()) {
                return theirs.get().hash() == own.get().hash()
                        ? new StepResult.Done("the same as " + name(other) + " at revision "
                                + own.get().revision())
                        : new StepResult.Failed(
                                name(member) + " and " + name(other) + " have different data at revision "
                                        + own.get().revision() + ". One of them is corrupt");
            }
            context.pass(BETWEEN);
        }
        return new StepResult.Failed("the data of " + name(member) + " could not be compared with another member's");
    }

    public Optional<KeyHash> ask(MemberState member, long revision) {
        try {
            return Optional.of(
                    context.calls().through(member, (etcd, route) -> etcd.hashKeys(route, revision, HASHING)));
        } catch (GatewayException e) {
            return switch (e.kind()) {
                case REJECTED, UNREACHABLE, TIMEOUT -> Optional.empty();
                case UNAUTHORIZED, NOT_FOUND, CONFLICT -> throw e;
            };
        }
    }

    public String name(MemberState member) {
        return member.ordinal(context.ref()).map(context.ref()::podName).orElse(member.name());
    }
}
