package io.github.etcdgitops.ring.repair;

import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.Host;
import io.github.etcdgitops.state.KubeState.ClaimState;
import io.github.etcdgitops.state.member.MemberState;
import java.util.Optional;

/// Whether a machine that alone has a volume is still gone, by a fresh reading. Pure; fails closed: one that could
/// not be read is not gone.
final class MachineGate {
    private MachineGate() {}

    /// What is noted must be so: the time counts from then on.
    static Optional<String> check(NodeStep.NoteMachine note, ClusterState fresh) {
        var claim = fresh.kube()
                .claims()
                .optional()
                .flatMap(claims -> Optional.ofNullable(claims.get(note.ordinal())))
                .filter(c -> c.uid().equals(note.claimUid()));
        boolean gone = claim.flatMap(c -> c.volume().home())
                .filter(home -> home.gone() && home.name().equals(note.machine()))
                .isPresent();
        return gone == note.gone()
                ? Optional.empty()
                : Optional.of("the node " + note.machine() + " is " + (gone ? "gone" : "not known to be gone"));
    }

    /// A process may run on a machine whose Node alone was deleted. Then it answers.
    static Optional<String> stillGone(int ordinal, ClaimState claim, ClusterState fresh) {
        String pod = fresh.ref().podName(ordinal);
        boolean answers = fresh.ring()
                .optional()
                .flatMap(ring -> Optional.ofNullable(ring.byOrdinal(fresh.ref()).get(ordinal)))
                .filter(MemberState::answers)
                .isPresent();
        if (answers) {
            return Optional.of(pod + " answers");
        }
        boolean gone = claim.lost()
                || claim.terminating()
                || claim.volume().home().filter(Host::gone).isPresent();
        return gone
                ? Optional.empty()
                : Optional.of("the node with the volume of " + pod + " exists, or is not known to be gone");
    }
}
