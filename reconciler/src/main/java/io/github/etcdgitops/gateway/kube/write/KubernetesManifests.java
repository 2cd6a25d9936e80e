package io.github.etcdgitops.gateway.kube.write;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.Manifests;
import io.github.etcdgitops.gateway.RingObjects;
import io.github.etcdgitops.gateway.kube.api.Tree;
import io.github.etcdgitops.gateway.kube.manifest.PodManifest;
import io.github.etcdgitops.gateway.kube.manifest.RingManifests;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.ManagedObject;
import io.github.etcdgitops.state.ObjectDrift;
import io.github.etcdgitops.state.value.Observed;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// [Manifests] for Kubernetes. Needs no connection.
public final class KubernetesManifests implements Manifests {
    @Override
    public Map<ManagedObject, Map<String, Object>> render(RingObjects wanted) {
        var objects = new EnumMap<ManagedObject, Map<String, Object>>(ManagedObject.class);
        for (var object : ManagedObject.values()) {
            objects.put(object, Tree.plain(RingManifests.render(object, wanted)));
        }
        return objects;
    }

    @Override
    public List<ObjectDrift> drift(KubeState live, RingObjects wanted) {
        return switch (live.objects().live()) {
            case Observed.Known<Map<ManagedObject, Map<String, Object>>>(var objects) -> Drifts.of(objects, wanted);
            case Observed.Unknown<Map<ManagedObject, Map<String, Object>>>(String reason) ->
                throw new GatewayException(Kind.UNREACHABLE, false, reason);
        };
    }

    @Override
    public String templateDigest(RingObjects wanted) {
        return PodManifest.digest(wanted);
    }
}
