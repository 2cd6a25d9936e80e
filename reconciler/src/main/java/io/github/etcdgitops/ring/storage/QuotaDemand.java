package io.github.etcdgitops.ring.storage;

import io.github.etcdgitops.ring.VolumeGrowth;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.Storage;
import io.github.etcdgitops.spec.value.Quantity;
import io.github.etcdgitops.state.Expansion;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.KubeState.ClaimState;
import io.github.etcdgitops.state.value.Observed;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/// What the ring in the document needs from the quotas of its namespace beyond what already exists: pods
/// and claims of members that have none, and larger volumes. Amounts are by the names that ResourceQuotas
/// count them under.
///
/// A pod or a volume that replaces another one needs nothing extra: the former one is gone by then. Jobs
/// are not included.
public final class QuotaDemand {
    private static final String CLAIMS = "persistentvolumeclaims";
    private static final String STORAGE = "requests.storage";

    private final SortedMap<String, BigDecimal> amounts = new TreeMap<>();

    private QuotaDemand() {}

    public static SortedMap<String, Quantity> of(
            EtcdClusterSpec spec, KubeState kube, SortedMap<String, Observed<Expansion>> classes) {
        var demand = new QuotaDemand();
        demand.pods(spec, kube);
        demand.claims(spec, kube, VolumeGrowth.of(spec, kube, classes));
        var all = new TreeMap<String, Quantity>();
        demand.amounts.forEach((resource, amount) -> all.put(resource, new Quantity(amount)));
        return all;
    }

    private void pods(EtcdClusterSpec spec, KubeState kube) {
        long missing = kube.pods().optional().map(pods -> missing(spec, pods)).orElse(0L);
        if (missing == 0) {
            return;
        }
        count("pods", missing);
        var resources = spec.podTemplate().resources();
        var limits = resources.get("limits") instanceof Map<?, ?> map ? map : Map.of();
        var requests = new TreeMap<String, Object>();
        // Kubernetes uses the limit where no request is given.
        limits.forEach((name, amount) -> requests.put(String.valueOf(name), amount));
        if (resources.get("requests") instanceof Map<?, ?> map) {
            map.forEach((name, amount) -> requests.put(String.valueOf(name), amount));
        }
        requests.forEach((name, amount) -> {
            of(amount).ifPresent(each -> {
                add(name, each, missing);
                add("requests." + name, each, missing);
            });
        });
        limits.forEach((name, amount) -> of(amount).ifPresent(each -> add("limits." + name, each, missing)));
    }

    private void claims(EtcdClusterSpec spec, KubeState kube, VolumeGrowth growth) {
        var claims = kube.claims().optional();
        if (claims.isEmpty()) {
            return;
        }
        var made = kube.knownSet()
                .flatMap(set -> set.template().storage())
                .filter(_ -> !growth.feasible())
                .orElseGet(spec::storage);
        long missing = missing(spec, claims.get());
        var storageClass = VolumeGrowth.classOfNewClaims(spec, kube);
        count(CLAIMS, missing);
        storageClass.ifPresent(name -> add(ofClass(name, CLAIMS), BigDecimal.ONE, missing));
        size(made).ifPresent(size -> storage(storageClass, size, missing));
        if (growth.feasible()) {
            growth.claims().stream()
                    .flatMap(ordinal -> Optional.ofNullable(claims.get().get(ordinal)).stream())
                    .forEach(claim -> grow(spec, claim));
        }
    }

    private void grow(EtcdClusterSpec spec, ClaimState claim) {
        var more = size(spec.storage()).flatMap(size -> size(claim.storage()).map(size::subtract));
        more.ifPresent(amount -> storage(claim.storage().storageClassName(), amount.max(BigDecimal.ZERO), 1));
    }

    private void storage(Optional<String> storageClass, BigDecimal size, long times) {
        add(STORAGE, size, times);
        storageClass.ifPresent(name -> add(ofClass(name, STORAGE), size, times));
    }

    private static String ofClass(String name, String resource) {
        return name + ".storageclass.storage.k8s.io/" + resource;
    }

    private static long missing(EtcdClusterSpec spec, SortedMap<Integer, ?> there) {
        return IntStream.range(0, spec.size())
                .filter(ordinal -> !there.containsKey(ordinal))
                .count();
    }

    private static Optional<BigDecimal> size(Storage storage) {
        return Quantity.parse(storage.size()).map(Quantity::value);
    }

    private static Optional<BigDecimal> of(Object amount) {
        return Quantity.parse(String.valueOf(amount)).map(Quantity::value);
    }

    private void count(String resource, long times) {
        add(resource, BigDecimal.ONE, times);
        add("count/" + resource, BigDecimal.ONE, times);
    }

    private void add(String resource, BigDecimal amount, long times) {
        var all = amount.multiply(BigDecimal.valueOf(times));
        if (all.signum() > 0) {
            amounts.merge(resource, all, BigDecimal::add);
        }
    }
}
