package io.github.etcdgitops.observe;

import io.github.etcdgitops.gateway.ClientIdentityGone;
import io.github.etcdgitops.gateway.EtcdGateway;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.KubernetesGateway;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.gateway.MemberAccess.Door;
import io.github.etcdgitops.gateway.RingVolumes;
import io.github.etcdgitops.ring.VolumeGrowth;
import io.github.etcdgitops.ring.storage.QuotaDemand;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.Expansion;
import io.github.etcdgitops.state.Foreign;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.KubeState.PodState;
import io.github.etcdgitops.state.Listing;
import io.github.etcdgitops.state.NamespaceQuota;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.value.Observed;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.function.Predicate;

/// Reads one ring: its objects from the API server, and every member on its own endpoint, each within a
/// deadline. Every failure here becomes Unknown; a problem of a ring throws no exception.
public final class Observer implements Rings {
    private static final Duration PROBE_DEADLINE = Duration.ofSeconds(4);

    private final KubernetesGateway kube;
    private final RingVolumes volumes;
    private final EtcdGateway etcd;
    private final MemberAccess access;
    private final Comparison comparison;
    private final Executor threads;
    /// Read once for each ring: objects that this run creates later are not missing then. Each ring is read
    /// with its own rights, so no ring gets the answer of another one.
    private final Map<ClusterRef, Observed<List<NamespaceQuota>>> quotas = new ConcurrentHashMap<>();

    /// `threads` ask the members. They must be as many as there are questions: one member may take long to answer.
    public Observer(
            KubernetesGateway kube, RingVolumes volumes, EtcdGateway etcd, MemberAccess access, Executor threads) {
        this.threads = threads;
        this.kube = kube;
        this.volumes = volumes;
        this.etcd = etcd;
        this.access = access;
        this.comparison = new Comparison(kube);
    }

    /// Reads every possible ordinal, so that claims of an earlier, larger ring are seen.
    @Override
    public ClusterState fresh(EtcdClusterSpec spec) {
        return fresh(spec, true);
    }

    /// The same for steps, which read again and again: members compute no hashes for it. Steps that need a
    /// comparison compare the members themselves.
    public ClusterState between(EtcdClusterSpec spec) {
        return fresh(spec, false);
    }

    private ClusterState fresh(EtcdClusterSpec spec, boolean compared) {
        var read = kube.read(spec.ref(), EtcdClusterSpec.MAX_SIZE);
        boolean foreign = read.knownSet().filter(set -> !set.ours()).isPresent();
        return (foreign && spec.declaration().adopt().isPresent()) || underWay(read)
                ? foreign(spec.ref(), read, Optional.of(spec))
                : complete(spec.ref(), read, Optional.of(spec), compared);
    }

    /// A ring that is not ours.
    public ClusterState foreign(ClusterRef ref) {
        return foreign(ref, kube.read(ref, EtcdClusterSpec.MAX_SIZE), Optional.empty());
    }

    @Override
    public ClusterState orphan(ClusterRef ref) {
        return complete(ref, kube.read(ref, EtcdClusterSpec.MAX_SIZE), Optional.empty());
    }

    private static boolean underWay(KubeState read) {
        return read.knownJournal().filter(j -> j.isUnderWay(Intent.Kind.ADOPT)).isPresent();
    }

    /// The members themselves say which pod is which member: their peer URLs are not ours yet.
    private ClusterState foreign(ClusterRef ref, KubeState read, Optional<EtcdClusterSpec> spec) {
        var foreign = kube.readForeign(ref);
        var state = underWay(read) ? read : read.withPods(foreign.map(Observer::pods));
        var ring = state.pods().flatMap(pods -> RingViews.seated(ref, probeAll(ref, pods, Door.CLIENT)));
        String claims = Observed.found(foreign)
                .map(f -> f.set().claims())
                .filter(templates -> templates.size() == 1)
                .map(templates -> templates.firstKey())
                .orElseGet(state::claimTemplate);
        var none = new TreeMap<String, Observed<Expansion>>();
        String template =
                spec.map(s -> comparison.template(s, state, ring, none, claims)).orElse("");
        return new ClusterState(ref, state, ring, Observed.known(List.of()), template, none).withForeign(foreign);
    }

    private static SortedMap<Integer, PodState> pods(Optional<Foreign> foreign) {
        var pods = new TreeMap<Integer, PodState>();
        foreign.ifPresent(f -> f.pods().forEach((ordinal, pod) -> pods.put(ordinal, pod.state())));
        return KubeState.byOrdinal(pods);
    }

    @Override
    public Listing list(Predicate<ClusterRef> wanted) {
        return kube.list(wanted);
    }

    @Override
    public ClusterState complete(ClusterRef ref, KubeState state, Optional<EtcdClusterSpec> spec) {
        return complete(ref, state, spec, true);
    }

    private ClusterState complete(ClusterRef ref, KubeState state, Optional<EtcdClusterSpec> spec, boolean compared) {
        var classes = spec.map(s -> classes(s, state)).orElseGet(TreeMap::new);
        var ring = ring(ref, state);
        var asked = compared ? ring.map(r -> asked(ref, state, spec, r)) : ring;
        var seen = comparison.of(ref, state, asked, spec, classes);
        return spec.filter(s -> !QuotaDemand.of(s, state, classes).isEmpty())
                .map(_ -> seen.withQuotas(quotas.computeIfAbsent(ref, this::quotas)))
                .orElse(seen);
    }

    private RingState asked(ClusterRef ref, KubeState state, Optional<EtcdClusterSpec> spec, RingState ring) {
        var voters = new VoterCall(etcd, access);
        var hashed = new HashReading(voters, threads).of(ref, state, ring, Observer::outcome);
        var versioned = new RingVersionReading(voters).of(ref, state, hashed);
        return spec.map(s -> new UsersReading(voters).of(s, state, new V2UseReading(voters).of(s, state, versioned)))
                .orElse(versioned);
    }

    private Observed<List<NamespaceQuota>> quotas(ClusterRef ref) {
        try {
            return Observed.known(kube.quotas(ref));
        } catch (GatewayException e) {
            return Observed.unknown(String.valueOf(e.getMessage()));
        }
    }

    /// Read only where a volume must grow.
    private SortedMap<String, Observed<Expansion>> classes(EtcdClusterSpec spec, KubeState state) {
        var classes = new TreeMap<String, Observed<Expansion>>();
        VolumeGrowth.classes(spec, state).forEach(name -> classes.put(name, expansion(name)));
        return classes;
    }

    private Observed<Expansion> expansion(String storageClass) {
        try {
            return Observed.known(volumes.expansion(storageClass));
        } catch (GatewayException e) {
            return Observed.unknown(String.valueOf(e.getMessage()));
        }
    }

    private Observed<RingState> ring(ClusterRef ref, KubeState state) {
        return state.pods()
                .flatMap(pods -> RingViews.merge(ref, probeAll(ref, pods, Door.clients(state.clientsSecured()))));
    }

    private Map<Integer, Observed<EtcdGateway.View>> probeAll(
            ClusterRef ref, SortedMap<Integer, PodState> pods, Door door) {
        var views = new TreeMap<Integer, Observed<EtcdGateway.View>>();
        var futures = new TreeMap<Integer, Future<Observed<EtcdGateway.View>>>();
        pods.forEach((ordinal, pod) ->
                futures.put(ordinal, CompletableFuture.supplyAsync(() -> probe(ref, ordinal, pod, door), threads)));
        futures.forEach((ordinal, future) -> views.put(ordinal, outcome(future)));
        return views;
    }

    private static <T> Observed<T> outcome(Future<Observed<T>> future) {
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
        } catch (ClientIdentityGone e) {
            return Observed.unknown(String.valueOf(e.getMessage()), Observed.Cause.CLIENT_IDENTITY_GONE);
        } catch (GatewayException e) {
            return Observed.unknown(String.valueOf(e.getMessage()));
        }
    }
}
