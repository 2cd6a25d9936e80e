package io.github.etcdgitops.cli.run;

import io.github.etcdgitops.cli.console.MoreFormats;
import io.github.etcdgitops.cli.console.Options;
import io.github.etcdgitops.cli.wiring.AcceptOptions;
import io.github.etcdgitops.pipeline.RulesInForce;
import io.github.etcdgitops.pipeline.Watermark;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// The common options of `reconcile` and `serve`.
public final class ReconcileOptions {
    @Mixin
    final Options.Repository repository = new Options.Repository();

    @Mixin
    final Options.Reports reports = new Options.Reports();

    @Mixin
    final Options.Cluster cluster = new Options.Cluster();

    @Mixin
    final Options.Output output = new Options.Output(MoreFormats.PAGE);

    @Mixin
    final Options.FailingOnRings failing = new Options.FailingOnRings();

    @Option(names = "--dry-run", description = "Plan and publish the plan, but change no ring.")
    boolean dryRun;

    @Option(names = "--no-publish", description = "Write nothing to the report branch.")
    boolean noPublish;

    @Option(
            names = "--grace",
            paramLabel = "SECONDS",
            description =
                    "How long the current step may still take after the process was asked to stop. Default:" + " 60",
            defaultValue = "60")
    int grace;

    @Mixin
    final AcceptOptions rewritten = new AcceptOptions();

    RulesInForce.Asked rules(boolean remembers) {
        return rewritten.rules(repository.branch(), remembers);
    }

    Watermark.Wanted wanted(String commit) {
        return new Watermark.Wanted(repository.branch(), commit, rewritten.accepted, dryRun);
    }
}
