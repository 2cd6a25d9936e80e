package io.github.etcdgitops.cli;

import io.github.etcdgitops.backup.BackupCatalog;
import io.github.etcdgitops.execute.ClusterResult;
import io.github.etcdgitops.operation.DrillBackup;
import io.github.etcdgitops.pipeline.Environments;
import io.github.etcdgitops.pipeline.RunException;
import io.github.etcdgitops.spec.BackupPolicy;
import io.github.etcdgitops.spec.ClusterRef;
import io.github.etcdgitops.state.StoredBackup;
import io.github.etcdgitops.step.BackupOrder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "drill",
        description = {
            "Restores a backup by way of trial, now: into a pod of its own, compared with its manifest, and removed.",
            "The result is kept beside the backup. Exits 20 when it did not pass."
        },
        mixinStandardHelpOptions = true)
final class DrillCommand implements Callable<Integer> {
    /// How long a step in hand may still take when somebody interrupts.
    private static final Duration GRACE = Duration.ofSeconds(60);

    private final Cli.Surface process;

    @Parameters(
            index = "0",
            paramLabel = "NAMESPACE/NAME",
            converter = BackupOptions.Ring.class,
            description = "The ring.")
    @SuppressWarnings("NullAway.Init") // picocli sets it or refuses
    private ClusterRef ring;

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
    private final BackupOptions.Place place = new BackupOptions.Place();

    @Mixin
    private final Options.Repository repository = new Options.Repository();

    @Mixin
    private final Options.Cluster cluster = new Options.Cluster();

    @Mixin
    private final Options.Output output = new Options.Output();

    DrillCommand(Cli.Surface process) {
        this.process = process;
    }

    @Override
    public Integer call() {
        var progress = new Progress(process.err(), output, process.terminal(), Wiring.random());
        var ending = Ending.onSignal(GRACE, () -> Progress.ending(process, output));
        try (var source = Source.open(repository, process.environment());
                var wiring = Wiring.open(cluster, process.environment(), ending)) {
            String environment = wiring.environment(source, repository);
            var spec = Environments.rings(source.desired(), environment).stream()
                    .filter(s -> s.ref().equals(ring))
                    .findFirst()
                    .orElseThrow(() -> new RunException(
                            RunException.Kind.CONFIGURATION,
                            "the repository describes no ring " + ring + " of environment " + environment
                                    + " that can be carried out"));
            var drill = drill(source, environment);
            var result = wiring.reconciliation(source, progress, false).now(source.desired(), spec, drill);
            return ended(result);
        } finally {
            ending.done();
        }
    }

    private DrillBackup drill(Source source, String environment) {
        var policy = Shelf.policy(source, place);
        String namespace = Optional.ofNullable(drillNamespace)
                .or(() -> policy.drill().map(BackupPolicy.Drill::namespace))
                .orElseThrow(() -> new RunException(
                        RunException.Kind.CONFIGURATION,
                        "policy " + policy.name()
                                + " says nothing of drills: name a namespace with --drill-namespace"));
        var order = new BackupOrder(environment, policy.name(), policy.destination(), policy.encoding(), "");
        return new DrillBackup(ring, order, chosen(source).key(), namespace, "by hand");
    }

    private StoredBackup chosen(Source source) {
        try (var shelf = Shelf.open(source, repository, place, Wiring.stores(process.environment()))) {
            var all = BackupCatalog.of(
                            shelf.store(),
                            shelf.environment(),
                            ring,
                            Wiring.clock().instant())
                    .backups();
            var one = backup == null
                    ? StoredBackup.newest(all)
                    : all.stream().filter(b -> b.id().equals(backup)).findFirst();
            return one.orElseThrow(() -> new RunException(
                    RunException.Kind.CONFIGURATION,
                    shelf.store().title() + " keeps no " + (backup == null ? "verified backup" : "backup " + backup)
                            + " of " + ring + " of environment " + shelf.environment()));
        }
    }

    private int ended(ClusterResult result) {
        if (result.outcome() == ClusterResult.Outcome.DONE) {
            process.out().println(result.events().getLast().result().detail());
        } else {
            process.err().println("error: " + ring + ": " + result.detail());
        }
        return ExitCode.ofResults(List.of(result), true).code();
    }
}
