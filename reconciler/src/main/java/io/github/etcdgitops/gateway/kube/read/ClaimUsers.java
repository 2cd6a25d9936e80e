package io.github.etcdgitops.gateway.kube.read;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.RingVolumes.ClaimUser;
import io.github.etcdgitops.gateway.kube.api.KubeApi;
import io.github.etcdgitops.gateway.kube.api.ObjectKind;
import io.github.etcdgitops.gateway.kube.api.Tree;
import io.github.etcdgitops.state.PodPhase;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/// What uses a claim, or would: every pod of the namespace that mounts it, whoever created the pod, and
/// every StatefulSet that would give it to one of its pods. A pod that has ended no longer mounts anything.
public final class ClaimUsers {
    private static final int PAGE = 500;
    private static final int RESTARTS = 3;

    private final KubeApi api;

    public ClaimUsers(KubeApi api) {
        this.api = api;
    }

    /// Lists without a resourceVersion, which the API server answers from its store and not from its cache.
    public List<ClaimUser> of(String namespace, Set<String> claims) {
        var users = new TreeSet<ClaimUser>();
        all(ObjectKind.POD, namespace, pod -> {
            if (!ended(pod) && mounts(pod, claims)) {
                users.add(new ClaimUser(ClaimUser.Kind.POD, Tree.name(pod)));
            }
        });
        all(ObjectKind.STATEFUL_SET, namespace, set -> {
            if (gives(set, claims)) {
                users.add(new ClaimUser(ClaimUser.Kind.STATEFUL_SET, Tree.name(set)));
            }
        });
        return List.copyOf(users);
    }

    private static boolean ended(JsonNode pod) {
        var phase = PodLife.phase(pod);
        return phase == PodPhase.SUCCEEDED || phase == PodPhase.FAILED;
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

    /// When a continue token has expired, half a list is useless: it starts again.
    private void all(ObjectKind kind, String namespace, Consumer<JsonNode> each) {
        for (int attempt = 0; ; attempt++) {
            try {
                pages(kind, namespace, each);
                return;
            } catch (GatewayException e) {
                if (e.kind() != Kind.CONFLICT || attempt == RESTARTS) {
                    throw e;
                }
            }
        }
    }

    private void pages(ObjectKind kind, String namespace, Consumer<JsonNode> each) {
        var query = new KubeApi.Query(kind, namespace, "", PAGE, false);
        String token = "";
        do {
            token = api.page(query, token, (item, _) -> each.accept(item)).token();
        } while (!token.isEmpty());
    }
}
