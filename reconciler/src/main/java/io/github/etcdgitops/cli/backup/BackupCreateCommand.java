package io.github.etcdgitops.cli.backup;

import io.github.etcdgitops.cli.console.Options;
import io.github.etcdgitops.cli.console.Surface;
import io.github.etcdgitops.ring.BackupOrder;
import io.github.etcdgitops.ring.backup.TakeBackup;
import io.github.etcdgitops.state.backup.StoredBackup;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "create",
        description = {
            "Takes a backup of a ring now, and stores it in the destination of a policy.",
            "It is kept until you delete it by its ID."
        },
        mixinStandardHelpOptions = true)
final class BackupCreateCommand implements Callable<Integer> {
    private final Surface process;

    @Mixin
    private final BackupOptions.OfRing of = new BackupOptions.OfRing();

    @Mixin
    private final Options.Cluster cluster = new Options.Cluster();

    @Mixin
    private final Options.Output output = new Options.Output();

    BackupCreateCommand(Surface process) {
        this.process = process;
    }

    @Override
    public Integer call() {
        return new ManualBackupRun(process, of, cluster, output).carryOut((source, environment) -> {
            var policy = BackupLocation.policy(source, of.place);
            var order = new BackupOrder(
                    environment, policy.name(), policy.destination(), policy.encoding(), StoredBackup.BY_HAND);
            return new TakeBackup(of.ring, order, "-", "it was requested by hand");
        });
    }
}
