package io.github.etcdgitops.plan;

import io.github.etcdgitops.spec.ClusterRef;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.Intent;
import io.github.etcdgitops.state.MemberState;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// What a plan hangs on. A plan is stale when one of these is another when it is to be carried out.
final class Fingerprint {
    private Fingerprint() {}

    static SortedMap<String, String> of(ClusterState state) {
        var facts = new TreeMap<String, String>();
        state.kube().statefulSet().optional().flatMap(s -> s).ifPresent(s -> {
            facts.put("statefulSet/uid", s.uid());
            facts.put("statefulSet/replicas", String.valueOf(s.replicas()));
            facts.put("statefulSet/partition", String.valueOf(s.rollout().partition()));
            facts.put("statefulSet/template", s.templateDigest());
        });
        state.kube()
                .claims()
                .optional()
                .ifPresent(claims -> claims.values().forEach(c -> facts.put("claim/" + c.name(), c.uid())));
        var intent = state.kube()
                .journal()
                .optional()
                .flatMap(j -> j)
                .flatMap(stored -> stored.journal().intent());
        intent.ifPresent(i -> facts.put("journal/intent", i.kind() + " " + i.ordinal()));
        var joining = intent.filter(i -> i.kind() == Intent.Kind.JOIN).map(Intent::ordinal);
        state.ring().optional().ifPresent(ring -> {
            facts.put("clusterId", ring.clusterId().toString());
            ring.members().forEach(m -> facts.put("member/" + m.id(), fact(m, joining, state.ref())));
        });
        return facts;
    }

    /// Name and version of a joining member are left out: it tells the ring both by itself, once it has
    /// started, and no plan hangs on whether it already has.
    private static String fact(MemberState member, Optional<Integer> joining, ClusterRef ref) {
        String place = (member.learner() ? "learner " : "voter ") + String.join(",", member.peerUrls());
        boolean settled =
                !member.learner() && (joining.isEmpty() || !member.ordinal(ref).equals(joining));
        return settled
                ? place + member.status().optional().map(s -> " " + s.version()).orElse("")
                : place;
    }
}
