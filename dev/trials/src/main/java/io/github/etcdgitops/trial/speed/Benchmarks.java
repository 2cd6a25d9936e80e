package io.github.etcdgitops.trial.speed;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/// `dev/benchmarks NAME`. Machines are noisy and differ, so the results are ratios: each command takes
/// turns with another one beside it.
@Command(
        name = "benchmarks",
        mixinStandardHelpOptions = true,
        description = "Measures speed on this machine, beside other commands.",
        subcommands = {
            StartBenchmark.class,
            ValidateBenchmark.class,
            PlanBenchmark.class,
            FleetBenchmark.class,
            SnapshotBenchmark.class,
            SpeedPage.class
        })
public final class Benchmarks {
    private Benchmarks() {}

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new Benchmarks()).execute(arguments));
    }
}
