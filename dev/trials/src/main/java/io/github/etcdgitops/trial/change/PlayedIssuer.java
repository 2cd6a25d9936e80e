package io.github.etcdgitops.trial.change;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.github.etcdgitops.certificate.Authority;
import io.github.etcdgitops.certificate.Credential;
import io.github.etcdgitops.certificate.Leaf;
import io.github.etcdgitops.it.EtcdProcess;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.trial.bench.Bench;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/// Does what cert-manager's controller would, by its API reference: fills the Secret that a Certificate
/// names, signed by one CA, and says so in the status. The Certificates' definition is made for it, and
/// taken away at the end.
final class PlayedIssuer implements AutoCloseable {
    static final String ISSUER = "fleet-ca";

    private static final ResourceDefinitionContext CERTIFICATES = new ResourceDefinitionContext.Builder()
            .withGroup("cert-issuer.io")
            .withVersion("v1")
            .withKind("Certificate")
            .withPlural("certificates")
            .withNamespaced(true)
            .build();

    private static final String DEFINITION = """
        {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
         "metadata": {"name": "certificates.cert-issuer.io"},
         "spec": {"group": "cert-issuer.io", "scope": "Namespaced",
          "names": {"kind": "Certificate", "plural": "certificates", "singular": "certificate"},
          "versions": [{"name": "v1", "served": true, "storage": true, "subresources": {"status": {}},
           "schema": {"openAPIV3Schema": {"type": "object", "properties": {
            "spec": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
            "status": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}}}}]}}\
        """;

    private final Bench bench;
    private final Authority authority;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();

    PlayedIssuer(Bench bench) {
        this.bench = bench;
        var ref = new ClusterRef(bench.namespace(), ISSUER);
        this.authority = Authority.create(ref, Instant.now(), Duration.ofDays(30));
        bench.kube().resource(DEFINITION).create();
        EtcdProcess.await("Certificates are served", Duration.ofMinutes(1), this::served);
        clock.scheduleWithFixedDelay(this::look, 0, 1, TimeUnit.SECONDS);
    }

    private boolean served() {
        return bench.kube().getApiResources("cert-issuer.io/v1") != null;
    }

    private List<GenericKubernetesResource> all() {
        return bench.kube()
                .genericKubernetesResources(CERTIFICATES)
                .inNamespace(bench.namespace())
                .list()
                .getItems();
    }

    private void look() {
        try {
            all().stream().filter(certificate -> !isReady(certificate)).forEach(this::issue);
        } catch (RuntimeException e) {
            System.err.println("playing cert-manager: " + e.getMessage());
        }
    }

    private static boolean isReady(GenericKubernetesResource certificate) {
        var status = new ObjectMapper()
                .valueToTree(certificate.getAdditionalProperties().get("status"));
        return status.path("conditions").path(0).path("observedGeneration").asLong(-1)
                == certificate.getMetadata().getGeneration();
    }

    private void issue(GenericKubernetesResource certificate) {
        var spec = new ObjectMapper()
                .valueToTree(certificate.getAdditionalProperties().get("spec"));
        String secret = spec.path("secretName").asText();
        if (!spec.path("issuerRef").path("name").asText().equals(ISSUER)) {
            return;
        }
        var leaf =
                secret.endsWith("-peer-tls") ? Leaf.PEER : secret.endsWith("-server-tls") ? Leaf.SERVER : Leaf.CLIENT;
        var ref = new ClusterRef(bench.namespace(), secret.replaceFirst("-(peer|server|client)-tls$", ""));
        var made = authority.issue(leaf, ref, Instant.now(), Duration.ofDays(20));
        bench.kube()
                .resource(new SecretBuilder()
                        .withNewMetadata()
                        .withName(secret)
                        .withNamespace(bench.namespace())
                        .endMetadata()
                        .withType("kubernetes.io/tls")
                        .withData(data(made))
                        .build())
                .createOr(io.fabric8.kubernetes.client.dsl.NonDeletingOperation::update);
        certificate.setAdditionalProperty(
                "status",
                Map.of(
                        "conditions",
                        List.of(Map.of(
                                "type", "Ready",
                                "status", "True",
                                "observedGeneration", certificate.getMetadata().getGeneration()))));
        bench.kube()
                .genericKubernetesResources(CERTIFICATES)
                .resource(certificate)
                .updateStatus();
    }

    private Map<String, String> data(Credential made) {
        var base64 = Base64.getEncoder();
        return Map.of(
                "tls.crt", base64.encodeToString(made.certificatePem()),
                "tls.key", base64.encodeToString(made.keyPem()),
                "ca.crt", base64.encodeToString(authority.certificatePem()));
    }

    int certificates() {
        return all().size();
    }

    @Override
    public void close() {
        clock.shutdownNow();
        bench.kube().resource(DEFINITION).delete();
    }
}
