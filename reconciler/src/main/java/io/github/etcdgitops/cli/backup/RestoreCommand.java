package io.github.etcdgitops.cli.backup;

import io.github.etcdgitops.cli.console.Ending;
import io.github.etcdgitops.cli.console.ExitCode;
import io.github.etcdgitops.cli.console.MoreFormats;
import io.github.etcdgitops.cli.console.Options;
import io.github.etcdgitops.cli.console.Outputs;
import io.github.etcdgitops.cli.console.Progress;
import io.github.etcdgitops.cli.console.RanRendering;
import io.github.etcdgitops.cli.console.Surface;
import io.github.etcdgitops.cli.wiring.Source;
import io.github.etcdgitops.cli.wiring.Wiring;
import io.github.etcdgitops.pipeline.Reconciliation;
import io.github.etcdgitops.pipeline.Reconciliation.Ran;
import io.github.etcdgitops.pipeline.environment.RunException;
import io.github.etcdgitops.plan.fleet.FleetPlan;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.restore.RestoreCluster;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.RestoreRequest;
import io.github.etcdgitops.spec.RestoreRequest.From;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.validation.Location;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "restore",
        description = {
            "Restores a backup into a new ring, now.",
            "The ring must be in the repository and nothing of it in Kubernetes. What it begins with is said by the",
            "EtcdRestore that names it, or by the options below: by default the newest verified backup of the ring"
                    + " itself."
        },
        mixinStandardHelpOptions = true)
public final class RestoreCommand implements Callable<Integer> {
    private final Surface process;

    @Mixin
    private final BackupOptions.OfRing target = new BackupOptions.OfRing();

    @Option(names = "--backup", paramLabel = "ID", description = "The backup. Default: the newest verified one.")
    @Nullable
    String backup;

    @Option(
            names = "--of",
            paramLabel = "NAMESPACE/NAME",
            converter = BackupOptions.Ring.class,
            description = "The ring that the backup is of. Default: the ring of the same name.")
    @Nullable
    ClusterRef of;

    @Option(
            names = "--of-environment",
            paramLabel = "NAME",
            description = "The environment in which that ring stood. Default: that of this run.")
    @Nullable
    String ofEnvironment;

    @Option(
            names = "--bump-revision",
            paramLabel = "N",
            description = "Raise the restored revision by so much, for watchers that remember revisions.")
    @Nullable
    Long bumpRevision;

    @Option(
            names = "--in-place",
            paramLabel = "CLUSTER-ID",
            description =
                    "With --document: the existing ring has this cluster ID and is replaced; what was written since"
                            + " the backup is lost. It needs an approval that names the cluster ID as well.")
    @Nullable
    String inPlace;

    @Option(
            names = "--no-other-runs",
            description =
                    "Restore without an EtcdRestore in the repository: you have seen to it that nothing else reconciles"
                            + " this environment now, which would create the ring empty.")
    boolean noOtherRuns;

    @Option(names = "--dry-run", description = "Only print the plan.")
    boolean dryRun;

    @Option(names = "--document", description = "Print the EtcdRestore that asks for it, and do nothing.")
    boolean document;

    @Mixin
    private final Options.Cluster cluster = new Options.Cluster();

    @Mixin
    private final Options.Output output = new Options.Output(MoreFormats.PAGE);

    public RestoreCommand(Surface process) {
        this.process = process;
    }

    @Override
    public Integer call() {
        String runId = Wiring.random();
        var progress = new Progress(process.err(), output, process.terminal(), runId);
        var ending = Ending.onSignal(ByHand.GRACE, () -> Progress.ending(process, output));
        try (var source = Source.open(target.place.repository, process.environment());
                var wiring = Wiring.open(cluster, process.environment(), ending)) {
            String environment = wiring.environment(source, target.place.repository);
            requireDocument();
            var request = request(source, environment);
            if (document) {
                process.out().print(new RestoreDocument(request).yaml());
                return ExitCode.SUCCESS.code();
            }
            requireAlone(source);
            var desired = source.desired(environment, wiring.now()).asking(request);
            var reconciliation = wiring.reconciliation(source, progress, Optional.empty());
            var plan = reconciliation.planOf(desired, environment, target.ring);
            return restores(plan)
                    ? carryOut(reconciliation, desired, plan, source.commit(), runId)
                    : refused(plan).code();
        } finally {
            ending.done();
        }
    }

    private int carryOut(
            Reconciliation reconciliation, DesiredState desired, FleetPlan plan, String commit, String runId) {
        Ran ran = dryRun ? new Ran(plan, List.of(), plan) : reconciliation.carryOut(desired, plan, target.ring);
        new Outputs(output, process.terminal(), process.out())
                .write(new RanRendering(ran, commit, runId, Surface.clock().instant()));
        return ExitCode.ofResults(ran.results(), true).code();
    }

    /// What the document says, where there is one: two sources would be one too many.
    private RestoreRequest request(Source source, String environment) {
        var written =
                Optional.ofNullable(source.desired().protection().restores().get(target.ring));
        boolean options = backup != null
                || of != null
                || ofEnvironment != null
                || bumpRevision != null
                || inPlace != null
                || target.place.policy != null;
        if (written.isPresent() && options) {
            throw new RunException(
                    RunException.Kind.CONFIGURATION,
                    "EtcdRestore " + written.get().name() + " at "
                            + written.get().source()
                            + " says what the ring begins with: leave the options out, or change the document");
        }
        return written.orElseGet(() -> new RestoreRequest(
                target.ring.name() + (inPlace == null ? "-restore" : "-in-place"),
                target.ring,
                new From.Kept(
                        Shelf.policy(source, target.place).name(),
                        ofEnvironment == null ? environment : ofEnvironment,
                        of == null ? target.ring : of,
                        Optional.ofNullable(backup)),
                Optional.ofNullable(bumpRevision),
                Optional.ofNullable(inPlace),
                Location.ofFile("the command line")));
    }

    /// A run that is killed in the midst of it must be followed by one that knows what was asked for.
    private void requireDocument() {
        if (inPlace != null && (!document || backup == null)) {
            throw new RunException(
                    RunException.Kind.CONFIGURATION,
                    "a ring is restored in place by an EtcdRestore in the repository alone: say --document and"
                            + " --backup as well, and merge what is printed together with its approval");
        }
    }

    /// A run of the reconciler that finds nothing of a ring and no EtcdRestore founds it empty, and then it is too
    /// late.
    private void requireAlone(Source source) {
        boolean written = source.desired().protection().restores().containsKey(target.ring);
        if (!written && !noOtherRuns && !dryRun) {
            throw new RunException(
                    RunException.Kind.CONFIGURATION,
                    "no EtcdRestore in the repository names " + target.ring
                            + ": a run of the reconciler could create it empty before this one is done. Merge what"
                            + " --document prints, or say --no-other-runs when nothing else reconciles this"
                            + " environment now");
        }
    }

    /// Whatever else the ring needs is not done by this command.
    private boolean restores(FleetPlan plan) {
        if (plan.clusters().isEmpty()) {
            throw ByHand.unknown(plan.environment(), target.ring);
        }
        return plan.clusters().getFirst().operations().stream().anyMatch(o -> o.operation() instanceof RestoreCluster);
    }

    private ExitCode refused(FleetPlan plan) {
        var why = plan.clusters().getFirst().findings().stream()
                .filter(f -> f.level() == Finding.Level.ERROR
                        || f.code().startsWith("restore-")
                        || f.code().equals("suspended"))
                .map(Finding::message)
                .toList();
        process.err()
                .println("error: " + target.ring + " is not restored: "
                        + (why.isEmpty()
                                ? "it is there already, and nothing is restored over it"
                                : String.join("; ", why)));
        return ExitCode.ABORTED;
    }
}
