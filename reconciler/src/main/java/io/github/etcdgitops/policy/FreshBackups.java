package io.github.etcdgitops.policy;

import io.github.etcdgitops.plan.BackupStanding;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.backup.Period;
import io.github.etcdgitops.spec.ring.Rule;
import java.time.Instant;
import java.util.Optional;

/// What a rule about backups has against an operation that would begin now, and the way out. A place that cannot be
/// read holds nothing that anybody could rely on.
record FreshBackups(Rule.BackupFreshness rule, BackupStanding standing, Instant now) {
    Optional<String> objection(Operation operation) {
        if (!BackupStanding.concerns(rule, operation)) {
            return Optional.empty();
        }
        if (!standing.fresh(rule.maxAge(), now)) {
            return Optional.of("it needs a verified backup that is at most " + Period.title(rule.maxAge())
                    + " old, and " + found(standing.taken())
                    + wayOut("take one: etcd-gitops backup create " + operation.ref()));
        }
        return rule.drilledWithin()
                .filter(within -> !standing.tried(within, now))
                .map(within -> "it needs a drill that passed within the last " + Period.title(within)
                        + ", and " + found(standing.drilled())
                        + wayOut("give a BackupPolicy of the ring a drill"));
    }

    private String found(Optional<Instant> newest) {
        return newest.map(at -> "the newest is from " + at).orElse("none is known");
    }

    private String wayOut(String otherwise) {
        if (!standing.unread().isEmpty()) {
            return "; the stored backups could not be read ("
                    + standing.unread().getFirst() + ")";
        }
        return standing.policies().isEmpty()
                ? "; no BackupPolicy applies to the ring. Name one in backup.policy, or let one select it"
                : "; " + otherwise;
    }
}
