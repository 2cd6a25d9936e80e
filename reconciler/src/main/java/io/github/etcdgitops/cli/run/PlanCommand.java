package io.github.etcdgitops.cli.run;

import io.github.etcdgitops.cli.console.ExitCode;
import io.github.etcdgitops.cli.console.Moment;
import io.github.etcdgitops.cli.console.MoreFormats;
import io.github.etcdgitops.cli.console.Options;
import io.github.etcdgitops.cli.console.Outputs;
import io.github.etcdgitops.cli.console.Refusals;
import io.github.etcdgitops.cli.console.Surface;
import io.github.etcdgitops.cli.wiring.ApprovalRulesCheck;
import io.github.etcdgitops.cli.wiring.BaseOptions;
import io.github.etcdgitops.cli.wiring.OfflineWiring;
import io.github.etcdgitops.cli.wiring.Opening;
import io.github.etcdgitops.cli.wiring.Source;
import io.github.etcdgitops.cli.wiring.Wiring;
import io.github.etcdgitops.document.ReadFiles;
import io.github.etcdgitops.pipeline.environment.Environments;
import io.github.etcdgitops.plan.fleet.FleetPlan;
import io.github.etcdgitops.report.PlanJson;
import io.github.etcdgitops.spec.DesiredState;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
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
public final class PlanCommand implements Callable<Integer> {
    private final Surface process;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before anything else
    private CommandSpec spec;

    @Mixin
    private final Options.Repository repository = new Options.Repository();

    @Mixin
    private final Options.Cluster cluster = new Options.Cluster();

    @Mixin
    private final Options.Output output = new Options.Output(MoreFormats.PAGE, MoreFormats.CHECKS);

    @Mixin
    private final Options.FailingOnRings failing = new Options.FailingOnRings();

    @Option(names = "--out", paramLabel = "FILE", description = "Save the plan in this file, for 'apply FILE'.")
    @Nullable
    Path out;

    @Option(
            names = "--now",
            paramLabel = "TIME",
            converter = Moment.class,
            description = "Plan for this time instead of now: which backups are due then, which approvals have"
                    + " expired. RFC 3339, such as 2027-03-28T02:30:00+01:00. Such a plan cannot be saved.")
    @Nullable
    Instant now;

    @Mixin
    private final BaseOptions base = new BaseOptions();

    @Option(
            names = "--offline",
            description = "Observe no ring: assume that every ring is exactly as in --base. Needs no cluster and no"
                    + " secret. Such a plan cannot be saved.")
    boolean offline;

    @Option(names = "--detailed-exitcode", description = "Exit with 2 if something would be done.")
    boolean detailedExitcode;

    public PlanCommand(Surface process) {
        this.process = process;
    }

    @Override
    public Integer call() {
        check();
        if (offline) {
            return call((opened, desired, clock) ->
                    offline(opened.source(), opened.before().orElseThrow(), desired, clock));
        }
        try (var opening = Opening.of(cluster, process.environment())) {
            return call((opened, desired, clock) -> live(opening.wiring(), opened.source(), desired, clock));
        }
    }

    @FunctionalInterface
    private interface Planning {
        FleetPlan plan(Opened opened, DesiredState desired, InstantSource clock);
    }

    private int call(Planning planning) {
        try (var opened = open()) {
            var source = opened.source();
            var before = opened.before();
            var desired = before.map(b ->
                            b.judged(source.desired(), () -> source.repository().read(source.commit())))
                    .orElseGet(source::desired);
            var clock = clock();
            var planned = planning.plan(opened, desired, clock);
            var plan = planned.at(source.tempo(planned.environment()));
            new Outputs(output, process.terminal(), process.out())
                    .write(new PlanRendering(plan, desired, clock.instant()));
            if (out != null) {
                Outputs.write(out, PlanJson.render(plan));
            }
            return exit(plan).code();
        }
    }

    private record Opened(Source source, Optional<BaseOptions.Base> before) implements AutoCloseable {
        @Override
        public void close() {
            source.close();
        }
    }

    private Opened open() {
        var files = new ReadFiles();
        var source = Source.open(repository, process.environment(), files);
        try {
            return new Opened(source, base.read(source.repository(), files));
        } catch (RuntimeException e) {
            source.close();
            throw e;
        }
    }

    private void check() {
        if (out != null && (now != null || offline || base.policies)) {
            throw wrong("--out cannot be combined with --now, --offline or --base-policies: such a plan cannot be"
                    + " applied");
        }
        if (offline && base.ref == null) {
            throw wrong("--offline needs --base: it assumes that the rings are as in that revision");
        }
        if (base.policies && base.ref == null) {
            throw wrong("--base-policies needs --base");
        }
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    private FleetPlan live(Wiring wiring, Source source, DesiredState desired, InstantSource clock) {
        String environment = wiring.environment(source, repository);
        var now = clock.instant();
        var attributed = source.attributed(desired, environment, now);
        var ruled = new ApprovalRulesCheck(source, environment, now)
                .ofPlan(wiring.watermarks(), repository.branch(), attributed);
        return wiring.view(clock).plan(ruled, environment);
    }

    private FleetPlan offline(Source source, BaseOptions.Base before, DesiredState desired, InstantSource clock) {
        String environment = Environments.ofRun(repository.environment(), desired.fleet());
        var now = clock.instant();
        var attributed = source.attributed(desired, environment, now);
        var ruled = new ApprovalRulesCheck(source, environment, now).since(before.commit(), attributed);
        ruled = ruled.with(OfflineWiring.placesRefused(ruled, process.environment()));
        return OfflineWiring.at(now).plan(before.desired(), ruled, environment, before.title());
    }

    private InstantSource clock() {
        return now == null ? Surface.clock() : InstantSource.fixed(now);
    }

    private ExitCode exit(FleetPlan plan) {
        var refused = Refusals.ofPlan(plan, failing);
        return detailedExitcode && plan.changes() ? ExitCode.worst(refused, ExitCode.CHANGES) : refused;
    }
}
