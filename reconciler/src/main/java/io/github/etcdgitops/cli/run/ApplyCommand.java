package io.github.etcdgitops.cli.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.etcdgitops.cli.console.ExitCode;
import io.github.etcdgitops.cli.console.MoreFormats;
import io.github.etcdgitops.cli.console.Options;
import io.github.etcdgitops.cli.console.Outputs;
import io.github.etcdgitops.cli.console.Progress;
import io.github.etcdgitops.cli.console.RanRendering;
import io.github.etcdgitops.cli.console.Refusals;
import io.github.etcdgitops.cli.console.ShutdownSignal;
import io.github.etcdgitops.cli.console.Surface;
import io.github.etcdgitops.cli.wiring.AcceptOptions;
import io.github.etcdgitops.cli.wiring.ApprovalRulesCheck;
import io.github.etcdgitops.cli.wiring.Opening;
import io.github.etcdgitops.cli.wiring.Source;
import io.github.etcdgitops.cli.wiring.Wiring;
import io.github.etcdgitops.pipeline.Ran;
import io.github.etcdgitops.pipeline.RunContext;
import io.github.etcdgitops.pipeline.Watermark;
import io.github.etcdgitops.pipeline.environment.RunException;
import io.github.etcdgitops.pipeline.shard.ShardedRun;
import io.github.etcdgitops.plan.fleet.FleetPlan;
import io.github.etcdgitops.report.PlanJson;
import io.github.etcdgitops.spec.DesiredState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "apply",
        description = "Carries out a saved plan, exactly. Refuses a plan that is out of date, and says what changed.",
        mixinStandardHelpOptions = true)
public final class ApplyCommand implements Callable<Integer> {
    /// How long the current step may still take after an interrupt.
    private static final Duration GRACE = Duration.ofSeconds(60);

    private final Surface process;

    @Parameters(index = "0", paramLabel = "PLAN", description = "A file that 'plan --out' wrote.")
    @SuppressWarnings("NullAway.Init") // picocli sets it or refuses
    private Path plan;

    @Mixin
    private final Options.Repository repository = new Options.Repository();

    @Mixin
    private final AcceptOptions rewritten = new AcceptOptions();

    @Mixin
    private final Options.Reports reports = new Options.Reports();

    @Mixin
    private final Options.Cluster cluster = new Options.Cluster();

    @Mixin
    private final Options.Output output = new Options.Output(MoreFormats.PAGE);

    @Mixin
    private final Options.FailingOnRings failing = new Options.FailingOnRings();

    public ApplyCommand(Surface process) {
        this.process = process;
    }

    @Override
    public Integer call() {
        var saved = read(plan);
        String runId = Wiring.random();
        var progress = new Progress(process.err(), output, process.terminal(), runId);
        var ending = ShutdownSignal.onSignal(GRACE, () -> Progress.ending(process, output));
        try (var opening = Opening.of(cluster, process.environment(), ending);
                var source = Source.open(repository, process.environment(), reports.signingKey)) {
            var wiring = opening.wiring();
            String environment = wiring.environment(source, repository);
            var watermark = new Watermark(source.repository(), wiring.watermarks(), this::warn);
            var run = ShardedRun.alone(wiring.reconciliation(source, progress, Optional.of(watermark)));
            Ran ran = run.lead(
                    new RunContext(environment, source.commit(), runId),
                    () -> accepted(source, environment, wiring, watermark),
                    now -> requireSame(saved, now),
                    r -> ExitCode.of(r, failing.failOnDeferred).title());
            new Outputs(output, process.terminal(), process.out())
                    .write(new RanRendering(ran, Surface.clock().instant()));
            return ExitCode.worst(
                            ExitCode.ofResults(ran.results(), failing.failOnDeferred),
                            Refusals.of(ran.after(), failing))
                    .code();
        } finally {
            ending.done();
        }
    }

    private DesiredState accepted(Source source, String environment, Wiring wiring, Watermark watermark) {
        watermark.accept(
                environment, new Watermark.Wanted(repository.branch(), source.commit(), rewritten.accepted, false));
        return wiring.acting(new ApprovalRulesCheck(source, environment, wiring.now())
                .ofRun(wiring.watermarks(), rewritten.rules(repository.branch(), true)));
    }

    private void warn(String trouble) {
        process.err().println("warning: " + trouble);
    }

    private static JsonNode read(Path file) {
        try {
            var saved = new ObjectMapper().readTree(Files.readString(file));
            String format = saved.path("formatVersion").asText();
            if (!saved.path("kind").asText().equals("Plan") || !format.startsWith("1.")) {
                throw new RunException(
                        RunException.Kind.CONFIGURATION, file + " is not a plan that this version can read");
            }
            return saved;
        } catch (JsonProcessingException _) {
            throw new RunException(RunException.Kind.CONFIGURATION, file + " is not a saved plan: it is not JSON");
        } catch (IOException _) {
            throw new RunException(RunException.Kind.CONFIGURATION, "cannot read the plan " + file);
        }
    }

    private static void requireSame(JsonNode saved, FleetPlan now) {
        if (!saved.path("planHash").asText().equals(PlanJson.hash(now))) {
            throw new RunException(
                    RunException.Kind.STALE,
                    "the saved plan is stale and was not carried out; since then " + PlanChanges.describe(saved, now));
        }
    }
}
