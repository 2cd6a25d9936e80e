package io.github.etcdgitops.plan;

import io.github.etcdgitops.operation.Blueprint;
import io.github.etcdgitops.operation.Operation.Consent;
import io.github.etcdgitops.operation.StartUnchecked;
import io.github.etcdgitops.plan.Finding.Level;
import io.github.etcdgitops.spec.EtcdClusterSpec;
import io.github.etcdgitops.spec.Repairs.Mode;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.DataHashes;
import io.github.etcdgitops.state.KubeState.PodState;
import io.github.etcdgitops.state.MemberConfig;
import io.github.etcdgitops.state.MemberState;
import io.github.etcdgitops.state.RingState;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// Members that end at each start while others that answer have different data. etcd's check at the start
/// (InitialCorruptCheck, 3.4 and newer) compares a member with every peer, so that it ends a healthy member as
/// well.
record RefusedStarts(EtcdClusterSpec spec, ClusterState state, RingState ring) {
    /// The next one to be started without the check.
    Optional<StartUnchecked> operation() {
        return mode() == Mode.OFF
                ? Optional.empty()
                : checked().entrySet().stream()
                        .findFirst()
                        .map(refused -> new StartUnchecked(
                                spec.ref(),
                                refused.getKey(),
                                refused.getValue().id(),
                                pod(refused.getKey()).map(PodState::uid).orElse(""),
                                mode() == Mode.AUTOMATIC ? Consent.PERMITTED : Consent.NEEDED,
                                Blueprint.running(spec, state.kube())));
    }

    List<Finding> findings() {
        return checked().keySet().stream().map(this::finding).toList();
    }

    private Finding finding(int ordinal) {
        String what = spec.ref().podName(ordinal)
                + " ends at each start, and the members that answer have different data: etcd's check at the start"
                + " (InitialCorruptCheck) would end it whatever data it has";
        return mode() == Mode.OFF
                ? new Finding(
                        Level.ERROR,
                        "start-refused",
                        what + "; set /spec/repair/members to manual or automatic to have it started without the check")
                : new Finding(Level.WARNING, "start-refused", what);
    }

    /// Voters that do not come up, whose file has the check, and whose places are not given to others.
    SortedMap<Integer, MemberState> checked() {
        var refused = new TreeMap<Integer, MemberState>();
        if (ring.hashes().filter(DataHashes::differ).isEmpty()
                || !state.kube().appliedOr(spec.server()).version().atLeast(3, 4, 0)) {
            return refused;
        }
        var replaced = state.kube()
                .journal()
                .optional()
                .flatMap(j -> j)
                .flatMap(j -> j.journal().replacement());
        ring.byOrdinal(spec.ref()).forEach((ordinal, member) -> {
            boolean goes =
                    replaced.filter(r -> r.formers().containsKey(ordinal)).isPresent();
            if (!member.learner() && !member.answers() && !goes && endsWithCheck(ordinal)) {
                refused.put(ordinal, member);
            }
        });
        return refused;
    }

    private boolean endsWithCheck(int ordinal) {
        return pod(ordinal).isPresent()
                && state.kube().cannotStart(ordinal)
                && config(ordinal).filter(MemberConfig.Sealed.class::isInstance).isPresent();
    }

    private Optional<MemberConfig> config(int ordinal) {
        return state.kube().configs().optional().flatMap(all -> Optional.ofNullable(all.get(ordinal)));
    }

    private Optional<PodState> pod(int ordinal) {
        return state.kube().pods().optional().flatMap(pods -> Optional.ofNullable(pods.get(ordinal)));
    }

    private Mode mode() {
        return spec.declaration().handling().repairs().members();
    }
}
