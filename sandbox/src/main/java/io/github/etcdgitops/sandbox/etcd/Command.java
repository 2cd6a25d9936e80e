package io.github.etcdgitops.sandbox.etcd;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// A command of the operating system that is run for its output.
final class Command {
    private static final int TOLD_OF_A_FAILURE = 400;

    private Command() {}

    /// Both output streams together. Anything but exit code 0 is an error that carries the end of them.
    static String run(Path folder, Duration atMost, List<String> command) throws IOException, InterruptedException {
        Path output = Files.createTempFile("etcd-gitops-command", ".out");
        try {
            var builder = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile());
            builder.environment().put("LC_ALL", "C");
            Process process = builder.start();
            try {
                process.getOutputStream().close();
                boolean ended = process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS);
                String said = Files.readString(output, StandardCharsets.ISO_8859_1);
                if (!ended || process.exitValue() != 0) {
                    String how =
                            ended ? "exit code " + process.exitValue() : "not done after " + atMost.toSeconds() + " s";
                    throw new IOException(command.getFirst() + ": " + how + ": " + end(said));
                }
                return said;
            } finally {
                process.destroyForcibly();
            }
        } finally {
            Files.deleteIfExists(output);
        }
    }

    static boolean exists(String name) {
        return Stream.of("/usr/bin/", "/bin/", "/usr/local/bin/", "/usr/sbin/", "/sbin/")
                .anyMatch(folder -> Files.isExecutable(Path.of(folder + name)));
    }

    private static String end(String said) {
        String line = String.join(" / ", Arrays.asList(said.strip().split("\\R")));
        return line.length() <= TOLD_OF_A_FAILURE ? line : "…" + line.substring(line.length() - TOLD_OF_A_FAILURE);
    }
}
