package io.github.etcdgitops.plan;

import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.member.MemberState;
import java.util.SortedMap;
import java.util.TreeMap;

/// The facts that a plan depends on. A plan is stale when one of them has changed before it is carried out.
final class Fingerprint {
    private Fingerprint() {}

    static SortedMap<String, String> of(ClusterState state) {
        var facts = new TreeMap<String, String>();
        state.kube().knownSet().ifPresent(s -> {
            facts.put("statefulSet/uid", s.uid());
            facts.put("statefulSet/replicas", String.valueOf(s.replicas()));
            facts.put("statefulSet/partition", String.valueOf(s.rollout().partition()));
            facts.put("statefulSet/template", s.templateDigest());
        });
        state.kube()
                .claims()
                .optional()
                .ifPresent(claims -> claims.values().forEach(c -> facts.put("claim/" + c.name(), c.uid())));
        var intent = state.kube().knownJournal().flatMap(stored -> stored.intent());
        intent.ifPresent(i -> facts.put("journal/intent", i.kind() + " " + i.ordinal()));
        state.ring().optional().ifPresent(ring -> {
            facts.put("clusterId", ring.clusterId().toString());
            ring.members().forEach(m -> facts.put("member/" + m.id(), fact(m, intent.isPresent())));
        });
        return facts;
    }

    /// It leaves out the version of a joining member, and of all members while an operation is under way: a
    /// restarted member reports its version when it is back, and no plan depends on whether it already has.
    /// If the operation meets an unexpected version, its steps show that.
    private static String fact(MemberState member, boolean underWay) {
        String place = (member.learner() ? "learner " : "voter ") + String.join(",", member.peerUrls());
        return member.learner() || underWay
                ? place
                : place + member.status().optional().map(s -> " " + s.version()).orElse("");
    }
}
