package io.github.etcdgitops.cli.backup;

import io.github.etcdgitops.cli.console.Options;
import io.github.etcdgitops.cli.console.Surface;
import io.github.etcdgitops.cli.wiring.Source;
import io.github.etcdgitops.pipeline.environment.RunException;
import io.github.etcdgitops.ring.BackupOrder;
import io.github.etcdgitops.ring.backup.DrillBackup;
import io.github.etcdgitops.spec.BackupPolicy;
import io.github.etcdgitops.state.backup.StoredBackup;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "drill",
        description = {
            "Runs a test restore of a backup: restores it in a separate pod, compares the data with the manifest,"
                    + " and removes the pod.",
            "The result is stored beside the backup. Exits with 20 if the drill failed."
        },
        mixinStandardHelpOptions = true)
public final class DrillCommand implements Callable<Integer> {
    private final Surface process;

    @Mixin
    private final BackupOptions.OfRing of = new BackupOptions.OfRing();

    @Option(names = "--backup", paramLabel = "ID", description = "The backup. Default: the newest verified one.")
    @Nullable
    String backup;

    @Option(
            names = "--drill-namespace",
            paramLabel = "NAME",
            description = "Namespace in which it is restored. Default: the namespace in the policy.")
    @Nullable
    String drillNamespace;

    @Mixin
    private final Options.Cluster cluster = new Options.Cluster();

    @Mixin
    private final Options.Output output = new Options.Output();

    public DrillCommand(Surface process) {
        this.process = process;
    }

    @Override
    public Integer call() {
        return new ManualBackupRun(process, of, cluster, output).carryOut(this::drill);
    }

    private DrillBackup drill(Source source, String environment) {
        var policy = BackupLocation.policy(source, of.place);
        String namespace = Optional.ofNullable(drillNamespace)
                .or(() -> policy.drill().map(BackupPolicy.Drill::namespace))
                .orElseThrow(() -> new RunException(
                        RunException.Kind.CONFIGURATION,
                        "policy " + policy.name() + " has no drill: name a namespace with --drill-namespace"));
        boolean taken = source.desired().rings().keySet().stream()
                .anyMatch(ring -> ring.namespace().equals(namespace));
        if (taken) {
            throw new RunException(
                    RunException.Kind.CONFIGURATION,
                    "there are rings in the namespace " + namespace + ": a drill needs a namespace without rings");
        }
        var order = new BackupOrder(environment, policy.name(), policy.destination(), policy.encoding(), "");
        return new DrillBackup(of.ring, order, chosen().key(), namespace, "by hand");
    }

    private StoredBackup chosen() {
        try (var shelf = BackupLocation.open(of.place, process.environment())) {
            return shelf.chosen(of.ring, backup);
        }
    }
}
