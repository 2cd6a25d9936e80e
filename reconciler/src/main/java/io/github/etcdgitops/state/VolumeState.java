package io.github.etcdgitops.state;

import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.Quantity;
import java.util.List;
import java.util.Optional;

/// What a claim requests, and what it got. `capacity` is empty until it is bound. `conditions` are the
/// current ones, by their names in Kubernetes.
///
/// `home` is the only node that has the volume, where there is one; looked up only where no pod uses it on
/// an existing node.
public record VolumeState(
        EtcdClusterSpec.Storage asked, Optional<String> capacity, List<String> conditions, Optional<Host> home) {
    /// The volume has grown. The file system on it grows when a pod mounts it next, or soon, where its
    /// driver can grow a mounted file system.
    private static final String FILE_SYSTEM_PENDING = "FileSystemResizePending";

    public VolumeState {
        conditions = List.copyOf(conditions);
    }

    public VolumeState(EtcdClusterSpec.Storage asked, Optional<String> capacity, List<String> conditions) {
        this(asked, capacity, conditions, Optional.empty());
    }

    /// Below zero where the claim requests less than `size`, above where more.
    public int asksAgainst(Quantity size) {
        return Quantity.parse(asked.size()).map(own -> own.compareTo(size)).orElse(0);
    }

    public boolean has(Quantity size) {
        return capacity.flatMap(Quantity::parse)
                .filter(own -> own.compareTo(size) >= 0)
                .isPresent();
    }

    public boolean awaitsMount() {
        return conditions.contains(FILE_SYSTEM_PENDING);
    }

    /// Kubernetes is expanding it.
    public boolean growing() {
        return !conditions.isEmpty();
    }
}
