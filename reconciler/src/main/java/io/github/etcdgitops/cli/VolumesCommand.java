package io.github.etcdgitops.cli;

import io.github.etcdgitops.cli.console.ExitCode;
import io.github.etcdgitops.cli.console.Options;
import io.github.etcdgitops.cli.console.Outputs;
import io.github.etcdgitops.cli.console.Surface;
import io.github.etcdgitops.cli.wiring.Wiring;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "volumes",
        description =
                "Lists what is left of deleted rings: ring, cluster ID, claims, other objects, and when and why the"
                        + " ring was deleted. Changes nothing, and needs no config repository.",
        mixinStandardHelpOptions = true)
final class VolumesCommand implements Callable<Integer> {
    private final Surface process;

    @Mixin
    private final Options.Cluster cluster = new Options.Cluster();

    @Mixin
    private final Options.Output output = new Options.Output();

    VolumesCommand(Surface process) {
        this.process = process;
    }

    @Override
    public Integer call() {
        try (var wiring = Wiring.open(cluster, process.environment())) {
            new Outputs(output, process.terminal(), process.out()).write(wiring.retained());
            return ExitCode.SUCCESS.code();
        }
    }
}
