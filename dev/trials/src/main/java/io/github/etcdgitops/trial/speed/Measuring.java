package io.github.etcdgitops.trial.speed;

import io.github.etcdgitops.trial.bench.Command;
import io.github.etcdgitops.trial.bench.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Options of each benchmark of whole commands.
final class Measuring {
    @Option(names = "--rounds", defaultValue = "5", description = "Runs of each command, in turn (${DEFAULT-VALUE}).")
    int rounds;

    @Option(
            names = "--record",
            paramLabel = "FILE",
            description = "Writes the figures into this file, for comparison: dev/benchmarks.json is committed.")
    @Nullable
    Path record;

    static Path root() {
        return Path.of(System.getProperty("trials.root", ".")).toAbsolutePath().normalize();
    }

    SpeedTable table() throws IOException {
        return SpeedTable.comparedWith(root().resolve("dev/benchmarks.json"), rounds);
    }

    void end(SpeedTable table) throws IOException {
        table.print();
        if (record != null) {
            table.record(record);
        }
    }

    /// A run of the launcher.
    static TimedCommand tool(String title, Map<String, String> environment, String... words) {
        var line = Stream.concat(Stream.of(Tool.launcher()), Stream.of(words)).toList();
        return new TimedCommand(title, line, environment);
    }

    /// What each Java program costs on this machine.
    static TimedCommand emptyProgram(Path folder) throws IOException, InterruptedException {
        Files.writeString(
                folder.resolve("Empty.java"), "public class Empty { public static void main(String[] a) {} }\n");
        Path java = Path.of(System.getProperty("java.home"), "bin");
        Command.run(folder, java.resolve("javac").toString(), "Empty.java");
        return new TimedCommand(
                "an empty Java program",
                java.resolve("java").toString(),
                "-XX:+UseSerialGC",
                "-cp",
                folder.toString(),
                "Empty");
    }

    static boolean installed(String command) {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, command)));
    }
}
