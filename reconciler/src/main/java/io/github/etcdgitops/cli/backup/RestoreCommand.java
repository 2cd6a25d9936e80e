package io.github.etcdgitops.cli.backup;

import io.github.etcdgitops.cli.console.ExitCode;
import io.github.etcdgitops.cli.console.MoreFormats;
import io.github.etcdgitops.cli.console.Options;
import io.github.etcdgitops.cli.console.Outputs;
import io.github.etcdgitops.cli.console.Progress;
import io.github.etcdgitops.cli.console.RanRendering;
import io.github.etcdgitops.cli.console.ShutdownSignal;
import io.github.etcdgitops.cli.console.Surface;
import io.github.etcdgitops.cli.wiring.Source;
import io.github.etcdgitops.cli.wiring.Wiring;
import io.github.etcdgitops.pipeline.Ran;
import io.github.etcdgitops.pipeline.Reconciliation;
import io.github.etcdgitops.pipeline.RunContext;
import io.github.etcdgitops.pipeline.environment.RunException;
import io.github.etcdgitops.plan.fleet.FleetPlan;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.restore.RestoreCluster;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.RestoreRequest;
import io.github.etcdgitops.spec.RestoreRequest.From;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.validation.Location;
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
            "The ring must be in the repository, and Kubernetes must have none of its objects. The data comes from"
                    + " the",
            "EtcdRestore that names the ring, or from the options below: by default from its newest verified"
                    + " backup."
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
            description = "The ring that was backed up. Default: the ring of the same name.")
    @Nullable
    ClusterRef of;

    @Option(
            names = "--of-environment",
            paramLabel = "NAME",
            description = "The environment of that ring. Default: the environment of this run.")
    @Nullable
    String ofEnvironment;

    @Option(
            names = "--bump-revision",
            paramLabel = "N",
            description = "Raise the restored revision by this number, for clients that resume watches at a revision.")
    @Nullable
    Long bumpRevision;

    @Option(
            names = "--in-place",
            paramLabel = "CLUSTER-ID",
            description =
                    "With --document: replace the existing ring, which has this cluster ID. What was written since"
                            + " the backup is lost. This needs an approval that names the cluster ID too.")
    @Nullable
    String inPlace;

    @Option(
            names = "--no-other-runs",
            description =
                    "Restore without an EtcdRestore in the repository. First make sure that no other run reconciles"
                            + " this environment: it would create the ring empty.")
    boolean noOtherRuns;

    @Option(names = "--dry-run", description = "Only print the plan.")
    boolean dryRun;

    @Option(names = "--document", description = "Print the EtcdRestore for this restore, and do nothing else.")
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
        var ending = ShutdownSignal.onSignal(ManualBackupRun.GRACE, () -> Progress.ending(process, output));
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
                    ? carryOut(new RunContext(environment, source.commit(), runId), reconciliation, desired, plan)
                    : refused(plan).code();
        } finally {
            ending.done();
        }
    }

    private int carryOut(RunContext context, Reconciliation reconciliation, DesiredState desired, FleetPlan plan) {
        var ran = dryRun ? Ran.dry(context, plan) : reconciliation.carryOut(context, desired, plan, target.ring);
        new Outputs(output, process.terminal(), process.out())
                .write(new RanRendering(ran, Surface.clock().instant()));
        return ExitCode.ofResults(ran.results(), true).code();
    }

    /// The document's request, where there is one: a second source would be ambiguous.
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
                            + " already says what to restore: leave the options out, or change the document");
        }
        return written.orElseGet(() -> new RestoreRequest(
                target.ring.name() + (inPlace == null ? "-restore" : "-in-place"),
                target.ring,
                new From.Kept(
                        BackupLocation.policy(source, target.place).name(),
                        ofEnvironment == null ? environment : ofEnvironment,
                        of == null ? target.ring : of,
                        Optional.ofNullable(backup)),
                Optional.ofNullable(bumpRevision),
                Optional.ofNullable(inPlace),
                Location.ofFile("the command line")));
    }

    /// If this run is killed, the next one must know what was requested.
    private void requireDocument() {
        if (inPlace != null && (!document || backup == null)) {
            throw new RunException(
                    RunException.Kind.CONFIGURATION,
                    "only an EtcdRestore in the repository restores a ring in place: add --document and --backup,"
                            + " and merge the printed document together with its approval");
        }
    }

    /// A run of the reconciler that finds nothing of a ring and no EtcdRestore creates it empty, and then
    /// it is too late.
    private void requireAlone(Source source) {
        boolean written = source.desired().protection().restores().containsKey(target.ring);
        if (!written && !noOtherRuns && !dryRun) {
            throw new RunException(
                    RunException.Kind.CONFIGURATION,
                    "no EtcdRestore in the repository names " + target.ring
                            + ": another run could create it empty before this one is done. Merge what --document"
                            + " prints, or add --no-other-runs if no other run reconciles this"
                            + " environment");
        }
    }

    /// This command does nothing else for the ring.
    private boolean restores(FleetPlan plan) {
        if (plan.clusters().isEmpty()) {
            throw ManualBackupRun.unknown(plan.environment(), target.ring);
        }
        return plan.clusters().getFirst().operations().stream().anyMatch(o -> o.operation() instanceof RestoreCluster);
    }

    private ExitCode refused(FleetPlan plan) {
        var why = plan.clusters().getFirst().findings().stream()
                .filter(Finding::hindersRestore)
                .map(Finding::message)
                .toList();
        process.err()
                .println("error: " + target.ring + " is not restored: "
                        + (why.isEmpty()
                                ? "it already exists, and nothing is restored over it"
                                : String.join("; ", why)));
        return ExitCode.ABORTED;
    }
}
