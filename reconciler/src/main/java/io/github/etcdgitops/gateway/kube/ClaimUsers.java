package io.github.etcdgitops.gateway.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// Who has a claim, or would take it: every pod of the namespace that mounts it, whoever has made that, and
/// every StatefulSet that would give it to a pod of its own. A pod that has ended mounts nothing any more.
final class ClaimUsers {
    private static final int PAGE = 500;
    private static final int RESTARTS = 3;

    private final KubeApi api;

    ClaimUsers(KubeApi api) {
        this.api = api;
    }

    /// Lists without a resourceVersion, which the API server answers from its store and not from its
    /// cache.
    List<String> of(String namespace, Set<String> claims) {
        var users = new TreeSet<String>();
        for (JsonNode pod : all(ObjectKind.POD, namespace)) {
            if (!ended(pod) && mounts(pod, claims)) {
                users.add("the pod " + pod.path("metadata").path("name").asText());
            }
        }
        for (JsonNode set : all(ObjectKind.STATEFUL_SET, namespace)) {
            if (gives(set, claims)) {
                users.add("the StatefulSet " + set.path("metadata").path("name").asText());
            }
        }
        return List.copyOf(users);
    }

    private static boolean ended(JsonNode pod) {
        String phase = pod.path("status").path("phase").asText();
        return phase.equals("Succeeded") || phase.equals("Failed");
    }

    private static boolean mounts(JsonNode pod, Set<String> claims) {
        for (JsonNode volume : pod.path("spec").path("volumes")) {
            if (claims.contains(
                    volume.path("persistentVolumeClaim").path("claimName").asText())) {
                return true;
            }
        }
        return false;
    }

    private static boolean gives(JsonNode set, Set<String> claims) {
        for (JsonNode template : set.path("spec").path("volumeClaimTemplates")) {
            String prefix = template.path("metadata").path("name").asText() + "-"
                    + set.path("metadata").path("name").asText() + "-";
            if (claims.stream().anyMatch(claim -> Ordinals.of(prefix, claim, "").isPresent())) {
                return true;
            }
        }
        return false;
    }

    /// When a continue token has expired, half a list is worth nothing: again from the start.
    private List<JsonNode> all(ObjectKind kind, String namespace) {
        for (int attempt = 0; ; attempt++) {
            try {
                return pages(kind, namespace);
            } catch (GatewayException e) {
                if (e.kind() != Kind.CONFLICT || attempt == RESTARTS) {
                    throw e;
                }
            }
        }
    }

    private List<JsonNode> pages(ObjectKind kind, String namespace) {
        var items = new ArrayList<JsonNode>();
        String token = "";
        do {
            ObjectNode page = api.page(kind, namespace, "", PAGE, token);
            page.path("items").forEach(items::add);
            token = page.path("metadata").path("continue").asText();
        } while (!token.isEmpty());
        return items;
    }
}
