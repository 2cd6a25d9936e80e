package io.github.etcdgitops.cli;

import io.github.etcdgitops.execute.ClusterResult;
import io.github.etcdgitops.pipeline.Reconciliation.Ran;
import io.github.etcdgitops.report.Human;
import io.github.etcdgitops.report.PlanJson;
import io.github.etcdgitops.report.RunJson;
import io.github.etcdgitops.report.Style;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "reconcile",
        description =
                "One whole run: validate, plan, publish the plan, carry out what may be done, publish the result.",
        mixinStandardHelpOptions = true)
final class ReconcileCommand implements Callable<Integer> {
    private final Cli.Surface process;

    @Mixin
    private final Options.Repository repository = new Options.Repository();

    @Mixin
    private final Options.Cluster cluster = new Options.Cluster();

    @Mixin
    private final Options.Output output = new Options.Output();

    @Mixin
    private final Options.Failing failing = new Options.Failing();

    @Option(names = "--dry-run", description = "Plan and publish the plan; touch no ring.")
    boolean dryRun;

    @Option(names = "--no-publish", description = "Write nothing to the report branch.")
    boolean noPublish;

    ReconcileCommand(Cli.Surface process) {
        this.process = process;
    }

    @Override
    public Integer call() {
        String runId = Wiring.random();
        var progress = new Progress(process.err(), output, process.terminal(), runId);
        try (var source = Source.open(repository, process.environment());
                var wiring = Wiring.open(cluster, process.environment())) {
            String environment = wiring.environment(source, repository);
            var reconciliation = wiring.reconciliation(source, progress, !noPublish);
            progress.say("run " + runId + " at " + source.commit().substring(0, 12) + " in " + environment);
            var ran = dryRun
                    ? reconciliation.dryRun(source.desired(), environment, source.commit(), runId)
                    : reconciliation.run(
                            source.desired(),
                            environment,
                            source.commit(),
                            runId,
                            r -> outcome(r).title());
            new Outputs(output, process.terminal(), process.out()).write(new RanRendering(ran, source.commit(), runId));
            var shown = dryRun ? ran.plan() : ran.after();
            return ExitCode.worst(outcome(ran.results()), Refusals.of(shown, failing.failOn))
                    .code();
        }
    }

    private ExitCode outcome(List<ClusterResult> results) {
        return ExitCode.of(results, failing.failOnDeferred);
    }

    /// A run in all its forms.
    record RanRendering(Ran ran, String commit, String runId) implements Outputs.Rendering {
        @Override
        public String human(Style style) {
            var human = new Human(style);
            return ran.results().isEmpty()
                    ? human.plan(ran.plan())
                    : human.results(ran.results()) + human.plan(ran.after());
        }

        @Override
        public String json() {
            return RunJson.render(new RunJson.Run(
                    runId,
                    commit,
                    PlanJson.hash(ran.plan()),
                    ExitCode.of(ran.results(), false).title(),
                    ran.results()));
        }

        @Override
        public String markdown() {
            return new PlanRendering(ran.after()).markdown();
        }
    }
}
