package io.github.etcdgitops.cli;

import io.github.etcdgitops.gateway.kube.KubernetesManifests;
import io.github.etcdgitops.pipeline.Offline;
import java.time.Instant;

/// Puts together what plans without asking anybody.
final class OfflineWiring {
    private OfflineWiring() {}

    static Offline at(Instant now) {
        return new Offline(new KubernetesManifests(), now, Version.tool());
    }
}
