package io.github.etcdgitops.plan;

import io.github.etcdgitops.state.ClusterState;
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
        state.kube()
                .journal()
                .optional()
                .flatMap(j -> j)
                .ifPresent(j ->
                        j.journal().intent().ifPresent(i -> facts.put("journal/intent", i.kind() + " " + i.ordinal())));
        state.ring().optional().ifPresent(ring -> {
            facts.put("clusterId", ring.clusterId().toString());
            ring.members()
                    .forEach(m -> facts.put(
                            "member/" + m.id(),
                            (m.learner() ? "learner " : "voter ") + m.name() + " " + String.join(",", m.peerUrls())
                                    + m.status()
                                            .optional()
                                            .map(s -> " " + s.version())
                                            .orElse("")));
        });
        return facts;
    }
}
