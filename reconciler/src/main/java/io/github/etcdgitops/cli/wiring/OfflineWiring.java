package io.github.etcdgitops.cli.wiring;

import io.github.etcdgitops.cli.console.Version;
import io.github.etcdgitops.gateway.etcd.EntryLog;
import io.github.etcdgitops.gateway.kube.write.KubernetesManifests;
import io.github.etcdgitops.gateway.store.credential.PlaceFiles;
import io.github.etcdgitops.pipeline.Offline;
import io.github.etcdgitops.place.PlaceViolations;
import io.github.etcdgitops.receive.Copying;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.validation.Violation;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/// Builds what works without any connection.
public final class OfflineWiring {
    private OfflineWiring() {}

    public static Offline at(Instant now) {
        return new Offline(new KubernetesManifests(), now, Version.tool());
    }

    public static Copying.Log log() {
        return EntryLog::sent;
    }

    /// Empty where the operator's settings are not available.
    public static List<Violation> placesRefused(DesiredState desired, Map<String, String> environment) {
        var places = new PlaceFiles(environment);
        return places.given() ? PlaceViolations.of(desired, places) : List.of();
    }
}
