package io.github.etcdgitops.ring.roll.v2;

import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.time.Duration;

/// Looks for keys of etcd's v2 API on the volume of a voter, by a Job beside the running member, before anything of an
/// upgrade to 3.6 or later is begun. Members there do not start with such keys, and from 3.4 on no member tells
/// whether it has any.
///
/// It comes after [PassOldRecords]: before, such keys may lie in the log alone, where `etcdutl` before 3.5.32 does not
/// look, and where later ones take a mere record for them.
public record FindOldKeys(String operationId) implements Step {
    /// The limit for the Job, which reads one snapshot of the log and what follows it.
    public static final Duration LONGEST = Duration.ofMinutes(10);

    @Override
    public Facts facts() {
        return Facts.of("FindOldKeys", Gate.EXPECTED)
                .undo("changes nothing in the ring, nor on the volume")
                .within(LONGEST.plusMinutes(7));
    }

    @Override
    public String text(ClusterRef ref) {
        return "Look for keys of etcd's v2 API on the volume of a voter, in a Job with `etcdutl check v2store`";
    }
}
