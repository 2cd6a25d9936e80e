package io.github.etcdgitops.gateway.kube.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The API versions that this API server serves, asked once. A failure is not remembered.
///
/// In the supported range of Kubernetes versions only budgets differ: `policy/v1` came with 1.21,
/// `policy/v1beta1` was removed in 1.25. The fields in use are the same.
public final class ServerTraits {
    private static final int EPHEMERAL_VOLUMES = 23;

    private final Function<String, Optional<ObjectNode>> documents;
    private final Object lock = new Object();
    private volatile @Nullable String policy;

    /// `documents` asks the API server for the document of a path, empty where there is none.
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

    /// Volumes of a storage class that are deleted with their pod are used from 1.23 on. A server with an
    /// unreadable version counts as older.
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
