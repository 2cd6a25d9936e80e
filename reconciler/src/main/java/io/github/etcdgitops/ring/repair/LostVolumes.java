package io.github.etcdgitops.ring.repair;

import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.Failing;
import io.github.etcdgitops.state.KubeState.ClaimState;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.journal.Intent.Why;
import io.github.etcdgitops.state.journal.Journal;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// Which of the members 0 to `members`-1 have lost their volumes, or are about to.
public record LostVolumes(ClusterState state, int members, RingState ring, Duration machineGoneAfter, Instant now) {
    /// The claim to give up, and a text for people on what happened to it.
    public record Loss(GivenUpClaim claim, String said) {}

    public SortedMap<Integer, Loss> found() {
        var found = new TreeMap<Integer, Loss>();
        for (int ordinal = 0; ordinal < members; ordinal++) {
            int member = ordinal;
            var claim = Optional.ofNullable(claims().get(ordinal));
            claim.flatMap(LostVolumes::going)
                    .or(() -> gone(member, claim))
                    .or(() -> homeless(member))
                    .ifPresent(loss -> found.put(member, loss));
        }
        return found;
    }

    /// The deletion of a claim cannot be undone. The data on its volume exists until the pod ends, for
    /// whatever reason, and no longer.
    private static Optional<Loss> going(ClaimState claim) {
        if (claim.lost()) {
            return Optional.of(new Loss(
                    new GivenUpClaim(claim.uid(), Why.LOST), "the volume of the claim " + claim.name() + " is lost"));
        }
        return claim.terminating()
                ? Optional.of(new Loss(
                        new GivenUpClaim(claim.uid(), Why.LOST),
                        "the claim " + claim.name()
                                + " is being deleted, and not by etcd-gitops. It and its volume are gone when its pod"
                                + " ends"))
                : Optional.empty();
    }

    /// The claim was deleted, and the StatefulSet created another one with the next pod. Binding the former
    /// volume again also gives another claim. So the member must have shown that it cannot start.
    private Optional<Loss> gone(int ordinal, Optional<ClaimState> claim) {
        var ref = state.ref();
        var former = state.kube()
                .knownJournal()
                .flatMap(j -> Optional.ofNullable(j.members().get(ordinal)))
                .flatMap(Journal.Member::claimUid)
                .filter(uid -> claim.filter(c -> c.uid().equals(uid)).isEmpty());
        boolean down = Optional.ofNullable(ring.byOrdinal(ref).get(ordinal))
                .filter(m -> !m.learner() && !m.answers())
                .isPresent();
        return former.filter(_ -> down && Failing.neverStarts(state.kube(), ordinal))
                .map(uid -> new Loss(
                        new GivenUpClaim(uid, Why.GONE),
                        "the claim with the data of " + ref.podName(ordinal) + " (UID " + uid + ") is gone"
                                + claim.map(c -> "; " + c.name() + " is a different claim, and the member cannot"
                                                + " start on it")
                                        .orElse("")));
    }

    /// For a ring of one, nothing is better than waiting for the node.
    private Optional<Loss> homeless(int ordinal) {
        return new MissedMachines(state, members, machineGoneAfter)
                .due(ordinal, ring, now)
                .filter(_ -> members > 1)
                .map(missed -> new Loss(
                        new GivenUpClaim(missed.claimUid(), Why.MACHINE_GONE),
                        "the node " + missed.machine() + ", the only one with the volume of "
                                + state.ref().podName(ordinal) + ", is gone, and so is the volume. A run first saw"
                                + " that at " + missed.since()));
    }

    private SortedMap<Integer, ClaimState> claims() {
        return state.kube().claims().optional().orElseThrow();
    }
}
