package io.github.etcdgitops.plan;

import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.adoption.AdoptCluster;
import io.github.etcdgitops.ring.backup.BackupNeeds;
import io.github.etcdgitops.ring.deletion.Deletion;
import io.github.etcdgitops.ring.deletion.ReturnCluster;
import io.github.etcdgitops.ring.founding.BootstrapCluster;
import io.github.etcdgitops.ring.restore.RecoverQuorum;
import io.github.etcdgitops.ring.restore.RestoreCluster;
import io.github.etcdgitops.ring.restore.RestoreInPlace;
import io.github.etcdgitops.spec.ring.Rule;
import io.github.etcdgitops.state.backup.RingBackups;
import io.github.etcdgitops.state.backup.StoredBackup;
import io.github.etcdgitops.state.value.Observed;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// The state of a ring's backups, for rules that require recent ones: when the newest verified backup was
/// taken, and when a drill last passed, at any location. `policies` keep them; `unread` names the policies
/// whose stored backups are unknown.
public record BackupStanding(
        List<String> policies, Optional<Instant> taken, Optional<Instant> drilled, List<String> unread) {
    public static final BackupStanding NONE =
            new BackupStanding(List.of(), Optional.empty(), Optional.empty(), List.of());

    public BackupStanding {
        policies = List.copyOf(policies);
        unread = List.copyOf(unread);
    }

    public static BackupStanding of(BackupNeeds needs) {
        var standing = NONE;
        for (var kept : needs.policies()) {
            standing = standing.with(kept.policy().name(), kept.stored());
        }
        return standing;
    }

    /// The same, with the ring's backups of another policy.
    public BackupStanding with(String policy, Observed<RingBackups> stored) {
        var names = new ArrayList<>(policies);
        names.add(policy);
        return switch (stored) {
            case Observed.Known<RingBackups>(var backups) ->
                new BackupStanding(
                        names,
                        later(taken, backups.newest().map(StoredBackup::taken)),
                        later(drilled, passed(backups)),
                        unread);
            case Observed.Unknown<RingBackups>(String reason, var _) -> {
                var reasons = new ArrayList<>(unread);
                reasons.add("policy " + policy + ": " + reason);
                yield new BackupStanding(names, taken, drilled, reasons);
            }
        };
    }

    /// The same, once a backup was taken at `now`.
    public BackupStanding backedUp(Instant now) {
        return new BackupStanding(policies, later(taken, Optional.of(now)), drilled, unread);
    }

    private static Optional<Instant> passed(RingBackups backups) {
        return backups.backups().stream()
                .flatMap(backup -> backup.drills().stream())
                .filter(StoredBackup.Drill::passed)
                .map(StoredBackup.Drill::at)
                .max(Comparator.naturalOrder());
    }

    private static Optional<Instant> later(Optional<Instant> one, Optional<Instant> other) {
        return one.filter(a -> other.filter(a::isBefore).isEmpty()).or(() -> other);
    }

    /// Whether a backup is recent enough. An unknown one is not.
    public boolean fresh(Duration maxAge, Instant now) {
        return taken.filter(at -> at.plus(maxAge).isAfter(now)).isPresent();
    }

    public boolean tried(Duration within, Instant now) {
        return drilled.filter(at -> at.plus(within).isAfter(now)).isPresent();
    }

    /// Whether the rule applies to the operation.
    public static boolean concerns(Rule.BackupFreshness rule, Operation operation) {
        return operation.changesRing()
                && operation.risk().compareTo(rule.minRisk()) >= 0
                && (rule.repairs() || !operation.endsWhatWasBegun())
                && isOfOurs(operation);
    }

    /// A ring that does not exist yet, is not ours yet, or has no quorum cannot give a fresh backup. A
    /// deleted one has its own rules for what is retained.
    private static boolean isOfOurs(Operation operation) {
        boolean beginsOrEnds = operation instanceof BootstrapCluster
                || operation instanceof RestoreCluster
                || operation instanceof AdoptCluster
                || operation instanceof ReturnCluster
                || operation instanceof RecoverQuorum
                || operation instanceof Deletion;
        return !beginsOrEnds && (!(operation instanceof RestoreInPlace restore) || restore.needsBackup());
    }
}
