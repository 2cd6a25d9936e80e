package io.github.etcdgitops.cli;

import io.github.etcdgitops.execute.ClusterResult;
import io.github.etcdgitops.operation.TakeBackup;
import io.github.etcdgitops.pipeline.Environments;
import io.github.etcdgitops.pipeline.RunException;
import io.github.etcdgitops.state.StoredBackup;
import io.github.etcdgitops.step.BackupOrder;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "create",
        description = {
            "Takes a backup of a ring now, to where a policy keeps them.",
            "It is kept until somebody deletes it by name."
        },
        mixinStandardHelpOptions = true)
final class BackupCreateCommand implements Callable<Integer> {
    /// How long a step in hand may still take when somebody interrupts.
    private static final Duration GRACE = Duration.ofSeconds(60);

    private final Cli.Surface process;

    @Mixin
    private final BackupOptions.OfRing of = new BackupOptions.OfRing();

    @Mixin
    private final Options.Cluster cluster = new Options.Cluster();

    @Mixin
    private final Options.Output output = new Options.Output();

    BackupCreateCommand(Cli.Surface process) {
        this.process = process;
    }

    @Override
    public Integer call() {
        var progress = new Progress(process.err(), output, process.terminal(), Wiring.random());
        var ending = Ending.onSignal(GRACE, () -> Progress.ending(process, output));
        try (var source = Source.open(of.place.repository, process.environment());
                var wiring = Wiring.open(cluster, process.environment(), ending)) {
            String environment = wiring.environment(source, of.place.repository);
            var spec = Environments.rings(source.desired(), environment).stream()
                    .filter(s -> s.ref().equals(of.ring))
                    .findFirst()
                    .orElseThrow(() -> new RunException(
                            RunException.Kind.CONFIGURATION,
                            "the repository describes no ring " + of.ring + " of environment " + environment
                                    + " that can be carried out"));
            var policy = Shelf.policy(source, of.place);
            var order = new BackupOrder(
                    environment, policy.name(), policy.destination(), policy.encoding(), StoredBackup.BY_HAND);
            var take = new TakeBackup(of.ring, order, "-", "somebody asked for it by hand");
            var result = wiring.reconciliation(source, progress, false).now(source.desired(), spec, take);
            return ended(result);
        } finally {
            ending.done();
        }
    }

    private int ended(ClusterResult result) {
        if (result.outcome() == ClusterResult.Outcome.DONE) {
            process.out().println(result.events().getLast().result().detail());
        } else {
            process.err().println("error: " + of.ring + ": " + result.detail());
        }
        return ExitCode.ofResults(List.of(result), true).code();
    }
}
