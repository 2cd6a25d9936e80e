package io.github.etcdgitops.sandbox.node;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A container as its pod describes it.
record ContainerSpec(String name, String image, List<String> line, JsonNode env, List<Mount> mounts, Probes probes) {
    private static final Pattern ETCD_IMAGE =
            Pattern.compile("(?:.*/)?etcd:v?(\\d+\\.\\d+\\.\\d+(?:-[a-z]+\\.\\d+)?)(?:-\\d+)?(?:@.*)?");
    private static final String DEFAULT_COMMAND = "/usr/local/bin/etcd";

    record Mount(String volume, String path, boolean readOnly) {}

    /// Those that the container has.
    record Probes(Optional<Probe> startup, Optional<Probe> liveness, Optional<Probe> readiness) {}

    ContainerSpec {
        line = List.copyOf(line);
        mounts = List.copyOf(mounts);
    }

    static ContainerSpec of(JsonNode container) {
        var line = new ArrayList<String>();
        container.path("command").forEach(word -> line.add(word.asText()));
        if (line.isEmpty()) {
            line.add(DEFAULT_COMMAND);
        }
        container.path("args").forEach(word -> line.add(word.asText()));
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
                line,
                container.path("env"),
                mounts,
                new Probes(
                        Probe.of(container, "startupProbe"),
                        Probe.of(container, "livenessProbe"),
                        Probe.of(container, "readinessProbe")));
    }

    /// The image's tag says which etcd it is. Nothing else is ever run.
    String etcdVersion() {
        Matcher etcd = ETCD_IMAGE.matcher(image);
        if (!etcd.matches()) {
            throw new StartFailure(
                    "ImagePullBackOff",
                    "Back-off pulling image \"" + image
                            + "\": the sandbox runs nothing but images REPOSITORY/etcd:vX.Y.Z");
        }
        return etcd.group(1);
    }
}
