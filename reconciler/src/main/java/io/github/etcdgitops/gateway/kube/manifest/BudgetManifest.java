package io.github.etcdgitops.gateway.kube.manifest;

import io.github.etcdgitops.gateway.RingObjects;
import io.github.etcdgitops.gateway.kube.api.JsonObject;
import io.github.etcdgitops.gateway.kube.api.ObjectKind;
import io.github.etcdgitops.spec.value.ClusterRef;

/// The disruption budget: how many members an eviction must leave. Written as policy/v1; for servers before
/// 1.21 the adapter changes the version, and the fields in use are the same.
final class BudgetManifest {
    private BudgetManifest() {}

    static JsonObject of(RingObjects wanted) {
        ClusterRef ref = wanted.spec().ref();
        var spec = new JsonObject().put("minAvailable", wanted.minAvailable()).put("selector", Metadata.members(ref));
        return JsonObject.of(ObjectKind.BUDGET, Metadata.of(wanted, ref.name())).put("spec", spec);
    }
}
