package io.github.etcdgitops.gateway.kube.manifest;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.github.etcdgitops.gateway.RingObjects;
import io.github.etcdgitops.gateway.kube.api.Labels;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.util.Map;
import java.util.TreeMap;

/// Metadata that all objects of a ring share.
public final class Metadata {
    private Metadata() {}

    public static ObjectMeta of(RingObjects wanted, String name) {
        return of(wanted.spec().ref(), name, wanted.epoch());
    }

    /// `epoch` identifies the writer of the object; it is not part of the wanted state, see [Drift].
    public static ObjectMeta of(ClusterRef ref, String name, long epoch) {
        return new ObjectMetaBuilder()
                .withName(name)
                .withNamespace(ref.namespace())
                .withLabels(sorted(Labels.of(ref)))
                .withAnnotations(Map.of(Labels.EPOCH, Long.toString(epoch)))
                .build();
    }

    /// Sorted, because the order of `Map.of` differs from one start of the JVM to the next.
    static Map<String, String> sorted(Map<String, String> map) {
        return new TreeMap<>(map);
    }
}
