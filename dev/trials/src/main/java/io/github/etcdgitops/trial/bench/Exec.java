package io.github.etcdgitops.trial.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Runs a command inside a member: by the sandbox's own `exec` where the trial is on one, and otherwise
/// as `kubectl exec` does.
public record Exec(Bench bench, String pod) {
    public String run(String... words) throws Exception {
        return bench.options().sandbox().isPresent()
                ? onSandbox(bench.options().sandbox().get(), words)
                : onCluster(words);
    }

    private String onSandbox(Path folder, String... words) throws Exception {
        var root =
                Path.of(System.getProperty("trials.root", ".")).toAbsolutePath().normalize();
        var line = new ArrayList<>(List.of(
                root.resolve("sandbox/sandbox").toString(),
                "exec",
                "--dir",
                folder.toString(),
                bench.namespace() + "/" + pod,
                "--"));
        line.addAll(List.of(words));
        return Command.run(bench.folder(), line.toArray(String[]::new));
    }

    private String onCluster(String... words) throws Exception {
        var output = new ByteArrayOutputStream();
        try (var exec = bench.kube()
                .pods()
                .inNamespace(bench.namespace())
                .withName(pod)
                .writingOutput(output)
                .writingError(output)
                .exec(words)) {
            Integer exit = exec.exitCode().get(60, TimeUnit.SECONDS);
            String said = output.toString(UTF_8);
            TrialFailure.unless(
                    exit != null && exit == 0,
                    String.join(" ", words) + " in " + pod + " ended with " + exit + ": " + said);
            return said;
        }
    }
}
