package io.github.etcdgitops.gateway.kube.manifest;

import io.github.etcdgitops.gateway.kube.api.JsonObject;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.Quantity;
import io.github.etcdgitops.spec.value.Transport;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BinaryOperator;

/// Requests and limits of a container, as texts, and the environment variables of etcd that follow from
/// them.
record ContainerResources(SortedMap<String, String> requests, SortedMap<String, String> limits) {
    private static final String REQUESTS = "requests";
    private static final String LIMITS = "limits";
    private static final BigDecimal SHARE_FOR_HEAP = new BigDecimal("0.9");

    private static final String EXBIBYTES = "Ei";

    /// Earlier versions rounded it to 16 digits, and no ring must restart for the rest.
    private static final BigDecimal EXBIBYTE = BigDecimal.TWO.pow(60).round(MathContext.DECIMAL64);

    /// Those of the ring's etcd container.
    static ContainerResources of(EtcdClusterSpec spec) {
        var resources = spec.podTemplate().resources();
        if (!Set.of(REQUESTS, LIMITS).containsAll(resources.keySet())) {
            throw invalid();
        }
        return new ContainerResources(amounts(resources, REQUESTS), amounts(resources, LIMITS));
    }

    private static SortedMap<String, String> amounts(Map<String, Object> resources, String part) {
        var amounts = new TreeMap<String, String>();
        if (!(resources.getOrDefault(part, amounts) instanceof Map<?, ?> map)) {
            throw invalid();
        }
        map.forEach((kind, amount) -> amounts.put(String.valueOf(kind), valid(String.valueOf(amount))));
        return amounts;
    }

    private static String valid(String amount) {
        if (Quantity.parse(amount).isEmpty()) {
            throw invalid();
        }
        return amount;
    }

    private static IllegalArgumentException invalid() {
        return new IllegalArgumentException("podTemplate.resources is not valid for Kubernetes");
    }

    ContainerResources only(Set<String> kinds) {
        return new ContainerResources(only(kinds, requests), only(kinds, limits));
    }

    private static SortedMap<String, String> only(Set<String> kinds, Map<String, String> amounts) {
        var some = new TreeMap<>(amounts);
        some.keySet().retainAll(kinds);
        return some;
    }

    /// Of the same kinds: a namespace with a quota requires them from every container. `amount` gives the
    /// amount of a kind from the one here.
    ContainerResources with(BinaryOperator<String> amount) {
        return new ContainerResources(with(amount, requests), with(amount, limits));
    }

    private static SortedMap<String, String> with(BinaryOperator<String> amount, Map<String, String> amounts) {
        var others = new TreeMap<>(amounts);
        others.replaceAll(amount);
        return others;
    }

    JsonObject json() {
        return new JsonObject().put(REQUESTS, requests).put(LIMITS, limits);
    }

    /// With `--config-file` etcd ignores `ETCD_*`, and logs that, so none is set. The Go runtime sees the
    /// whole node rather than the container's limits, so the limits are passed to it.
    List<JsonObject> environment(EtcdVersion version, Transport transport) {
        var field = new JsonObject().put("apiVersion", "v1").put("fieldPath", "metadata.name");
        List<JsonObject> environment = new ArrayList<>();
        environment.add(
                new JsonObject().put("name", "POD_NAME").put("valueFrom", new JsonObject().put("fieldRef", field)));
        var values = new LinkedHashMap<String, String>();
        limit("cpu")
                .map(cpu -> cpu.setScale(0, RoundingMode.FLOOR).max(BigDecimal.ONE))
                .ifPresent(cpus -> values.put("GOMAXPROCS", cpus.toPlainString()));
        limit("memory")
                .map(bytes -> bytes.multiply(SHARE_FOR_HEAP).setScale(0, RoundingMode.FLOOR))
                .ifPresent(bytes -> values.put("GOMEMLIMIT", bytes.toPlainString()));
        if (!version.atLeast(3, 6, 0)) {
            values.put("ETCDCTL_API", "3");
        }
        putEtcdctl(values, transport);
        environment.addAll(variables(values));
        return List.copyOf(environment);
    }

    /// So that `kubectl exec … etcdctl` works without flags, and so does a probe that runs it.
    private static void putEtcdctl(Map<String, String> values, Transport transport) {
        boolean secured = transport.client().secured();
        values.put("ETCDCTL_ENDPOINTS", (secured ? "https" : "http") + "://127.0.0.1:" + Ports.CLIENT);
        if (secured) {
            values.put("ETCDCTL_CACERT", PodPaths.tlsFile(PodPaths.CLIENT, "ca.crt"));
            values.put("ETCDCTL_CERT", PodPaths.tlsFile(PodPaths.CLIENT, "tls.crt"));
            values.put("ETCDCTL_KEY", PodPaths.tlsFile(PodPaths.CLIENT, "tls.key"));
        }
    }

    static List<JsonObject> variables(SequencedMap<String, String> values) {
        return values.entrySet().stream()
                .map(variable -> new JsonObject().put("name", variable.getKey()).put("value", variable.getValue()))
                .toList();
    }

    private Optional<BigDecimal> limit(String kind) {
        return Optional.ofNullable(limits.get(kind)).map(ContainerResources::number);
    }

    static boolean less(String amount, String other) {
        return number(amount).compareTo(number(other)) < 0;
    }

    private static BigDecimal number(String amount) {
        return amount.endsWith(EXBIBYTES)
                ? new BigDecimal(amount.substring(0, amount.length() - EXBIBYTES.length())).multiply(EXBIBYTE)
                : Quantity.parse(amount).orElseThrow().value();
    }
}
