package io.github.etcdgitops.gateway.kube.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Under which version this API server serves what, asked once. Nothing is remembered of a failure.
///
/// Of the objects only budgets differ in the range of Kubernetes versions supported: `policy/v1` came with
/// 1.21, `policy/v1beta1` went with 1.25. The fields that are used are the same.
public final class ServerTraits {
    private static final int EPHEMERAL_VOLUMES = 23;

    private final Function<String, Optional<ObjectNode>> documents;
    private final Object lock = new Object();
    private volatile @Nullable String policy;

    /// `documents` asks the API server for the one of a path, empty where it has none.
    ServerTraits(Function<String, Optional<ObjectNode>> documents) {
        this.documents = documents;
    }

    public String apiVersion(ObjectKind kind) {
        return kind == ObjectKind.BUDGET ? policy() : kind.apiVersion();
    }

    private String policy() {
        String known = policy;
        if (known != null) {
            return known;
        }
        synchronized (lock) {
            String meanwhile = policy;
            if (meanwhile != null) {
                return meanwhile;
            }
            String found =
                    documents.apply("/apis/policy").map(ServerTraits::newest).orElse(ObjectKind.BUDGET.apiVersion());
            policy = found;
            return found;
        }
    }

    /// Volumes of a storage class that go with their pod are in use from 1.23 on. A server that says what nobody
    /// understands counts as older.
    public boolean hasEphemeralVolumes() {
        return documents
                .apply("/version")
                .filter(version -> version.path("major").asText().equals("1"))
                .map(version -> version.path("minor").asText().replaceFirst("[^0-9].*", ""))
                .filter(minor -> !minor.isEmpty() && minor.length() <= 4)
                .map(minor -> Integer.parseInt(minor) >= EPHEMERAL_VOLUMES)
                .orElse(false);
    }

    private static String newest(ObjectNode group) {
        boolean old = false;
        for (JsonNode version : group.path("versions")) {
            if (version.path("version").asText().equals("v1")) {
                return ObjectKind.BUDGET.apiVersion();
            }
            old |= version.path("version").asText().equals("v1beta1");
        }
        return old ? "policy/v1beta1" : ObjectKind.BUDGET.apiVersion();
    }
}
