package io.github.etcdgitops.execute.job;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.RestoreJobs;
import io.github.etcdgitops.gateway.SnapshotReceiver;
import java.util.Optional;
import java.util.function.Supplier;

/// What restores and drills need from the outside. `image` is the image of etcd-gitops itself; it throws a
/// GatewayException where it is unknown, so only code that is about to create a pod asks for it.
public record ImageOrder(RestoreJobs jobs, SnapshotReceiver receiver, Supplier<String> image) {
    /// Why no pod can be created with our image: then the plan holds the operations that need one.
    public Optional<String> unable() {
        try {
            requireImage();
            return Optional.empty();
        } catch (GatewayException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /// Fails now rather than half-way, where no pod could be created.
    public void requireImage() {
        if (image.get().isBlank()) {
            throw new IllegalStateException("an image has a name");
        }
    }
}
