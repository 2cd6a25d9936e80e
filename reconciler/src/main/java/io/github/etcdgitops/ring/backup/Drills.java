package io.github.etcdgitops.ring.backup;

import io.github.etcdgitops.ring.BackupOrder;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Finding.Level;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.spec.BackupPolicy;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.backup.BackupKey;
import io.github.etcdgitops.state.backup.RingBackups;
import io.github.etcdgitops.state.backup.StoredBackup;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Which drills are due, and the results of the last ones. A drill counts as long as its backup is kept.
public final class Drills {
    private final ClusterRef ref;
    private final BackupNeeds needs;
    private final Instant now;

    public Drills(ClusterRef ref, BackupNeeds needs, Instant now) {
        this.ref = ref;
        this.needs = needs;
        this.now = now;
    }

    public List<Operation> due() {
        return needs.policies().stream()
                .flatMap(kept ->
                        kept.stored().optional().stream().flatMap(stored -> due(kept.policy(), stored).stream()))
                .map(Operation.class::cast)
                .toList();
    }

    private Optional<DrillBackup> due(BackupPolicy policy, RingBackups stored) {
        var last = last(stored).map(StoredBackup.Drill::at);
        return policy.drill()
                .filter(drill ->
                        last.filter(at -> at.plus(drill.every()).isAfter(now)).isEmpty())
                .flatMap(drill -> stored.newest()
                        .map(newest -> new DrillBackup(
                                ref,
                                new BackupOrder(
                                        needs.environment(),
                                        policy.name(),
                                        policy.destination(),
                                        policy.encoding(),
                                        ""),
                                newest.key(),
                                drill.namespace(),
                                last.map(BackupKey::stamp).orElse("none"))));
    }

    private static Optional<StoredBackup.Drill> last(RingBackups stored) {
        return stored.backups().stream()
                .flatMap(b -> b.drills().stream())
                .max(Comparator.comparing(StoredBackup.Drill::at));
    }

    public List<Finding> findings() {
        return needs.policies().stream()
                .flatMap(kept ->
                        kept.stored().optional().stream().flatMap(stored -> finding(kept.policy(), stored).stream()))
                .toList();
    }

    private Optional<Finding> finding(BackupPolicy policy, RingBackups stored) {
        if (policy.drill().isEmpty()) {
            return Optional.empty();
        }
        var failed = last(stored).filter(drill -> !drill.passed());
        if (failed.isPresent()) {
            return Optional.of(new Finding(
                    Level.WARNING,
                    FindingCode.DRILL_FAILED,
                    "policy " + policy.name() + ": the last drill, at "
                            + failed.get().at() + ", failed. Its result is stored beside the manifest of the backup"));
        }
        var newest = stored.backups().stream()
                .flatMap(b -> b.drills().stream())
                .filter(StoredBackup.Drill::passed)
                .map(StoredBackup.Drill::at)
                .max(Comparator.naturalOrder());
        return policy.drill()
                .flatMap(BackupPolicy.Drill::maxAge)
                .filter(age -> newest.filter(at -> at.plus(age).isAfter(now)).isEmpty())
                .map(age -> new Finding(
                        Level.WARNING,
                        FindingCode.DRILL_TOO_OLD,
                        "policy " + policy.name() + ": the last drill that passed must be at most " + Period.title(age)
                                + " old, and the newest was at "
                                + newest.map(Instant::toString).orElse("none")));
    }
}
