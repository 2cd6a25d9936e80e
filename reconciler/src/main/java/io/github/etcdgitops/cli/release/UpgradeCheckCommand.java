package io.github.etcdgitops.cli.release;

import io.github.etcdgitops.cli.console.ExitCode;
import io.github.etcdgitops.cli.console.Options;
import io.github.etcdgitops.cli.console.Outputs;
import io.github.etcdgitops.cli.console.Surface;
import io.github.etcdgitops.cli.wiring.ApprovalRulesCheck;
import io.github.etcdgitops.cli.wiring.Opening;
import io.github.etcdgitops.cli.wiring.Source;
import io.github.etcdgitops.report.table.ReadinessTable;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.release.Catalog;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.EtcdVersion;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "check",
        description = "Shows for each ring what stands between it and another version of etcd: the releases on the"
                + " way, what must be done first, restarts, elections and time. Changes no ring: it plans what a"
                + " commit with that version would do.",
        mixinStandardHelpOptions = true)
final class UpgradeCheckCommand implements Callable<Integer> {
    private final Surface process;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before anything else
    private CommandSpec spec;

    @Option(
            names = "--to",
            paramLabel = "VERSION",
            description = "A minor version, such as 3.7, or a release. Default: the newest minor version that the"
                    + " catalogue of releases has.")
    String to = "";

    @Option(
            names = "--publish",
            description = "Also write the answer to the page upgrade.md of the report branch, beside the report of"
                    + " runs.")
    boolean publish;

    @Mixin
    private final Options.Reports reports = new Options.Reports();

    @Mixin
    private final Options.Repository repository = new Options.Repository();

    @Mixin
    private final Options.Cluster cluster = new Options.Cluster();

    @Mixin
    private final Options.Output output = new Options.Output();

    UpgradeCheckCommand(Surface process) {
        this.process = process;
    }

    @Override
    public Integer call() {
        try (var opening = Opening.of(cluster, process.environment());
                var source = Source.open(repository, process.environment(), reports.signingKey)) {
            var wiring = opening.wiring();
            String environment = wiring.environment(source, repository);
            var desired = new ApprovalRulesCheck(source, environment, wiring.now())
                    .ofPlan(wiring.watermarks(), repository.branch(), source.desired(environment, wiring.now()));
            var target = target(desired);
            var plan = wiring.view().plan(desired.with(ring -> raised(ring, target)), environment);
            var table = new ReadinessTable(plan, target);
            if (publish) {
                wiring.pages(source).page(environment, "upgrade.md", table.markdown(), source.commit());
            }
            new Outputs(output, process.terminal(), process.out()).write(table);
            return ExitCode.SUCCESS.code();
        }
    }

    /// Without a ring, there is no catalogue to ask, and nothing to look at.
    private EtcdVersion target(DesiredState desired) {
        var catalog = desired.rings().values().stream()
                .map(EtcdClusterSpec::catalog)
                .findFirst()
                .orElse(Catalog.NONE);
        if (catalog.lines().isEmpty()) {
            throw new CommandLine.ParameterException(spec.commandLine(), "the repository has no ring");
        }
        String wanted = to.isEmpty() ? catalog.lines().getLast().toString() : to;
        return catalog.named(wanted)
                .orElseThrow(() -> new CommandLine.ParameterException(
                        spec.commandLine(),
                        "--to is " + wanted + ", which is no version of " + catalog.range()
                                + ". For example: --to 3.7, or --to 3.7.1"));
    }

    private static EtcdClusterSpec raised(EtcdClusterSpec ring, EtcdVersion target) {
        return ring.server().version().compareTo(target) < 0 ? ring.on(target) : ring;
    }
}
