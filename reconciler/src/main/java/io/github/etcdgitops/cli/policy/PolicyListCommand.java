package io.github.etcdgitops.cli.policy;

import io.github.etcdgitops.cli.console.ExitCode;
import io.github.etcdgitops.cli.console.Moment;
import io.github.etcdgitops.cli.console.Options;
import io.github.etcdgitops.cli.console.Outputs;
import io.github.etcdgitops.cli.console.Surface;
import io.github.etcdgitops.document.SpecLoader;
import io.github.etcdgitops.git.tree.LocalTree;
import io.github.etcdgitops.report.table.PolicyTable;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "list",
        description = "Lists the rules in the policies of a config repository. For each rule it shows how many"
                + " rings it applies to, and how many are exempt.",
        mixinStandardHelpOptions = true)
final class PolicyListCommand implements Callable<Integer> {
    private final Surface process;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "PATH",
            description = "Folder of a config repository. Default: .")
    Path path = Path.of(".");

    @Option(names = "--rule", paramLabel = "RULE", description = "Only this rule.")
    @Nullable
    String rule;

    @Option(
            names = "--now",
            paramLabel = "TIME",
            converter = Moment.class,
            description = "Evaluate for this time instead of now. RFC 3339, such as 2027-03-28T02:30:00+01:00.")
    @Nullable
    Instant now;

    @Mixin
    private final Options.Output output = new Options.Output();

    PolicyListCommand(Surface process) {
        this.process = process;
    }

    @Override
    public Integer call() {
        var desired = SpecLoader.load(LocalTree.repository(path));
        new Outputs(output, process.terminal(), process.out())
                .write(new PolicyTable(
                        desired,
                        Optional.ofNullable(rule),
                        now == null ? Surface.clock().instant() : now));
        return (desired.violations().isEmpty() ? ExitCode.SUCCESS : ExitCode.INVALID).code();
    }
}
