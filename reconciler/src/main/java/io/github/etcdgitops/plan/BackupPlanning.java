package io.github.etcdgitops.plan;

import io.github.etcdgitops.ring.BackupOrder;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Finding.Level;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.backup.BackupNeeds;
import io.github.etcdgitops.ring.backup.Drills;
import io.github.etcdgitops.ring.backup.Period;
import io.github.etcdgitops.ring.backup.PruneBackups;
import io.github.etcdgitops.ring.backup.TakeBackup;
import io.github.etcdgitops.ring.restore.QuorumFindings;
import io.github.etcdgitops.spec.BackupPolicy;
import io.github.etcdgitops.spec.PolicySelection;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.Rule;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.backup.BackupKey;
import io.github.etcdgitops.state.backup.RingBackups;
import io.github.etcdgitops.state.backup.StoredBackup;
import io.github.etcdgitops.state.health.QuorumLoss;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Plans which backups to take and which to delete, from the policies and the stored backups. A location
/// that could not be read is Unknown: it is not known whether a backup is due there, and nothing is deleted
/// there.
final class BackupPlanning {
    private final EtcdClusterSpec spec;
    private final ClusterRef ref;
    private final BackupNeeds needs;
    private final Instant now;
    private final Drills drills;

    BackupPlanning(EtcdClusterSpec spec, BackupNeeds needs, Instant now) {
        this.spec = spec;
        this.ref = spec.ref();
        this.needs = needs;
        this.now = now;
        this.drills = new Drills(ref, needs, now);
    }

    /// Backups to take, one per policy and one per request. `risky` when a following change needs a recent
    /// backup.
    List<Operation> backups(boolean risky) {
        var operations = new ArrayList<Operation>();
        for (var kept : needs.policies()) {
            kept.stored().optional().flatMap(stored -> due(kept, stored, risky)).ifPresent(operations::add);
            kept.dues().requested().forEach(name -> operations.add(onRequest(kept.policy(), name)));
        }
        return operations;
    }

    /// A backup that a rule requires before one of `operations`, where no backup is planned before them.
    /// Taken by the first policy that applies to the ring and whose location is readable.
    Optional<Operation> fresh(List<? extends Operation> operations, boolean planned) {
        var asked = needs.fresh().stream()
                .filter(rule -> operations.stream().anyMatch(o -> BackupStanding.concerns(rule, o)))
                .map(Rule.BackupFreshness::maxAge)
                .min(Comparator.naturalOrder());
        var standing = BackupStanding.of(needs);
        return asked.filter(maxAge -> !planned && !standing.fresh(maxAge, now))
                .flatMap(maxAge -> needs.policies().stream()
                        .filter(kept -> PolicySelection.holds(kept.policy(), spec))
                        .flatMap(kept -> kept
                                .stored()
                                .optional()
                                .map(stored -> take(
                                        kept.policy(),
                                        stored,
                                        StoredBackup.BEFORE_CHANGE,
                                        "a change needs a verified backup that is at most " + Period.title(maxAge)
                                                + " old"))
                                .stream())
                        .findFirst());
    }

    /// Saves the rest of a ring without quorum once, by each policy with a schedule. That data no longer
    /// changes.
    List<Operation> rescues(ClusterState state) {
        var best =
                QuorumLoss.of(state).flatMap(loss -> loss.survivors().stream().findFirst());
        if (best.isEmpty()) {
            return List.of();
        }
        long revision = best.get().at().revision();
        return needs.policies().stream()
                .filter(kept -> kept.policy().timing().isPresent())
                .filter(kept -> kept.stored()
                        .optional()
                        .filter(stored -> stored.backups().stream().noneMatch(b -> b.saves(revision)))
                        .isPresent())
                .<Operation>map(kept -> new TakeBackup(
                        ref,
                        order(kept.policy(), StoredBackup.WITHOUT_QUORUM + revision),
                        "-",
                        "the ring has lost its quorum, and the data of "
                                + ref.podName(best.get().ordinal()) + " may be all that is left"))
                .toList();
    }

    private Optional<Operation> due(BackupNeeds.OfPolicy kept, RingBackups stored, boolean risky) {
        var policy = kept.policy();
        if (kept.dues().scheduled().isPresent()) {
            return Optional.of(take(policy, stored, "", kept.dues().scheduled().get()));
        }
        return risky
                ? tooOld(policy.objectives().beforeChange(), stored)
                        .map(why -> take(
                                policy,
                                stored,
                                StoredBackup.BEFORE_CHANGE,
                                why + " before a change that cannot be undone"))
                : Optional.empty();
    }

    private Optional<String> tooOld(Optional<Duration> most, RingBackups stored) {
        return most.filter(age -> stored.newest()
                        .filter(b -> b.taken().plus(age).isAfter(now))
                        .isEmpty())
                .map(age -> "a verified backup that is at most " + Period.title(age) + " old is needed");
    }

    private TakeBackup onRequest(BackupPolicy policy, String request) {
        return new TakeBackup(
                ref,
                order(policy, StoredBackup.ON_REQUEST + request),
                "-",
                "the document EtcdBackup " + request + " asks for it");
    }

    private TakeBackup take(BackupPolicy policy, RingBackups stored, String suffix, String why) {
        return new TakeBackup(
                ref,
                order(policy, suffix),
                stored.newest().map(StoredBackup::id).orElse("none"),
                why);
    }

    private BackupOrder order(BackupPolicy policy, String suffix) {
        return new BackupOrder(needs.environment(), policy.name(), policy.destination(), policy.encoding(), suffix);
    }

    /// Backups that retention no longer keeps, and what unfinished backups left behind.
    List<Operation> prunes() {
        var operations = new ArrayList<Operation>();
        for (var kept : needs.policies()) {
            if (clockDoubt(kept).isPresent()) {
                continue;
            }
            var leftovers = kept.stored().optional().map(RingBackups::leftovers).orElse(List.<BackupKey>of());
            if (!kept.dues().expired().isEmpty() || !leftovers.isEmpty()) {
                operations.add(new PruneBackups(
                        ref,
                        order(kept.policy(), ""),
                        kept.policy().retention(),
                        kept.dues().expired(),
                        leftovers));
            }
        }
        return operations;
    }

    /// Why nothing is deleted by age, for all policies.
    Optional<String> clockDoubt() {
        return needs.clock()
                .or(() -> needs.policies().stream()
                        .flatMap(kept -> clockDoubt(kept).stream())
                        .findFirst());
    }

    /// Why nothing is deleted by age. With a wrong clock, every backup could look expired.
    private Optional<String> clockDoubt(BackupNeeds.OfPolicy kept) {
        return needs.clock().or(() -> kept.stored().optional().flatMap(stored -> ClockDoubt.ofBackups(stored, now)));
    }

    /// The drills that are due.
    List<Operation> drills() {
        return drills.due();
    }

    /// Missed objectives and unreadable locations, for people.
    List<Finding> findings() {
        var findings = new ArrayList<Finding>();
        needs.missing()
                .ifPresent(name -> findings.add(new Finding(
                        Level.WARNING,
                        FindingCode.BACKUP_POLICY_MISSING,
                        "the ring names the backup policy " + name
                                + ", which does not exist or is invalid. The ring is not backed up")));
        needs.restore().ifPresent(restore -> {
            if (restore instanceof BackupNeeds.Restore.Asked(String request, String why)) {
                findings.add(new Finding(
                        Level.WARNING,
                        FindingCode.RESTORE_REFUSED,
                        "EtcdRestore " + request + " names a ring that " + why));
            }
        });
        needs.rejected()
                .forEach(at -> findings.add(new Finding(
                        Level.WARNING,
                        FindingCode.BACKUP_POLICY_REJECTED,
                        "the backup policy at " + at + " may apply to this ring and is invalid. It takes no"
                                + " backups, and changes that need a backup wait until it is fixed")));
        for (var kept : needs.policies()) {
            var policy = kept.policy();
            kept.stored()
                    .unknownReason()
                    .ifPresent(reason -> findings.add(new Finding(
                            Level.WARNING,
                            FindingCode.BACKUPS_UNKNOWN,
                            "policy " + policy.name() + ": the stored backups could not be read: " + reason)));
            kept.stored().optional().ifPresent(stored -> objectives(policy, stored, findings));
            clockDoubt(kept)
                    .ifPresent(why -> findings.add(new Finding(
                            Level.WARNING,
                            FindingCode.CLOCK_IN_DOUBT,
                            "policy " + policy.name() + ": no backup is deleted because of its age: " + why)));
        }
        findings.addAll(drills.findings());
        return findings;
    }

    /// The findings about a ring that has lost its quorum, with the backups that could bring it back.
    List<Finding> quorumLost(ClusterState state) {
        return QuorumFindings.of(state, needs, now);
    }

    /// What the ring is to start from, if not empty.
    Optional<BackupNeeds.Restore> restore() {
        return needs.restore();
    }

    private void objectives(BackupPolicy policy, RingBackups stored, List<Finding> findings) {
        tooOld(policy.objectives().maxAge(), stored)
                .ifPresent(why -> findings.add(new Finding(
                        Level.WARNING,
                        FindingCode.BACKUP_TOO_OLD,
                        "policy " + policy.name() + ": " + why + ", the newest is "
                                + stored.newest().map(StoredBackup::id).orElse("none"))));
        stored.backups().stream()
                .filter(StoredBackup::damaged)
                .forEach(b -> findings.add(new Finding(
                        Level.WARNING,
                        FindingCode.BACKUP_DAMAGED,
                        "policy " + policy.name() + ": backup " + b.id()
                                + " is damaged and does not count. Delete it when it is no longer needed")));
    }

    /// Why a risky change must wait: a policy requires a recent backup, or may require one, and it is not
    /// known whether one exists.
    Optional<String> unprotected() {
        if (!needs.rejected().isEmpty()) {
            return Optional.of("the backup policy at " + needs.rejected().getFirst()
                    + " may ask for a backup first, and is invalid until it is fixed");
        }
        if (needs.missing().isPresent()) {
            return Optional.of("the ring's backup policy " + needs.missing().get() + " does not exist or is invalid");
        }
        return needs.policies().stream()
                .filter(k -> k.policy().objectives().beforeChange().isPresent())
                .flatMap(k -> k
                        .stored()
                        .unknownReason()
                        .map(reason -> "policy " + k.policy().name()
                                + " asks for a backup first, and the stored backups could not be read: " + reason)
                        .stream())
                .findFirst();
    }
}
