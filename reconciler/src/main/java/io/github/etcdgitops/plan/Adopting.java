package io.github.etcdgitops.plan;

import io.github.etcdgitops.plan.ClusterPlan.Situation;
import io.github.etcdgitops.plan.Finding.Level;
import io.github.etcdgitops.spec.EtcdClusterSpec;
import io.github.etcdgitops.state.ClusterState;
import java.util.ArrayList;
import java.util.List;

/// What is to be said where a StatefulSet has the ring's name and is not ours. Without a request it is
/// left alone.
record Adopting(Situation situation, List<Finding> findings) {
    static Adopting of(EtcdClusterSpec spec, ClusterState state) {
        if (spec.declaration().adopt().isEmpty()) {
            return held(
                    "foreign-statefulset",
                    "a StatefulSet of this name is there that is not ours. Rename the ring; or, to take over what it"
                            + " runs, run `etcd-gitops adopt " + spec.ref() + "`, which prints the document that asks"
                            + " for it");
        }
        var unreadable = state.foreign().unknownReason().or(() -> state.ring().unknownReason());
        if (unreadable.isPresent()) {
            return new Adopting(Situation.UNKNOWN, List.of(new Finding(Level.ERROR, "ring-unknown", unreadable.get())));
        }
        var foreign = state.foreign().optional().flatMap(f -> f);
        if (foreign.isEmpty()) {
            return held("foreign-statefulset", "the StatefulSet that is not ours is gone again");
        }
        var proof = AdoptionProof.of(
                spec, state, foreign.get(), state.ring().optional().orElseThrow());
        if (proof.stream().anyMatch(f -> f.level() == Level.ERROR)) {
            return new Adopting(Situation.HELD, proof);
        }
        var findings = new ArrayList<>(proof);
        findings.add(new Finding(
                Level.ERROR,
                "adopt-not-carried-out",
                "the document says what runs, and the ring can be taken over; this version does not do that yet"));
        return new Adopting(Situation.HELD, List.copyOf(findings));
    }

    private static Adopting held(String code, String reason) {
        return new Adopting(Situation.HELD, List.of(new Finding(Level.ERROR, code, reason)));
    }
}
