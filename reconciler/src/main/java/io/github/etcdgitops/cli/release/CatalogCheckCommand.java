package io.github.etcdgitops.cli.release;

import io.github.etcdgitops.cli.console.ExitCode;
import io.github.etcdgitops.cli.console.Options;
import io.github.etcdgitops.cli.console.Outputs;
import io.github.etcdgitops.cli.console.Surface;
import io.github.etcdgitops.document.CatalogChoice;
import io.github.etcdgitops.git.tree.LocalTree;
import io.github.etcdgitops.report.table.CatalogTable;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "check",
        description = "Shows which catalogue of etcd releases holds, how old it is, and what it says of each minor"
                + " version; with a config repository, also what is wrong with the catalogue there.",
        mixinStandardHelpOptions = true)
final class CatalogCheckCommand implements Callable<Integer> {
    private final Surface process;

    @Parameters(index = "0", arity = "0..1", paramLabel = "PATH", description = "Folder of a config repository.")
    @Nullable
    Path path;

    @Mixin
    private final Options.Output output = new Options.Output();

    CatalogCheckCommand(Surface process) {
        this.process = process;
    }

    @Override
    public Integer call() {
        var standing = path == null ? CatalogChoice.builtIn() : CatalogChoice.of(LocalTree.repository(path));
        var today = LocalDate.ofInstant(Surface.clock().instant(), ZoneOffset.UTC);
        new Outputs(output, process.terminal(), process.out()).write(new CatalogTable(standing, today));
        return (standing.violations().isEmpty() ? ExitCode.SUCCESS : ExitCode.INVALID).code();
    }
}
