package io.github.etcdgitops.cli.release;

import io.github.etcdgitops.cli.console.ExitCode;
import io.github.etcdgitops.cli.console.Options;
import io.github.etcdgitops.cli.console.Outputs;
import io.github.etcdgitops.cli.console.Surface;
import io.github.etcdgitops.document.SpecLoader;
import io.github.etcdgitops.git.tree.LocalTree;
import io.github.etcdgitops.report.table.AdvisoryTable;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "advisories",
        description = "Lists the security advisories that hit the rings of a config repository, by the version and"
                + " TLS in each document, and the smallest release without them.",
        mixinStandardHelpOptions = true)
public final class AdvisoriesCommand implements Callable<Integer> {
    private final Surface process;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "PATH",
            description = "Folder of a config repository. Default: .")
    Path path = Path.of(".");

    @Mixin
    private final Options.Output output = new Options.Output();

    public AdvisoriesCommand(Surface process) {
        this.process = process;
    }

    @Override
    public Integer call() {
        var desired = SpecLoader.load(LocalTree.repository(path));
        new Outputs(output, process.terminal(), process.out()).write(new AdvisoryTable(desired));
        return (desired.violations().isEmpty() ? ExitCode.SUCCESS : ExitCode.INVALID).code();
    }
}
