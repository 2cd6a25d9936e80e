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
            "Runs a test restore of a backup: into a pod of its own, compared with its manifest, and removed.",
            "The result is kept beside the backup. Exits 20 when it did not pass."
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
            description = "Where it is restored. Default: what the policy says.")
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
        return new ByHand(process, of, cluster, output).carryOut(this::drill);
    }

    private DrillBackup drill(Source source, String environment) {
        var policy = Shelf.policy(source, of.place);
        String namespace = Optional.ofNullable(drillNamespace)
                .or(() -> policy.drill().map(BackupPolicy.Drill::namespace))
                .orElseThrow(() -> new RunException(
                        RunException.Kind.CONFIGURATION,
                        "policy " + policy.name()
                                + " says nothing of drills: name a namespace with --drill-namespace"));
        boolean taken = source.desired().rings().keySet().stream()
                .anyMatch(ring -> ring.namespace().equals(namespace));
        if (taken) {
            throw new RunException(
                    RunException.Kind.CONFIGURATION,
                    "rings stand in the namespace " + namespace + ": a drill needs one without any");
        }
        var order = new BackupOrder(environment, policy.name(), policy.destination(), policy.encoding(), "");
        return new DrillBackup(of.ring, order, chosen().key(), namespace, "by hand");
    }

    private StoredBackup chosen() {
        try (var shelf = Shelf.open(of.place, process.environment())) {
            return shelf.chosen(of.ring, backup);
        }
    }
}
