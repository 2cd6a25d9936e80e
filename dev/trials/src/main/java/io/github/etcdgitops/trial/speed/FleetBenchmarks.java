package io.github.etcdgitops.trial.speed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// What documents of many rings cost, without a cluster.
abstract class FleetBenchmarks implements Callable<Integer> {
    @Mixin
    private final Measuring measuring = new Measuring();

    @Option(
            names = "--rings",
            split = ",",
            defaultValue = "100,1000,10000",
            description = "How many rings, each with a document (${DEFAULT-VALUE}).")
    private List<Integer> rings = List.of();

    /// `folder` is empty but for the repository at `documents`.
    abstract void measure(SpeedTable table, int count, Path documents, Path folder)
            throws IOException, InterruptedException;

    @Override
    public Integer call() throws IOException, InterruptedException {
        var table = measuring.table();
        for (int count : rings) {
            try (var folder = new Scratch()) {
                var documents = FleetDocuments.write(folder.path().resolve("fleet"), count, FleetDocuments.MEMBERS);
                measure(table, count, documents, folder.path());
            }
        }
        measuring.end(table);
        return CommandLine.ExitCode.OK;
    }

    private static TimedCommand validate(String title, Path documents) {
        return Measuring.tool(title, Map.of(), "validate", documents.toString());
    }

    @Command(
            name = "validate",
            mixinStandardHelpOptions = true,
            description = "validate of many documents, beside kubeconform where it is installed.")
    static final class Validate extends FleetBenchmarks {
        @Override
        void measure(SpeedTable table, int count, Path documents, Path folder)
                throws IOException, InterruptedException {
            var beside = Measuring.installed("kubeconform")
                    ? new TimedCommand(
                            "kubeconform",
                            "kubeconform",
                            "-schema-location",
                            Measuring.root().resolve("schemas") + "/{{.ResourceKind}}.schema.json",
                            documents.resolve("clusters").toString())
                    : Measuring.emptyProgram(folder);
            table.measure(validate("validate, " + count + " documents", documents), beside);
        }
    }

    @Command(
            name = "plan",
            mixinStandardHelpOptions = true,
            description = "plan --offline of many rings, beside validate of the same documents.")
    static final class Plan extends FleetBenchmarks {
        @Override
        void measure(SpeedTable table, int count, Path documents, Path folder)
                throws IOException, InterruptedException {
            var environment = FleetDocuments.environment(documents, Files.createDirectory(folder.resolve("cache")));
            var plan = Measuring.tool(
                    "plan --offline, " + count + " rings", environment, "plan", "--offline", "--base", "main");
            table.measure(plan, validate("validate", documents));
        }
    }
}
