package io.github.etcdgitops.state;

import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.Quantity;
import java.util.List;
import java.util.Optional;

/// What a claim asks for, and what it got. `capacity` is empty until it is bound. `conditions` are those
/// that hold, by the names that Kubernetes gives them.
///
/// `home` is the machine that alone has it, where that is so; looked up only where no pod has it on a machine
/// that is there.
public record VolumeState(
        EtcdClusterSpec.Storage asked, Optional<String> capacity, List<String> conditions, Optional<Host> home) {
    /// The volume has grown, and the file system on it grows when a pod mounts it the next time; or
    /// soon, where its driver can do that under a running pod.
    private static final String FILE_SYSTEM_PENDING = "FileSystemResizePending";

    public VolumeState {
        conditions = List.copyOf(conditions);
    }

    public VolumeState(EtcdClusterSpec.Storage asked, Optional<String> capacity, List<String> conditions) {
        this(asked, capacity, conditions, Optional.empty());
    }

    /// Below zero where less is asked for than `size`, above where more.
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

    /// Kubernetes works on it.
    public boolean growing() {
        return !conditions.isEmpty();
    }
}
