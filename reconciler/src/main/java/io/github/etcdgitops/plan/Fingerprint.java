package io.github.etcdgitops.plan;

import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.member.MemberState;
import java.util.SortedMap;
import java.util.TreeMap;

/// What a plan hangs on. A plan is stale when one of these is another when it is to be carried out.
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

    /// The version is left out of a member that joins, and of all of them while an operation is under
    /// way: one that was started by it tells its version by itself when it is back, and no plan hangs on
    /// whether it already has. What the operation would do with a version that it does not expect shows
    /// in its steps.
    private static String fact(MemberState member, boolean underWay) {
        String place = (member.learner() ? "learner " : "voter ") + String.join(",", member.peerUrls());
        return member.learner() || underWay
                ? place
                : place + member.status().optional().map(s -> " " + s.version()).orElse("");
    }
}
