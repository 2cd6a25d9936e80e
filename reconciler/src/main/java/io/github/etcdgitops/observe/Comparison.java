package io.github.etcdgitops.observe;

import io.github.etcdgitops.gateway.Manifests;
import io.github.etcdgitops.gateway.RingObjects;
import io.github.etcdgitops.ring.Budget;
import io.github.etcdgitops.ring.roll.Configuration;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.Expansion;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.ManagedObject;
import io.github.etcdgitops.state.ObjectDrift;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.journal.MemberSettings;
import io.github.etcdgitops.state.value.Observed;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/// What differs between a ring's objects and those that its spec asks for.
public record Comparison(Manifests manifests) {
    /// `classes` are the observed storage classes, by name.
    ClusterState of(
            ClusterRef ref,
            KubeState state,
            Observed<RingState> ring,
            Optional<EtcdClusterSpec> spec,
            SortedMap<String, Observed<Expansion>> classes) {
        var claims = state.claimTemplate();
        var wanted = spec.map(s -> wanted(s, state.appliedOr(s.server()), ring, state.authority(), claims));
        var drift = wanted.map(w -> state.objects().live().map(_ -> drift(state, w)))
                .orElseGet(() -> Observed.known(List.of()));
        var template = spec.map(s -> template(s, state, ring, classes, claims));
        return new ClusterState(ref, state, ring, drift, template.orElse(""), classes);
    }

    /// The digest of the pod template that the spec asks for next.
    String template(
            EtcdClusterSpec spec,
            KubeState state,
            Observed<RingState> ring,
            SortedMap<String, Observed<Expansion>> classes,
            String claims) {
        return manifests.templateDigest(
                wanted(spec, Configuration.target(spec, state, classes), ring, state.authority(), claims));
    }

    /// Objects that are not ours are not changed, only reported. Where clients find a ring is not ours to
    /// decide until its adoption is complete.
    private List<ObjectDrift> drift(KubeState state, RingObjects wanted) {
        boolean unsettled = state.unsettled();
        return manifests.drift(state, wanted).stream()
                .filter(d -> !state.objects().foreign().containsKey(d.object()))
                .filter(d -> !unsettled
                        || (d.object() != ManagedObject.CLIENT_SERVICE && d.object() != ManagedObject.CONNECTION))
                .toList();
    }

    /// The ring's objects as they should be with its current voters and no change under way.
    private static RingObjects wanted(
            EtcdClusterSpec spec,
            MemberSettings applied,
            Observed<RingState> ring,
            Optional<String> authority,
            String claims) {
        int voters = ring.optional().map(r -> r.voters().size()).orElse(spec.size());
        return new RingObjects(spec, applied, voters, Budget.of(voters), 0, authority, claims);
    }
}
