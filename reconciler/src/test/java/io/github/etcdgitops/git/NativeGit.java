package io.github.etcdgitops.git;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// The other implementation of Git, as a second opinion. Nothing of the user's configuration is read.
final class NativeGit {
    private NativeGit() {}

    static String run(Path folder, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("git", "-c", "safe.directory=*"));
        command.addAll(List.of(arguments));
        Process process = builder(folder, command).start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as("%s: %s", command, output).isZero();
        return output;
    }

    static ProcessBuilder builder(Path folder, List<String> command) {
        var builder = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().keySet().removeIf(k -> k.startsWith("GIT_"));
        builder.environment().put("GIT_CONFIG_NOSYSTEM", "1");
        builder.environment().put("GIT_CONFIG_GLOBAL", "/dev/null");
        builder.environment().put("GIT_AUTHOR_NAME", "Somebody");
        builder.environment().put("GIT_AUTHOR_EMAIL", "somebody@example.org");
        builder.environment().put("GIT_COMMITTER_NAME", "Somebody");
        builder.environment().put("GIT_COMMITTER_EMAIL", "somebody@example.org");
        return builder;
    }
}
