package io.github.etcdgitops.cli;

import io.github.etcdgitops.cli.console.ExitCode;
import io.github.etcdgitops.cli.console.Options;
import io.github.etcdgitops.cli.console.Outputs;
import io.github.etcdgitops.cli.console.Surface;
import io.github.etcdgitops.cli.wiring.ApprovalRulesCheck;
import io.github.etcdgitops.cli.wiring.Opening;
import io.github.etcdgitops.cli.wiring.Source;
import io.github.etcdgitops.inert.Lines;
import io.github.etcdgitops.report.Markdown;
import io.github.etcdgitops.report.format.Rendering;
import io.github.etcdgitops.report.format.Style;
import io.github.etcdgitops.report.table.StatusTable;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "status",
        description = "Shows a table of the rings: members, leader, versions, tolerance, and whether they are in"
                + " sync with Git.",
        mixinStandardHelpOptions = true)
final class StatusCommand implements Callable<Integer> {
    private final Surface process;

    @Mixin
    private final Options.Repository repository = new Options.Repository();

    @Mixin
    private final Options.Cluster cluster = new Options.Cluster();

    @Mixin
    private final Options.Output output = new Options.Output();

    StatusCommand(Surface process) {
        this.process = process;
    }

    @Override
    public Integer call() {
        try (var opening = Opening.of(cluster, process.environment());
                var source = Source.open(repository, process.environment())) {
            var wiring = opening.wiring();
            String environment = wiring.environment(source, repository);
            var desired = new ApprovalRulesCheck(source, environment, wiring.now())
                    .ofPlan(wiring.watermarks(), repository.branch(), source.desired(environment, wiring.now()));
            var plan = wiring.view().plan(desired, environment);
            var table = StatusTable.of(wiring.view().observe(desired, environment, StatusTable::row), plan);
            new Outputs(output, process.terminal(), process.out()).write(new Rendering() {
                @Override
                public Lines human(Style style) {
                    return table.human(style);
                }

                @Override
                public String json() {
                    return table.json();
                }

                @Override
                public String markdown() {
                    return Markdown.table(plan);
                }
            });
            return ExitCode.SUCCESS.code();
        }
    }
}
