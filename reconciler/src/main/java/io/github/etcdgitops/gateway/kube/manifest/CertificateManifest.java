package io.github.etcdgitops.gateway.kube.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.gateway.RingSecrets.Kind;
import io.github.etcdgitops.gateway.RingSecrets.Order;
import io.github.etcdgitops.gateway.kube.api.Labels;
import io.github.etcdgitops.gateway.kube.api.ObjectKind;
import io.github.etcdgitops.gateway.kube.api.Tree;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.util.List;
import java.util.Optional;
import java.util.stream.StreamSupport;

/// cert-manager's Certificate, `cert-manager.io/v1`: what its controller must keep in a Secret. Field names
/// are from its API reference.
public final class CertificateManifest {
    private CertificateManifest() {}

    /// Has the name of the Secret that it fills.
    public static ObjectNode of(ClusterRef ref, Kind kind, Order order, long epoch) {
        var object = Tree.object();
        object.put("apiVersion", ObjectKind.CERTIFICATE.apiVersion());
        object.put("kind", ObjectKind.CERTIFICATE.kind());
        var metadata = Tree.metadata(object);
        metadata.put("name", kind.secretName(ref));
        metadata.put("namespace", ref.namespace());
        var labels = metadata.withObjectProperty("labels");
        Metadata.sorted(Labels.of(ref)).forEach(labels::put);
        Tree.annotate(object, Labels.EPOCH, String.valueOf(epoch));
        spec(object.withObjectProperty("spec"), ref, kind, order);
        return object;
    }

    private static void spec(ObjectNode spec, ClusterRef ref, Kind kind, Order order) {
        spec.put("secretName", kind.secretName(ref));
        var issuer = spec.withObjectProperty("issuerRef");
        issuer.put("group", "cert-manager.io");
        issuer.put("kind", order.issuer().kind());
        issuer.put("name", order.issuer().name());
        spec.put("duration", order.duration().toSeconds() + "s");
        spec.put("commonName", order.commonName());
        put(spec, "dnsNames", order.dnsNames());
        put(spec, "ipAddresses", order.addresses());
        put(spec, "usages", order.usages());
        var key = spec.withObjectProperty("privateKey");
        key.put("algorithm", "ECDSA");
        key.put("size", 256);
        key.put("rotationPolicy", "Always");
    }

    /// The API would drop an empty list.
    private static void put(ObjectNode spec, String field, List<String> values) {
        if (!values.isEmpty()) {
            ArrayNode list = spec.putArray(field);
            values.forEach(list::add);
        }
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
