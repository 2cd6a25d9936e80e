package io.github.etcdgitops.sandbox.node;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A container as its pod describes it.
///
/// `command` is empty where the image says what runs.
record ContainerSpec(
        String name,
        String image,
        List<String> command,
        List<String> args,
        JsonNode env,
        List<Mount> mounts,
        Ending ending) {
    record Mount(String volume, String path, boolean readOnly) {}

    /// Those that the container has.
    record Probes(Optional<Probe> startup, Optional<Probe> liveness, Optional<Probe> readiness) {}

    /// How it is found out that it ails, and what it has to say in the end: what it wrote into the file `message`, or
    /// the end of its log where it fails, or nothing.
    record Ending(Probes probes, String message, boolean logsAsMessage) {}

    ContainerSpec {
        command = List.copyOf(command);
        args = List.copyOf(args);
        mounts = List.copyOf(mounts);
    }

    static ContainerSpec of(JsonNode container) {
        var mounts = new ArrayList<Mount>();
        for (JsonNode mount : container.path("volumeMounts")) {
            mounts.add(new Mount(
                    mount.path("name").asText(),
                    mount.path("mountPath").asText(),
                    mount.path("readOnly").asBoolean()));
        }
        return new ContainerSpec(
                container.path("name").asText(),
                container.path("image").asText(),
                words(container, "command"),
                words(container, "args"),
                container.path("env"),
                mounts,
                new Ending(
                        new Probes(
                                Probe.of(container, "startupProbe"),
                                Probe.of(container, "livenessProbe"),
                                Probe.of(container, "readinessProbe")),
                        container.path("terminationMessagePath").asText(),
                        container.path("terminationMessagePolicy").asText().equals("FallbackToLogsOnError")));
    }

    private static List<String> words(JsonNode container, String field) {
        var words = new ArrayList<String>();
        container.path(field).forEach(word -> words.add(word.asText()));
        return words;
    }

    /// What is run, in an image that runs this where nothing is said.
    List<String> line(List<String> entrypoint) {
        var line = new ArrayList<>(command.isEmpty() ? entrypoint : command);
        line.addAll(args);
        return line;
    }
}
