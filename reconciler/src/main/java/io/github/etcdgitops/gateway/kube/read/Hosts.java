package io.github.etcdgitops.gateway.kube.read;

import io.github.etcdgitops.state.Host;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The nodes that were looked up, by ordinal: the nodes of pods, and the only nodes that have a volume.
public record Hosts(Map<Integer, Host> pods, Map<Integer, Host> volumes) {
    public static final Hosts NONE = new Hosts(Map.of(), Map.of());

    public Hosts {
        pods = Collections.unmodifiableMap(new TreeMap<>(pods));
        volumes = Collections.unmodifiableMap(new TreeMap<>(volumes));
    }

    public Optional<Host> ofPod(int ordinal) {
        return Optional.ofNullable(pods.get(ordinal));
    }

    public Optional<Host> ofVolume(int ordinal) {
        return Optional.ofNullable(volumes.get(ordinal));
    }
}
