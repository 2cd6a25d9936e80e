package io.github.etcdgitops.cli.backup;

import io.github.etcdgitops.backup.BackupCatalog;
import io.github.etcdgitops.backup.Pruning;
import io.github.etcdgitops.cli.console.ExitCode;
import io.github.etcdgitops.cli.console.Options;
import io.github.etcdgitops.cli.console.Outputs;
import io.github.etcdgitops.cli.console.Surface;
import io.github.etcdgitops.pipeline.backup.BackupPlaces;
import io.github.etcdgitops.pipeline.environment.RunException;
import io.github.etcdgitops.plan.ClockDoubt;
import io.github.etcdgitops.report.table.PruningTable;
import io.github.etcdgitops.ring.backup.BackupNeeds.Dues;
import io.github.etcdgitops.spec.PolicySelection;
import io.github.etcdgitops.state.backup.BackupKey;
import io.github.etcdgitops.state.backup.RingBackups;
import io.github.etcdgitops.state.backup.StoredBackup;
import io.github.etcdgitops.state.value.EtcdId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "prune",
        description = {
            "Deletes the backups of a ring that are past the policy's retention, and the remains of unfinished"
                    + " backups.",
            "With --backup it deletes that backup, even if retention keeps it. The newest verified backup always"
                    + " stays."
        },
        mixinStandardHelpOptions = true)
final class BackupPruneCommand implements Callable<Integer> {
    private final Surface process;

    @Option(names = "--backup", paramLabel = "ID", description = "Delete this backup.")
    @Nullable
    String backup;

    @Option(names = "--dry-run", description = "Only show what would be deleted.")
    boolean dryRun;

    @Mixin
    private final BackupOptions.OfRing of = new BackupOptions.OfRing();

    @Mixin
    private final Options.Output output = new Options.Output();

    BackupPruneCommand(Surface process) {
        this.process = process;
    }

    @Override
    public Integer call() {
        var now = Surface.clock().instant();
        try (var shelf = BackupLocation.open(of.place, process.environment())) {
            var stored = BackupCatalog.of(shelf.store(), shelf.environment(), of.ring, now);
            requireHolds(shelf);
            var exit = prune(shelf, stored, chosen(shelf, stored, now));
            if (!dryRun) {
                shelf.store().abandon(BackupKey.below(shelf.environment(), of.ring), BackupCatalog.UNFINISHED);
            }
            return exit.code();
        }
    }

    /// Reports what was deleted in every case.
    private ExitCode prune(BackupLocation shelf, RingBackups stored, List<BackupKey> chosen) {
        var pruned = new ArrayList<BackupKey>();
        boolean locked = false;
        try {
            for (var key : chosen) {
                var refusal = Pruning.refusal(stored, key)
                        .filter(_ -> !stored.leftovers().contains(key) && !damaged(stored, key));
                if (refusal.isPresent()) {
                    throw new RunException(RunException.Kind.CONFIGURATION, refusal.get());
                }
                if (dryRun || Pruning.deleteUnlessLocked(shelf.store(), key).isPresent()) {
                    pruned.add(key);
                } else {
                    process.err().println("error: " + key.prefix() + ": the store locks it, so it stays");
                    locked = true;
                }
            }
        } finally {
            new Outputs(output, process.terminal(), process.out()).write(new PruningTable(dryRun, pruned));
        }
        return locked ? ExitCode.FAILED : ExitCode.SUCCESS;
    }

    /// Several policies may keep their backups at one location, each for its own rings.
    private void requireHolds(BackupLocation shelf) {
        boolean holds = Optional.ofNullable(shelf.source().desired().rings().get(of.ring))
                .filter(spec -> PolicySelection.holds(shelf.policy(), spec))
                .isPresent();
        if (backup == null && !holds) {
            throw new RunException(
                    RunException.Kind.CONFIGURATION,
                    "the retention of policy " + shelf.policy().name() + " does not apply to " + of.ring
                            + ": name the policy that does with --policy, or name a backup with --backup");
        }
    }

    private static boolean damaged(RingBackups stored, BackupKey key) {
        return stored.backups().stream().anyMatch(b -> b.key().equals(key) && b.damaged());
    }

    private List<BackupKey> chosen(BackupLocation shelf, RingBackups stored, Instant now) {
        if (backup != null) {
            return List.of(stored.backups().stream()
                    .filter(b -> b.id().equals(backup))
                    .findFirst()
                    .map(StoredBackup::key)
                    .orElseThrow(() -> new RunException(
                            RunException.Kind.CONFIGURATION,
                            shelf.store().title() + " has no backup " + backup + " of " + of.ring)));
        }
        var chosen = new ArrayList<BackupKey>();
        var pinned = BackupPlaces.pinned(shelf.source().desired(), shelf.environment(), of.ring, shelf.policy());
        ClockDoubt.ofBackups(stored, now).ifPresent(why -> {
            throw new RunException(RunException.Kind.CONFIGURATION, "no backup is deleted because of its age: " + why);
        });
        latest(stored).ifPresent(id -> chosen.addAll(Dues.expired(shelf.policy(), stored.of(id), pinned, now)));
        chosen.addAll(stored.leftovers());
        return chosen;
    }

    /// The ring itself is not asked: the latest backup shows which ring is meant. Backups of an earlier
    /// ring of the name are deleted only by their id.
    private static Optional<EtcdId> latest(RingBackups stored) {
        return stored.backups().isEmpty()
                ? Optional.empty()
                : Optional.of(stored.backups().getLast().key().clusterId());
    }
}
