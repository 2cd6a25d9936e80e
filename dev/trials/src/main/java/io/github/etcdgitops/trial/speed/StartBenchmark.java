package io.github.etcdgitops.trial.speed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// What the start of a short command costs, beside an empty Java program.
@Command(
        name = "start",
        mixinStandardHelpOptions = true,
        description =
                "version, validate of one document and an offline plan of one ring, beside an empty Java program.")
final class StartBenchmark implements Callable<Integer> {
    @Mixin
    private final Measuring measuring = new Measuring();

    @Override
    public Integer call() throws IOException, InterruptedException {
        var table = measuring.table();
        try (var folder = new Scratch()) {
            var empty = Measuring.emptyProgram(folder.path());
            Path rings = FleetDocuments.write(folder.path().resolve("one"), 1, FleetDocuments.MEMBERS);
            Path cache = Files.createDirectory(folder.path().resolve("cache"));
            table.measure(Measuring.tool("version", Map.of(), "version"), empty);
            table.measure(Measuring.tool("validate, 1 document", Map.of(), "validate", rings.toString()), empty);
            table.measure(
                    Measuring.tool(
                            "plan --offline, 1 ring",
                            FleetDocuments.environment(rings, cache),
                            "plan",
                            "--offline",
                            "--base",
                            "main"),
                    empty);
        }
        measuring.end(table);
        return CommandLine.ExitCode.OK;
    }
}
