package io.github.etcdgitops.gateway.kube.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.gateway.RingSecrets.Kind;
import io.github.etcdgitops.gateway.RingSecrets.Order;
import io.github.etcdgitops.gateway.kube.api.JsonObject;
import io.github.etcdgitops.gateway.kube.api.ObjectKind;
import io.github.etcdgitops.gateway.kube.api.Tree;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.util.Optional;
import java.util.stream.StreamSupport;

/// cert-manager's Certificate, `cert-manager.io/v1`: what its controller must keep in a Secret. Field names
/// are from its API reference.
public final class CertificateManifest {
    private CertificateManifest() {}

    /// Has the name of the Secret that it fills.
    public static ObjectNode of(ClusterRef ref, Kind kind, Order order, long epoch) {
        String name = kind.secretName(ref);
        return JsonObject.of(ObjectKind.CERTIFICATE, Metadata.of(ref, name, epoch))
                .put("spec", spec(name, order))
                .tree();
    }

    private static JsonObject spec(String secret, Order order) {
        var issuer = new JsonObject()
                .put("group", "cert-manager.io")
                .put("kind", order.issuer().kind())
                .put("name", order.issuer().name());
        var key = new JsonObject().put("algorithm", "ECDSA").put("size", 256).put("rotationPolicy", "Always");
        return new JsonObject()
                .put("secretName", secret)
                .put("issuerRef", issuer)
                .put("duration", order.duration().toSeconds() + "s")
                .put("commonName", order.commonName())
                .texts("dnsNames", order.dnsNames())
                .texts("ipAddresses", order.addresses())
                .texts("usages", order.usages())
                .put("privateKey", key);
    }

    /// What is still missing; empty once its controller has filled the Secret for the current request, not
    /// an earlier one.
    public static Optional<String> missing(JsonNode live) {
        long generation = live.path("metadata").path("generation").asLong();
        var ready = StreamSupport.stream(live.path("status").path("conditions").spliterator(), false)
                .filter(condition -> condition.path("type").asText().equals("Ready"))
                .findFirst();
        if (ready.isEmpty()) {
            return Optional.of("cert-manager has not processed the Certificate " + Tree.name(live) + " yet");
        }
        boolean current = ready.get().path("observedGeneration").asLong(generation) >= generation;
        if (current && ready.get().path("status").asText().equals("True")) {
            return Optional.empty();
        }
        return Optional.of("the Certificate " + Tree.name(live) + " is not ready: "
                + ready.get().path("reason").asText("no reason given") + ", "
                + ready.get().path("message").asText("no message"));
    }
}
