package io.github.etcdgitops.trial;

import io.github.etcdgitops.it.EtcdProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Faults that only a sandbox has: where `ETCD_GITOPS_SANDBOX` names its folder.
final class SandboxFaults {
    private static final String FOLDER = "ETCD_GITOPS_SANDBOX";

    private SandboxFaults() {}

    static boolean there() {
        return !System.getenv().getOrDefault(FOLDER, "").isBlank();
    }

    static void make(String... words) throws IOException {
        TrialFailure.unless(there(), "this trial needs a sandbox: set " + FOLDER + " to its folder");
        var line = new ArrayList<>(List.of(
                Path.of(System.getProperty("trials.root", "."), "sandbox/sandbox")
                        .toString(),
                "fault",
                "--dir",
                System.getenv(FOLDER)));
        line.addAll(List.of(words));
        var process = new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .start();
        EtcdProcess.await("the fault " + List.of(words), Duration.ofMinutes(5), () -> !process.isAlive());
        TrialFailure.unless(process.exitValue() == 0, "the sandbox refused " + List.of(words));
    }
}
