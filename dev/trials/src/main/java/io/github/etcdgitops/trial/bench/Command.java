package io.github.etcdgitops.trial.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// Runs what a person would type.
public final class Command {
    private Command() {}

    public static String run(Path folder, String... words) throws IOException, InterruptedException {
        return run(new ProcessBuilder(words).directory(folder.toFile()), "");
    }

    /// Its output, standard error included; fails unless it ends well.
    public static String run(ProcessBuilder builder, String input) throws IOException, InterruptedException {
        var process = builder.redirectErrorStream(true).start();
        try (var stream = process.getOutputStream()) {
            stream.write(input.getBytes(UTF_8));
        }
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        TrialFailure.unless(
                process.waitFor() == 0, String.join(" ", List.copyOf(builder.command())) + ": " + output.strip());
        return output;
    }
}
