package io.github.etcdgitops.trial.speed;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// What reading the documents of many rings costs.
@Command(
        name = "validate",
        mixinStandardHelpOptions = true,
        description = "validate of many documents, beside kubeconform where it is installed.")
final class ValidateBenchmark implements Callable<Integer> {
    @Mixin
    private final Measuring measuring = new Measuring();

    @Option(
            names = "--rings",
            split = ",",
            defaultValue = "100,1000,10000",
            description = "How many rings, each with a document (${DEFAULT-VALUE}).")
    private List<Integer> rings = List.of();

    @Override
    public Integer call() throws IOException, InterruptedException {
        var table = measuring.table();
        for (int count : rings) {
            try (var folder = new Scratch()) {
                var documents = FleetDocuments.write(folder.path().resolve("fleet"), count, FleetDocuments.MEMBERS);
                var beside = Measuring.installed("kubeconform")
                        ? new TimedCommand(
                                "kubeconform",
                                "kubeconform",
                                "-schema-location",
                                Measuring.root().resolve("schemas") + "/{{.ResourceKind}}.schema.json",
                                documents.resolve("clusters").toString())
                        : Measuring.emptyProgram(folder.path());
                String title = "validate, " + count + " documents";
                table.measure(Measuring.tool(title, Map.of(), "validate", documents.toString()), beside);
            }
        }
        measuring.end(table);
        return CommandLine.ExitCode.OK;
    }
}
