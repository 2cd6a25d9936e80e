package io.github.etcdgitops.cli;

import io.github.etcdgitops.plan.FleetPlan;
import io.github.etcdgitops.report.PlanJson;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
        name = "plan",
        description = "Shows what a run would do, step by step, with quorum and tolerance. Changes nothing.",
        mixinStandardHelpOptions = true)
final class PlanCommand implements Callable<Integer> {
    private final Cli.Surface process;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before anything else
    private CommandSpec spec;

    @Mixin
    private final Options.Repository repository = new Options.Repository();

    @Mixin
    private final Options.Cluster cluster = new Options.Cluster();

    @Mixin
    private final Options.Output output = new Options.Output(Outputs.Also.PAGE, Outputs.Also.CHECKS);

    @Mixin
    private final Options.FailingOnRings failing = new Options.FailingOnRings();

    @Option(names = "--out", paramLabel = "FILE", description = "Saves the plan, for 'apply FILE'.")
    @Nullable
    Path out;

    @Option(
            names = "--now",
            paramLabel = "TIME",
            converter = Moment.class,
            description = "Plans as if it were that time: which backups will be due, which approvals will have run out."
                    + " RFC 3339, as 2027-03-28T02:30:00+01:00. Such a plan cannot be saved.")
    @Nullable
    Instant now;

    @Option(names = "--detailed-exitcode", description = "Exit 2 when something would be done.")
    boolean detailedExitcode;

    PlanCommand(Cli.Surface process) {
        this.process = process;
    }

    @Override
    public Integer call() {
        if (now != null && out != null) {
            throw new ParameterException(spec.commandLine(), "--out saves what may be applied: not with --now");
        }
        try (var source = Source.open(repository, process.environment());
                var wiring = Wiring.open(cluster, process.environment())) {
            var clock = clock();
            var plan = wiring.view(clock).plan(source.desired(), wiring.environment(source, repository));
            new Outputs(output, process.terminal(), process.out())
                    .write(new PlanRendering(plan, source.desired(), clock.instant()));
            if (out != null) {
                Outputs.write(out, PlanJson.render(plan));
            }
            return exit(plan).code();
        }
    }

    private InstantSource clock() {
        return now == null ? Wiring.clock() : InstantSource.fixed(now);
    }

    private ExitCode exit(FleetPlan plan) {
        var refused = Refusals.of(plan, failing);
        return detailedExitcode && plan.changes() ? ExitCode.worst(refused, ExitCode.CHANGES) : refused;
    }
}
