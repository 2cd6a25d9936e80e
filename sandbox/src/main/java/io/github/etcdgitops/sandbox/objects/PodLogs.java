package io.github.etcdgitops.sandbox.objects;

import java.io.InputStream;
import java.util.Optional;

/// What the containers of pods have written.
public interface PodLogs {
    /// Empty when the pod's container has not been started yet. With `follow` the stream ends when the
    /// container does.
    Optional<InputStream> open(String namespace, String pod, boolean follow);
}
