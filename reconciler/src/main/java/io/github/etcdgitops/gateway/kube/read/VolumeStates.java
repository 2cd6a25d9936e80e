package io.github.etcdgitops.gateway.kube.read;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.Storage;
import io.github.etcdgitops.spec.value.WireName;
import io.github.etcdgitops.state.ClaimPhase;
import io.github.etcdgitops.state.Host;
import io.github.etcdgitops.state.VolumeState;
import java.util.ArrayList;
import java.util.Optional;

/// Interprets a claim's information about its volume.
public final class VolumeStates {
    private VolumeStates() {}

    static VolumeState of(JsonNode claim, Optional<Host> home) {
        JsonNode status = claim.path("status");
        var conditions = new ArrayList<String>();
        for (JsonNode condition : status.path("conditions")) {
            if (condition.path("status").asText().equals("True")) {
                conditions.add(condition.path("type").asText());
            }
        }
        return new VolumeState(
                asked(claim.path("spec")),
                present(status.path("capacity").path("storage").asText("")),
                conditions,
                home);
    }

    /// Kubernetes gives every claim a phase; where it is left out, the claim is new.
    static ClaimPhase phase(JsonNode claim) {
        String phase = claim.path("status").path("phase").asText();
        return phase.isEmpty()
                ? ClaimPhase.PENDING
                : WireName.find(ClaimPhase.values(), phase).orElse(ClaimPhase.UNKNOWN);
    }

    /// For a claim, or for the template of claims.
    public static Storage asked(JsonNode spec) {
        return new Storage(
                spec.path("resources").path("requests").path("storage").asText(),
                present(spec.path("storageClassName").asText("")));
    }

    private static Optional<String> present(String text) {
        return Optional.of(text).filter(t -> !t.isEmpty());
    }
}
