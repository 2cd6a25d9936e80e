package io.github.etcdgitops.gateway.kube.read;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.kube.api.Errors;
import io.github.etcdgitops.gateway.kube.api.KubeApi;
import io.github.etcdgitops.gateway.kube.api.ObjectKind;
import io.github.etcdgitops.gateway.kube.api.RingApis;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.value.Observed;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;

/// One ring, object by object and by name. A GET without a resourceVersion is answered from the store with
/// quorum, never from the API server's cache. So this class can prove absence.
public final class RingReads {
    private final RingApis apis;
    private final NodeReads machines;

    public RingReads(RingApis apis, KubeApi own) {
        this.apis = apis;
        this.machines = new NodeReads(own);
    }

    public KubeState read(ClusterRef ref, int claims) {
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            var objects = new EnumMap<Part, Future<Observed<Optional<ObjectNode>>>>(Part.class);
            for (Part part : Part.values()) {
                objects.put(part, executor.submit(() -> one(part.kind(), ref, part.name(ref))));
            }
            var podReads = start(executor, ref, ObjectKind.POD, 0, claims, ref::podName);

            var known = new EnumMap<Part, Observed<Optional<ObjectNode>>>(Part.class);
            objects.forEach((part, read) -> known.put(part, ended(read)));
            String template = ClaimTemplates.nameOf(known::get);
            var claimReads =
                    start(executor, ref, ObjectKind.CLAIM, 0, claims, ordinal -> ref.claimName(template, ordinal));
            int replicas = replicas(known);
            podReads.putAll(start(executor, ref, ObjectKind.POD, claims, replicas, ref::podName));
            var pods = gathered(podReads);
            var volumes = gathered(claimReads);
            return StateMapper.state(ref, parts(known, pods, volumes, machines.of(pods, volumes)));
        }
    }

    private static RingParts parts(
            Map<Part, Observed<Optional<ObjectNode>>> objects,
            Observed<SortedMap<Integer, ObjectNode>> pods,
            Observed<SortedMap<Integer, ObjectNode>> claims,
            Hosts hosts) {
        // Without the StatefulSet it is unknown how many pods to read.
        Observed<SortedMap<Integer, ObjectNode>> counted = objects.getOrDefault(
                        Part.STATEFUL_SET, Observed.unknown("not read"))
                .flatMap(_ -> pods);
        boolean confirmed =
                objects.values().stream().allMatch(Observed::isKnown) && counted.isKnown() && claims.isKnown();
        return new RingParts(Collections.unmodifiableMap(objects), counted, claims, hosts, confirmed);
    }

    private static int replicas(Map<Part, Observed<Optional<ObjectNode>>> known) {
        return Observed.found(known.getOrDefault(Part.STATEFUL_SET, Observed.unknown("not read")))
                .map(object -> Math.min(Replicas.of(object), Replicas.MOST))
                .orElse(0);
    }

    private Map<Integer, Future<Observed<Optional<ObjectNode>>>> start(
            ExecutorService executor, ClusterRef ref, ObjectKind kind, int from, int to, IntFunction<String> name) {
        var reads = new TreeMap<Integer, Future<Observed<Optional<ObjectNode>>>>();
        for (int ordinal = from; ordinal < to; ordinal++) {
            String wanted = name.apply(ordinal);
            reads.put(ordinal, executor.submit(() -> one(kind, ref, wanted)));
        }
        return reads;
    }

    private static Observed<SortedMap<Integer, ObjectNode>> gathered(
            Map<Integer, Future<Observed<Optional<ObjectNode>>>> reads) {
        var found = new TreeMap<Integer, ObjectNode>();
        for (Map.Entry<Integer, Future<Observed<Optional<ObjectNode>>>> read : reads.entrySet()) {
            switch (ended(read.getValue())) {
                case Observed.Known<Optional<ObjectNode>>(Optional<ObjectNode> object) ->
                    object.ifPresent(o -> found.put(read.getKey(), o));
                case Observed.Unknown<Optional<ObjectNode>>(String reason, var _) -> {
                    return Observed.unknown(reason);
                }
            }
        }
        return Observed.known(found);
    }

    private Observed<Optional<ObjectNode>> one(ObjectKind kind, ClusterRef ref, String name) {
        try {
            return Observed.known(apis.of(ref).get(kind, ref.namespace(), name, ListedObjects.LARGEST_OBJECT));
        } catch (GatewayException e) {
            return Observed.unknown(String.valueOf(e.getMessage()));
        }
    }

    private static Observed<Optional<ObjectNode>> ended(Future<Observed<Optional<ObjectNode>>> read) {
        try {
            return read.get();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return Observed.unknown("reading was interrupted");
        } catch (ExecutionException e) {
            return Observed.unknown("reading failed (" + Errors.name(e) + ")");
        }
    }
}
