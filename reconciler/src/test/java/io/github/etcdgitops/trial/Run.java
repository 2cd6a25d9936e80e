package io.github.etcdgitops.trial;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.etcdgitops.it.EtcdProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/// A run of `etcd-gitops` as a process of its own, and what it said.
record Run(Process process, Path out, Path err) {
    private static final Duration LONGEST = Duration.ofMinutes(15);
    private static final ObjectMapper JSON = new ObjectMapper();

    /// The exit code, once it ended.
    int exit() {
        EtcdProcess.await("the end of a run", LONGEST, () -> !process.isAlive());
        return process.exitValue();
    }

    /// SIGKILL: nothing is tidied up.
    void kill() {
        process.destroyForcibly();
        exit();
    }

    /// The first step reported that is as asked for, or false when the run ended without one.
    boolean awaitStep(Predicate<JsonNode> step) {
        EtcdProcess.await("a step", LONGEST, () -> steps().stream().anyMatch(step) || !process.isAlive());
        return steps().stream().anyMatch(step);
    }

    /// Every step that was reported until now.
    List<JsonNode> steps() {
        var steps = new ArrayList<JsonNode>();
        stderr().lines()
                .filter(line -> line.startsWith("{") && line.endsWith("}"))
                .map(Run::json)
                .filter(json -> json.has("result"))
                .forEach(steps::add);
        return steps;
    }

    private static JsonNode json(String line) {
        try {
            return JSON.readTree(line);
        } catch (IOException _) {
            return JSON.createObjectNode();
        }
    }

    String stdout() {
        return text(out);
    }

    String stderr() {
        return text(err);
    }

    /// What a failure's message shows of it.
    String tail() {
        String all = (stderr() + stdout()).strip();
        return all.substring(Math.max(0, all.length() - 1500));
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
