package io.github.etcdgitops.trial.bench;

import io.github.etcdgitops.it.EtcdProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Faults that only a sandbox has, made through its command line.
public record SandboxFaults(Optional<Path> folder) {
    public void make(String... words) throws IOException {
        TrialFailure.unless(folder.isPresent(), "this trial needs a sandbox: --sandbox DIR");
        var line = new ArrayList<>(List.of(
                Path.of(System.getProperty("trials.root", "."), "sandbox/sandbox")
                        .toString(),
                "fault",
                "--dir",
                folder.orElseThrow().toString()));
        line.addAll(List.of(words));
        var process = new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .start();
        EtcdProcess.await("the fault " + List.of(words), Duration.ofMinutes(5), () -> !process.isAlive());
        TrialFailure.unless(process.exitValue() == 0, "the sandbox refused " + List.of(words));
    }
}
