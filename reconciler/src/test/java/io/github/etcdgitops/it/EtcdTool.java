package io.github.etcdgitops.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// `etcdctl` or `etcdutl`, run to its end.
public record EtcdTool(Path binary, String... always) {
    /// What it printed; fails when it did not end with 0.
    public String run(String... arguments) {
        return run(true, arguments);
    }

    /// What it printed, however it ended.
    public String said(String... arguments) {
        return run(false, arguments);
    }

    private String run(boolean well, String... arguments) {
        var command = new ArrayList<>(List.of(binary.toString()));
        command.addAll(List.of(always));
        command.addAll(List.of(arguments));
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        // The older API was still the usual one in 3.3.
        builder.environment().put("ETCDCTL_API", "3");
        try {
            var process = builder.start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0 && well) {
                throw new AssertionError(String.join(" ", arguments) + ": " + output);
            }
            return output;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
