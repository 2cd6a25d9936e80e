package io.github.etcdgitops.gateway.kube;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.etcdgitops.state.ManagedObject;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What this API server can do, asked once. Nothing is remembered of a failure.
final class ServerTraits {
    /// Fields that an older server drops without a word, and the minor version from which it keeps them.
    private static final Map<ManagedObject, Map<String, Integer>> SINCE = Map.of(
            ManagedObject.BUDGET, Map.of("/spec/unhealthyPodEvictionPolicy", 27),
            ManagedObject.CLIENT_SERVICE, Map.of("/spec/trafficDistribution", 31, "/spec/internalTrafficPolicy", 22),
            ManagedObject.PEER_SERVICE, Map.of("/spec/trafficDistribution", 31, "/spec/internalTrafficPolicy", 22));

    private final KubeApi api;
    private final Object lock = new Object();
    private volatile @Nullable Found found;

    private record Found(String policyVersion, int minor) {}

    ServerTraits(KubeApi api) {
        this.api = api;
    }

    String apiVersion(ObjectKind kind) {
        return kind == ObjectKind.BUDGET ? discovered().policyVersion() : kind.apiVersion();
    }

    /// No I/O: before anything was discovered, nothing is taken for dropped.
    boolean drops(ManagedObject object, String pointer) {
        Found known = found;
        return known != null
                && SINCE.getOrDefault(object, Map.of()).entrySet().stream()
                        .anyMatch(e -> known.minor() < e.getValue() && pointer.startsWith(e.getKey()));
    }

    private Found discovered() {
        Found known = found;
        if (known != null) {
            return known;
        }
        synchronized (lock) {
            Found meanwhile = found;
            if (meanwhile != null) {
                return meanwhile;
            }
            Found fresh = new Found(policyVersion(), minor());
            found = fresh;
            return fresh;
        }
    }

    private String policyVersion() {
        return api.document("/apis/policy")
                .map(group -> {
                    for (JsonNode version : group.path("versions")) {
                        if (version.path("version").asText().equals("v1")) {
                            return "policy/v1";
                        }
                    }
                    return group.path("versions").isEmpty() ? "policy/v1" : "policy/v1beta1";
                })
                .orElse("policy/v1");
    }

    /// `20+` and the like are common; what cannot be read counts as new.
    private int minor() {
        String digits = api.document("/version")
                .map(v -> v.path("minor").asText().replaceAll("\\D.*", ""))
                .orElse("");
        return digits.isEmpty() || digits.length() > 4 ? Integer.MAX_VALUE : Integer.parseInt(digits);
    }
}
