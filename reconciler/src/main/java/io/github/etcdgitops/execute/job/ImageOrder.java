package io.github.etcdgitops.execute.job;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.RestoreJobs;
import io.github.etcdgitops.gateway.SnapshotReceiver;
import java.util.Optional;
import java.util.function.Supplier;

/// What restores and drills need of the outside. `image` is that of etcd-gitops itself; it throws a GatewayException
/// where
/// nobody knows it, and only whoever is about to make a pod with it asks.
public record ImageOrder(RestoreJobs jobs, SnapshotReceiver receiver, Supplier<String> image) {
    /// Why no pod can be made with our image: a plan holds what would need one.
    public Optional<String> unable() {
        try {
            requireImage();
            return Optional.empty();
        } catch (GatewayException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /// Fails now rather than half-way, where no pod could be made.
    public void requireImage() {
        if (image.get().isBlank()) {
            throw new IllegalStateException("an image has a name");
        }
    }
}
