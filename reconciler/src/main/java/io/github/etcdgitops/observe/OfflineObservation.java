package io.github.etcdgitops.observe;

import io.github.etcdgitops.gateway.Manifests;
import io.github.etcdgitops.gateway.RingObjects;
import io.github.etcdgitops.ring.Budget;
import io.github.etcdgitops.ring.VolumeGrowth;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.Expansion;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.Listing;
import io.github.etcdgitops.state.value.EtcdId;
import io.github.etcdgitops.state.value.Observed;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;

/// Rings as their documents describe them: every member healthy, every object as it should be, nothing
/// under way, and nothing else there. It contacts no ring: it shows the effect of changed documents where
/// the rings themselves must not be read.
public final class OfflineObservation implements Rings {
    private final Manifests manifests;
    private final Comparison comparison;
    private final NavigableMap<ClusterRef, EtcdClusterSpec> documents = new TreeMap<>();
    private final Function<ClusterRef, Optional<String>> unknown;

    /// `unknown` says why the former state of a ring outside `rings` is unknown; empty where no such ring
    /// existed.
    public OfflineObservation(
            Manifests manifests, List<EtcdClusterSpec> rings, Function<ClusterRef, Optional<String>> unknown) {
        this.manifests = manifests;
        this.comparison = new Comparison(manifests);
        this.unknown = unknown;
        rings.forEach(spec -> documents.put(spec.ref(), spec));
    }

    @Override
    public Listing list(Predicate<ClusterRef> wanted) {
        return Listing.of(documents.navigableKeySet(), this::read);
    }

    /// A ring is compared only where its document has changed.
    @Override
    public ClusterState complete(ClusterRef ref, KubeState listed, Optional<EtcdClusterSpec> spec) {
        var classes = new TreeMap<String, Observed<Expansion>>();
        spec.ifPresent(s ->
                VolumeGrowth.classes(s, listed).forEach(name -> classes.put(name, Observed.known(Expansion.ALLOWED))));
        var ring = known(ref)
                .map(known -> Observed.known(known.ring()))
                .orElseGet(() -> Observed.unknown("this ring does not exist"));
        return spec.filter(s -> s.equals(documents.get(ref)))
                .flatMap(_ -> listed.knownSet())
                .map(set ->
                        new ClusterState(ref, listed, ring, Observed.known(List.of()), set.templateDigest(), classes))
                .orElseGet(() -> comparison.of(ref, listed, ring, spec, classes));
    }

    @Override
    public ClusterState fresh(EtcdClusterSpec spec) {
        return complete(spec.ref(), read(spec.ref()), Optional.of(spec));
    }

    @Override
    public ClusterState orphan(ClusterRef ref) {
        return complete(ref, read(ref), Optional.empty());
    }

    /// For a ring that exists.
    public EtcdId clusterId(ClusterRef ref) {
        return known(ref).orElseThrow().clusterId();
    }

    private Optional<OfflineRing> known(ClusterRef ref) {
        return Optional.ofNullable(documents.get(ref)).map(OfflineRing::new);
    }

    private KubeState read(ClusterRef ref) {
        return known(ref)
                .map(this::objects)
                .orElseGet(() -> unknown.apply(ref).map(KubeState::unread).orElseGet(OfflineRing::nothing));
    }

    private KubeState objects(OfflineRing ring) {
        var spec = ring.spec();
        int voters = spec.size();
        var wanted = new RingObjects(spec, ring.applied(), voters, Budget.of(voters), 0, ring.authority());
        return ring.kube(manifests.render(wanted), manifests.templateDigest(wanted));
    }
}
