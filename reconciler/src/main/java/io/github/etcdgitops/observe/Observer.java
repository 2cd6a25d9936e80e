package io.github.etcdgitops.observe;

import io.github.etcdgitops.gateway.EtcdGateway;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.KubernetesGateway;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.gateway.MemberAccess.Door;
import io.github.etcdgitops.gateway.RingObjects;
import io.github.etcdgitops.operation.Budget;
import io.github.etcdgitops.operation.Configuration;
import io.github.etcdgitops.spec.ClusterRef;
import io.github.etcdgitops.spec.EtcdClusterSpec;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.Journal;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.KubeState.PodState;
import io.github.etcdgitops.state.Observed;
import io.github.etcdgitops.state.RingState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// Reads one ring: its objects from the API server, and every member on its own endpoint, each within a
/// deadline. Whatever fails here becomes Unknown; nothing is thrown for a ring that is in trouble.
public final class Observer {
    private static final Duration PROBE_DEADLINE = Duration.ofSeconds(4);

    private final KubernetesGateway kube;
    private final EtcdGateway etcd;
    private final MemberAccess access;

    private final Supplier<ExecutorService> threads;

    /// `threads` makes the executor that the members of one ring are asked on; it is closed after each
    /// reading.
    public Observer(KubernetesGateway kube, EtcdGateway etcd, MemberAccess access, Supplier<ExecutorService> threads) {
        this.threads = threads;
        this.kube = kube;
        this.etcd = etcd;
        this.access = access;
    }

    /// Everything anew, each object by name: the only reading on which something may be done. Every
    /// possible ordinal is read, so that claims of an earlier, larger ring are seen.
    public ClusterState fresh(EtcdClusterSpec spec) {
        var read = kube.read(spec.ref(), EtcdClusterSpec.MAX_SIZE);
        boolean foreign = read.statefulSet()
                .optional()
                .flatMap(set -> set)
                .filter(set -> !set.ours())
                .isPresent();
        return foreign && spec.declaration().adopt().isPresent()
                ? foreign(spec.ref(), read)
                : complete(spec.ref(), read, Optional.of(spec));
    }

    /// A ring that is not ours, whoever has made it.
    public ClusterState foreign(ClusterRef ref) {
        return foreign(ref, kube.read(ref, EtcdClusterSpec.MAX_SIZE));
    }

    /// Which pod is which member is asked of the members themselves: their peer URLs are not ours.
    private ClusterState foreign(ClusterRef ref, KubeState read) {
        var foreign = kube.readForeign(ref);
        var pods = foreign.map(found -> found.map(f -> KubeState.byOrdinal(f.pods().entrySet().stream()
                        .collect(Collectors.toMap(
                                Map.Entry::getKey, e -> e.getValue().state()))))
                .orElseGet(TreeMap::new));
        var state = read.withPods(pods);
        var ring = pods.optional()
                .map(found -> RingViews.seated(ref, probeAll(ref, found, Door.CLIENT)))
                .orElseGet(() -> Observed.unknown(pods.unknownReason().orElse("")));
        return new ClusterState(ref, state, ring, Observed.known(List.of()), "", foreign);
    }

    /// Adds what the members say, and what differs from the spec, to objects that were read already.
    public ClusterState complete(ClusterRef ref, KubeState state, Optional<EtcdClusterSpec> spec) {
        var ring = ring(ref, state);
        var authority = state.authority();
        var wanted = spec.map(s -> wanted(s, state.appliedOr(s.server()), ring, authority));
        var rolled = spec.map(s -> wanted(s, Configuration.target(s, state), ring, authority));
        var drift = wanted.map(w -> state.objects().live().map(_ -> kube.drift(state, w)))
                .orElseGet(() -> Observed.known(List.of()));
        return new ClusterState(
                ref, state, ring, drift, rolled.map(kube::templateDigest).orElse(""));
    }

    /// What the ring's objects should be at rest with the voters it has now.
    private static RingObjects wanted(
            EtcdClusterSpec spec, Journal.Applied applied, Observed<RingState> ring, Optional<String> authority) {
        int voters = ring.optional().map(r -> r.voters().size()).orElse(spec.size());
        return new RingObjects(spec, applied, voters, Budget.of(voters), 0, authority);
    }

    private Observed<RingState> ring(ClusterRef ref, KubeState state) {
        return switch (state.pods()) {
            case Observed.Unknown<SortedMap<Integer, PodState>>(String reason) -> Observed.unknown(reason);
            case Observed.Known<SortedMap<Integer, PodState>>(var pods) ->
                RingViews.merge(ref, probeAll(ref, pods, Door.clients(state.clientsSecured())));
        };
    }

    private Map<Integer, Observed<EtcdGateway.View>> probeAll(
            ClusterRef ref, SortedMap<Integer, PodState> pods, Door door) {
        var views = new TreeMap<Integer, Observed<EtcdGateway.View>>();
        try (var running = threads.get()) {
            var futures = new TreeMap<Integer, Future<Observed<EtcdGateway.View>>>();
            pods.forEach((ordinal, pod) -> futures.put(ordinal, running.submit(() -> probe(ref, ordinal, pod, door))));
            futures.forEach((ordinal, future) -> views.put(ordinal, outcome(future)));
        }
        return views;
    }

    private static Observed<EtcdGateway.View> outcome(Future<Observed<EtcdGateway.View>> future) {
        try {
            return future.get();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return Observed.unknown("interrupted");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw new IllegalStateException("a probe threw what its contract does not name", e);
        }
    }

    private Observed<EtcdGateway.View> probe(ClusterRef ref, int ordinal, PodState pod, Door door) {
        var ip = pod.ip();
        if (ip.isEmpty()) {
            return Observed.unknown("its pod has no address yet");
        }
        try (var route = access.open(ref, ordinal, ip.get(), door)) {
            return Observed.known(etcd.probe(route, PROBE_DEADLINE));
        } catch (GatewayException e) {
            return Observed.unknown(String.valueOf(e.getMessage()));
        }
    }
}
