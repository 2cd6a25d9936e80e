package io.github.etcdgitops.gateway.kube.manifest;

import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.github.etcdgitops.gateway.kube.api.CanonicalJson;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.Transport;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Requests and limits of the etcd container, and the environment variables that follow from them.
final class ContainerResources {
    private static final BigDecimal SHARE_FOR_HEAP = new BigDecimal("0.9");

    private ContainerResources() {}

    static ResourceRequirements of(Map<String, Object> resources) {
        try {
            return CanonicalJson.MAPPER.convertValue(resources, ResourceRequirements.class);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("podTemplate.resources is not valid for Kubernetes", e);
        }
    }

    /// With `--config-file` etcd ignores `ETCD_*`, and logs that, so none is set. The Go runtime sees the
    /// whole node rather than the container's limits, so the limits are passed to it.
    static List<EnvVar> environment(EtcdVersion version, Transport transport, ResourceRequirements resources) {
        List<EnvVar> environment = new ArrayList<>();
        environment.add(new EnvVarBuilder()
                .withName("POD_NAME")
                .withNewValueFrom()
                .withNewFieldRef()
                .withApiVersion("v1")
                .withFieldPath("metadata.name")
                .endFieldRef()
                .endValueFrom()
                .build());
        limit(resources, "cpu")
                .map(cpu -> cpu.setScale(0, RoundingMode.FLOOR).max(BigDecimal.ONE))
                .ifPresent(cpus -> environment.add(variable("GOMAXPROCS", cpus.toPlainString())));
        limit(resources, "memory")
                .map(bytes -> bytes.multiply(SHARE_FOR_HEAP).setScale(0, RoundingMode.FLOOR))
                .ifPresent(bytes -> environment.add(variable("GOMEMLIMIT", bytes.toPlainString())));
        if (!version.atLeast(3, 6, 0)) {
            environment.add(variable("ETCDCTL_API", "3"));
        }
        environment.addAll(etcdctl(transport));
        return List.copyOf(environment);
    }

    /// So that `kubectl exec … etcdctl` works without flags, and so does a probe that runs it.
    private static List<EnvVar> etcdctl(Transport transport) {
        String address = "://127.0.0.1:" + Ports.CLIENT;
        if (!transport.client().secured()) {
            return List.of(variable("ETCDCTL_ENDPOINTS", "http" + address));
        }
        return List.of(
                variable("ETCDCTL_ENDPOINTS", "https" + address),
                variable("ETCDCTL_CACERT", PodPaths.tlsFile(PodPaths.CLIENT, "ca.crt")),
                variable("ETCDCTL_CERT", PodPaths.tlsFile(PodPaths.CLIENT, "tls.crt")),
                variable("ETCDCTL_KEY", PodPaths.tlsFile(PodPaths.CLIENT, "tls.key")));
    }

    private static Optional<BigDecimal> limit(ResourceRequirements resources, String name) {
        Map<String, Quantity> limits = resources.getLimits();
        return limits == null
                ? Optional.empty()
                : Optional.ofNullable(limits.get(name)).map(Quantity::getNumericalAmount);
    }

    private static EnvVar variable(String name, String value) {
        return new EnvVarBuilder().withName(name).withValue(value).build();
    }
}
