package io.github.etcdgitops.ring.storage;

import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Finding.Level;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.Quantity;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.NamespaceQuota;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Stream;

/// What the ResourceQuotas of a ring's namespace leave no room for. Only a warning: the API server decides,
/// and until then a quota may be raised, or used by others.
public final class QuotaFindings {
    private QuotaFindings() {}

    /// Scoped quotas are ignored: they may not apply to the ring's pods.
    public static List<Finding> of(EtcdClusterSpec spec, ClusterState state) {
        var demand = QuotaDemand.of(spec, state.kube(), state.classes());
        return state.supply().quotas().optional().orElseGet(List::of).stream()
                .filter(quota -> !quota.scoped())
                .flatMap(
                        quota -> quota.hard().keySet().stream().flatMap(r -> finding(state, quota, r, demand).stream()))
                .toList();
    }

    private static Optional<Finding> finding(
            ClusterState state, NamespaceQuota quota, String resource, SortedMap<String, Quantity> demand) {
        var needed = Optional.ofNullable(demand.get(resource));
        String at = "the ResourceQuota " + quota.name() + " of the namespace "
                + state.ref().namespace();
        var left = quota.left(resource);
        if (needed.isEmpty()) {
            return demand.containsKey("pods") && ofPods(resource)
                    ? Optional.of(new Finding(
                            Level.NOTE,
                            FindingCode.NAMESPACE_QUOTA,
                            at + " limits " + resource + ", and /spec/podTemplate/resources sets none. Kubernetes"
                                    + " refuses the pods, unless a LimitRange of the namespace sets a default."
                                    + " Set it"))
                    : Optional.empty();
        }
        return needed.filter(amount -> amount.compareTo(left) > 0)
                .map(amount -> new Finding(
                        Level.WARNING,
                        FindingCode.NAMESPACE_QUOTA,
                        at + " leaves " + text(resource, left) + " of "
                                + text(resource, quota.hard().getOrDefault(resource, Quantity.ZERO)) + " " + resource
                                + ", and the ring needs " + text(resource, amount)
                                + " more. Kubernetes refuses what goes"
                                + " beyond the quota. Have the quota raised, or lower what the ring needs"));
    }

    /// With a quota on this resource, Kubernetes rejects every pod that does not state how much of it it
    /// needs.
    private static boolean ofPods(String resource) {
        return Stream.of("cpu", "memory")
                .anyMatch(name ->
                        Stream.of(name, "requests." + name, "limits." + name).anyMatch(resource::equals));
    }

    private static String text(String resource, Quantity amount) {
        return resource.endsWith("storage") || resource.endsWith("memory") ? amount.inBytes() : amount.plain();
    }
}
