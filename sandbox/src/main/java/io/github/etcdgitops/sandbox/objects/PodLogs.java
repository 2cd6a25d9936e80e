package io.github.etcdgitops.sandbox.objects;

import java.io.InputStream;
import java.util.Optional;

/// What the containers of pods have written.
public interface PodLogs {
    /// Empty when this container has not been started yet. With `follow` the stream ends when the container
    /// does.
    Optional<InputStream> open(String namespace, String pod, String container, boolean follow);
}
