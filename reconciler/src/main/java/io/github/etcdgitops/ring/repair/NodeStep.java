package io.github.etcdgitops.ring.repair;

import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.ring.membership.MemberGate;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.ClusterState;
import java.util.Optional;

/// Steps for a member whose node does not answer.
public sealed interface NodeStep extends Step {
    /// Journals that the node with the claim's only volume is gone, or is no longer gone.
    record NoteMachine(int ordinal, String claimUid, String machine, boolean gone) implements NodeStep {
        @Override
        public Facts facts() {
            return Facts.of("NoteMachine", Gate.EXPECTED).undo("not needed: the next run records what it sees");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Record in the journal that the node " + machine + ", the only one with the volume of "
                    + ref.podName(ordinal) + " (claim " + claimUid + "), is "
                    + (gone ? "gone" : "back");
        }

        @Override
        public Optional<String> obstacle(ClusterState fresh) {
            boolean found = fresh.kube()
                    .claim(ordinal)
                    .filter(claim -> claim.uid().equals(claimUid))
                    .flatMap(claim -> claim.volume().home())
                    .filter(home -> home.gone() && home.name().equals(machine))
                    .isPresent();
            return found == gone
                    ? Optional.empty()
                    : Optional.of("the node " + machine + " is " + (found ? "gone" : "not known to be gone"));
        }
    }

    /// Removes the pod from Kubernetes, by its UID, without waiting for its unreachable node to confirm
    /// that it has ended.
    record ReleasePod(int ordinal, String pod) implements NodeStep {
        @Override
        public Facts facts() {
            return Facts.of("ReleasePod", Gate.EXPECTED).undo("no, but another pod is created in its place");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Force-delete the pod " + ref.podName(ordinal) + " (" + pod
                    + ") if its node is still unreachable and it is no member of the ring";
        }

        @Override
        public Optional<String> obstacle(ClusterState fresh) {
            return MemberGate.standing(fresh, 0).or(() -> ReplaceGate.notReleased(ordinal, pod, fresh));
        }
    }
}
