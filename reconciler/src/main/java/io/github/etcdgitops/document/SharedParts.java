package io.github.etcdgitops.document;

import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.Access;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.Declaration;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.Handling;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Keeps equal parts of specs once: rings of a fleet resemble each other. Several threads may use it.
final class SharedParts {
    /// With more different parts than this, sharing would save little.
    private static final int MOST = 1000;

    private final Map<Object, Object> known = new ConcurrentHashMap<>();

    EtcdClusterSpec of(EtcdClusterSpec spec) {
        var declaration = spec.declaration();
        var handling = declaration.handling();
        return new EtcdClusterSpec(
                spec.ref(),
                spec.size(),
                shared(spec.server()),
                shared(spec.storage()),
                shared(spec.podTemplate()),
                new Access(shared(spec.network()), spec.auth().map(this::shared)),
                new Declaration(
                        declaration.source(),
                        shared(declaration.environment()),
                        shared(new Handling(
                                handling.suspend(),
                                handling.adopt(),
                                shared(handling.repairs()),
                                shared(handling.maintenance()),
                                handling.drift())),
                        declaration.notYet(),
                        shared(declaration.backupPolicy()),
                        declaration.labels(),
                        shared(declaration.rollout())));
    }

    /// The first part that is equal to this one.
    @SuppressWarnings("unchecked")
    private <T> T shared(T part) {
        Object same = known.get(part);
        if (same == null && known.size() < MOST) {
            known.put(part, part);
        }
        return same == null ? part : (T) same;
    }
}
