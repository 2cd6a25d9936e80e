package io.github.etcdgitops.trial.speed;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// What documents of many rings cost, without a cluster.
final class FleetBenchmarks {
    private FleetBenchmarks() {}

    @Command(
            name = "validate",
            mixinStandardHelpOptions = true,
            description = "validate of many documents, beside kubeconform where it is installed.")
    static final class Validate implements Callable<Integer> {
        @Mixin
        private final Measuring measuring = new Measuring();

        @Option(
                names = "--rings",
                split = ",",
                defaultValue = "1000,10000",
                description = "How many documents (${DEFAULT-VALUE}).")
        private List<Integer> rings = List.of();

        @Override
        public Integer call() throws IOException, InterruptedException {
            var table = measuring.table();
            for (int count : rings) {
                try (var folder = new Scratch()) {
                    var documents = FleetDocuments.write(folder.path().resolve("fleet"), count);
                    var beside = Measuring.installed("kubeconform")
                            ? new TimedCommand(
                                    "kubeconform",
                                    "kubeconform",
                                    "-schema-location",
                                    Measuring.root().resolve("schemas") + "/{{.ResourceKind}}.schema.json",
                                    documents.resolve("clusters").toString())
                            : Measuring.emptyProgram(folder.path());
                    table.measure(
                            Measuring.tool(
                                    "validate, " + count + " documents", Map.of(), "validate", documents.toString()),
                            beside);
                }
            }
            measuring.end(table);
            return CommandLine.ExitCode.OK;
        }
    }

    @Command(
            name = "plan",
            mixinStandardHelpOptions = true,
            description = "plan --offline of many rings, beside validate of the same documents.")
    static final class Plan implements Callable<Integer> {
        @Mixin
        private final Measuring measuring = new Measuring();

        @Option(
                names = "--rings",
                split = ",",
                defaultValue = "100,1000,10000",
                description = "How many rings (${DEFAULT-VALUE}).")
        private List<Integer> rings = List.of();

        @Override
        public Integer call() throws IOException, InterruptedException {
            var table = measuring.table();
            for (int count : rings) {
                try (var folder = new Scratch()) {
                    var documents = FleetDocuments.write(folder.path().resolve("fleet"), count);
                    var cache = Files.createDirectory(folder.path().resolve("cache"));
                    table.measure(
                            Measuring.tool(
                                    "plan --offline, " + count + " rings",
                                    FleetDocuments.environment(documents, cache),
                                    "plan",
                                    "--offline",
                                    "--base",
                                    "main"),
                            Measuring.tool("validate", Map.of(), "validate", documents.toString()));
                }
            }
            measuring.end(table);
            return CommandLine.ExitCode.OK;
        }
    }
}
