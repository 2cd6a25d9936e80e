package io.github.etcdgitops.fake;

import static io.github.etcdgitops.gateway.GatewayException.Kind.UNAUTHORIZED;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Quantity;
import io.github.etcdgitops.state.NamespaceQuota;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// The ResourceQuotas of a [FakeWorld], as their controller tells of them. Of these only the pods of
/// [Faults#podQuota] are enforced.
public final class FakeQuotas {
    private final FakeWorld world;
    private final List<NamespaceQuota> named = new ArrayList<>();
    private final Set<ClusterRef> refused = new HashSet<>();
    private boolean forbidden;
    private int reads;

    FakeQuotas(FakeWorld world) {
        this.world = world;
    }

    public void quota(String name, Map<String, String> hard, Map<String, String> used) {
        named.add(new NamespaceQuota(name, false, amounts(hard), amounts(used)));
    }

    public void scoped(String name, Map<String, String> hard) {
        named.add(new NamespaceQuota(name, true, amounts(hard), amounts(Map.of())));
    }

    public void forbid() {
        forbidden = true;
    }

    /// With the rights of one ring; the others may.
    public void forbid(ClusterRef ref) {
        refused.add(ref);
    }

    /// How often somebody has asked for them.
    public int reads() {
        return reads;
    }

    List<NamespaceQuota> of(ClusterRef ref) {
        reads++;
        if (forbidden || refused.contains(ref)) {
            throw new GatewayException(UNAUTHORIZED, false, "resourcequotas is forbidden");
        }
        var all = new ArrayList<>(named);
        var ring = world.ring(ref);
        if (ring.podQuota < Integer.MAX_VALUE) {
            all.add(new NamespaceQuota(
                    "pods",
                    false,
                    amounts(Map.of("pods", "" + ring.podQuota)),
                    amounts(Map.of("pods", "" + ring.pods.size()))));
        }
        return List.copyOf(all);
    }

    private static SortedMap<String, Quantity> amounts(Map<String, String> amounts) {
        var quantities = new TreeMap<String, Quantity>();
        amounts.forEach((resource, amount) ->
                quantities.put(resource, Quantity.parse(amount).orElseThrow()));
        return quantities;
    }
}
