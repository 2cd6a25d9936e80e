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
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.value.EtcdId;
import io.github.etcdgitops.state.value.Observed;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;

/// Rings as their documents describe them: every member healthy, every object as it should be, nothing
/// under way, and nothing else there. It contacts no ring: it shows the effect of changed documents where
/// the rings themselves must not be read.
public final class OfflineObservation implements Rings {
    private final Comparison comparison;
    private final SortedMap<ClusterRef, EtcdClusterSpec> documents = new TreeMap<>();
    private final SortedMap<ClusterRef, RingState> rings = new TreeMap<>();
    private final SortedMap<ClusterRef, KubeState> objects = new TreeMap<>();
    private final Function<ClusterRef, Optional<String>> unknown;

    /// `unknown` says why the former state of a ring outside `rings` is unknown; empty where no such ring
    /// existed.
    public OfflineObservation(
            Manifests manifests, List<EtcdClusterSpec> rings, Function<ClusterRef, Optional<String>> unknown) {
        this.comparison = new Comparison(manifests);
        this.unknown = unknown;
        for (var spec : rings) {
            var ring = new OfflineRing(spec);
            int voters = spec.size();
            var wanted = new RingObjects(spec, ring.applied(), voters, Budget.of(voters), 0, ring.authority());
            this.documents.put(spec.ref(), spec);
            this.rings.put(spec.ref(), ring.ring());
            this.objects.put(spec.ref(), ring.kube(manifests.render(wanted), manifests.templateDigest(wanted)));
        }
    }

    @Override
    public Listing list(Predicate<ClusterRef> wanted) {
        return Listing.of(objects);
    }

    /// A ring is compared only where its document has changed.
    @Override
    public ClusterState complete(ClusterRef ref, KubeState listed, Optional<EtcdClusterSpec> spec) {
        var classes = new TreeMap<String, Observed<Expansion>>();
        spec.ifPresent(s ->
                VolumeGrowth.classes(s, listed).forEach(name -> classes.put(name, Observed.known(Expansion.ALLOWED))));
        var ring = Optional.ofNullable(rings.get(ref))
                .map(Observed::known)
                .orElseGet(() -> Observed.unknown("this ring does not exist"));
        return spec.filter(s -> s.equals(documents.get(ref)))
                .flatMap(_ -> listed.knownSet())
                .filter(_ -> listed.equals(objects.get(ref)))
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
        return Objects.requireNonNull(rings.get(ref)).clusterId();
    }

    private KubeState read(ClusterRef ref) {
        return Optional.ofNullable(objects.get(ref))
                .orElseGet(() -> unknown.apply(ref).map(KubeState::unread).orElseGet(OfflineRing::nothing));
    }
}
