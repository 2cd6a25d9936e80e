package io.github.etcdgitops.cli.backup;

import io.github.etcdgitops.backup.BackupCatalog;
import io.github.etcdgitops.backup.SnapshotReader;
import io.github.etcdgitops.cli.console.ExitCode;
import io.github.etcdgitops.cli.console.Options;
import io.github.etcdgitops.cli.console.Outputs;
import io.github.etcdgitops.cli.console.Surface;
import io.github.etcdgitops.pipeline.environment.Parallel;
import io.github.etcdgitops.report.table.BackupTable;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.backup.Manifest;
import io.github.etcdgitops.state.backup.StoredBackup;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "list",
        description = "Lists the stored backups of a policy, for one ring or for all. Reads only the store.",
        mixinStandardHelpOptions = true)
final class BackupListCommand implements Callable<Integer> {
    private static final int MANIFESTS_AT_ONCE = 16;

    private final Surface process;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "NAMESPACE/NAME",
            converter = BackupOptions.Ring.class,
            description = "One ring. Default: all of the environment.")
    @Nullable
    private ClusterRef ring;

    @Mixin
    private final BackupOptions.Place place = new BackupOptions.Place();

    @Mixin
    private final Options.Output output = new Options.Output();

    BackupListCommand(Surface process) {
        this.process = process;
    }

    @Override
    public Integer call() {
        try (var shelf = BackupLocation.open(place, process.environment())) {
            var table = new BackupTable(Parallel.map(backups(shelf), MANIFESTS_AT_ONCE, b -> row(shelf, b)));
            new Outputs(output, process.terminal(), process.out()).write(table);
            return ExitCode.SUCCESS.code();
        }
    }

    private List<StoredBackup> backups(BackupLocation shelf) {
        var now = Surface.clock().instant();
        var all = new ArrayList<StoredBackup>();
        if (ring != null) {
            all.addAll(BackupCatalog.of(shelf.store(), shelf.environment(), ring, now)
                    .backups());
        } else {
            BackupCatalog.of(shelf.store(), shelf.environment(), now).values().forEach(r -> all.addAll(r.backups()));
        }
        return all;
    }

    private static BackupTable.Row row(BackupLocation shelf, StoredBackup backup) {
        return new BackupTable.Row(backup, manifest(shelf, backup));
    }

    private static Optional<Manifest> manifest(BackupLocation shelf, StoredBackup backup) {
        try {
            return Optional.of(SnapshotReader.manifest(shelf.store(), backup.key()));
        } catch (SnapshotReader.Damaged _) {
            return Optional.empty();
        }
    }
}
