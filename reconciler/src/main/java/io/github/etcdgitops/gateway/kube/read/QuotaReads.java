package io.github.etcdgitops.gateway.kube.read;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.etcdgitops.gateway.kube.api.KubeApi;
import io.github.etcdgitops.gateway.kube.api.ObjectKind;
import io.github.etcdgitops.gateway.kube.api.RingApis;
import io.github.etcdgitops.inert.Inert;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Quantity;
import io.github.etcdgitops.state.NamespaceQuota;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// The ResourceQuotas of a ring's namespace. A quota that its controller has not counted yet has no status,
/// and does not limit anything here.
public record QuotaReads(RingApis apis) {
    private static final int MOST = 50;

    public List<NamespaceQuota> of(ClusterRef ref) {
        var quotas = new ArrayList<NamespaceQuota>();
        apis.of(ref)
                .page(
                        new KubeApi.Query(ObjectKind.RESOURCE_QUOTA, ref.namespace(), "", MOST, false),
                        "",
                        (object, _) -> quotas.add(quota(object)));
        return List.copyOf(quotas);
    }

    private static NamespaceQuota quota(JsonNode object) {
        var spec = object.path("spec");
        boolean scoped = !spec.path("scopes").isEmpty()
                || !spec.path("scopeSelector").path("matchExpressions").isEmpty();
        var status = object.path("status");
        return new NamespaceQuota(
                Inert.line(object.path("metadata").path("name").asText()),
                scoped,
                amounts(status.path("hard")),
                amounts(status.path("used")));
    }

    private static SortedMap<String, Quantity> amounts(JsonNode object) {
        var amounts = new TreeMap<String, Quantity>();
        object.properties()
                .forEach(entry -> Quantity.parse(entry.getValue().asText())
                        .ifPresent(amount -> amounts.put(Inert.line(entry.getKey()), amount)));
        return amounts;
    }
}
