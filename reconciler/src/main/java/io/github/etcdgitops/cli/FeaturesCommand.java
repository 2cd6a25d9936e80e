package io.github.etcdgitops.cli;

import io.github.etcdgitops.cli.console.ExitCode;
import io.github.etcdgitops.cli.console.Options;
import io.github.etcdgitops.cli.console.Outputs;
import io.github.etcdgitops.cli.console.Surface;
import io.github.etcdgitops.document.SpecLoader;
import io.github.etcdgitops.git.tree.LocalTree;
import io.github.etcdgitops.report.table.FeatureTable;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "features",
        description = "Lists the feature gates; with a config repository, also the gates of each ring, and the file"
                + " and line that set them.",
        mixinStandardHelpOptions = true)
final class FeaturesCommand implements Callable<Integer> {
    private final Surface process;

    @Parameters(index = "0", arity = "0..1", paramLabel = "PATH", description = "Folder of a config repository.")
    @Nullable
    Path path;

    @Mixin
    private final Options.Output output = new Options.Output();

    FeaturesCommand(Surface process) {
        this.process = process;
    }

    @Override
    public Integer call() {
        var desired = Optional.ofNullable(path).map(folder -> SpecLoader.load(LocalTree.repository(folder)));
        new Outputs(output, process.terminal(), process.out()).write(new FeatureTable(desired));
        return desired.filter(d -> !d.violations().isEmpty())
                .map(_ -> ExitCode.INVALID)
                .orElse(ExitCode.SUCCESS)
                .code();
    }
}
