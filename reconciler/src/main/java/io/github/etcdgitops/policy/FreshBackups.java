package io.github.etcdgitops.policy;

import io.github.etcdgitops.plan.BackupStanding;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.backup.Period;
import io.github.etcdgitops.spec.ring.Rule;
import java.time.Instant;
import java.util.Optional;

/// The objection of a backup rule to an operation that would start now, with the remedy. Backups at an
/// unreadable location do not count.
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
