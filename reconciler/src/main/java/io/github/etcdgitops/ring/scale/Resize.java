package io.github.etcdgitops.ring.scale;

import io.github.etcdgitops.ring.Blueprint;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.health.RingHealth;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The chain of joins or removals from the current size to the wanted one, one member at a time.
public final class Resize {
    private static final String NO_SECOND =
            "this etcd version has no learners, so a second voter would break the quorum until it has started";

    private Resize() {}

    public static List<Operation> chain(EtcdClusterSpec spec, int members, RingState ring, Blueprint blueprint) {
        return refusal(spec, members, ring).isPresent() ? List.of() : between(spec, members, learners(ring), blueprint);
    }

    /// The same for a ring that will run a version with learners.
    public static List<Operation> withLearners(EtcdClusterSpec spec, int members, Blueprint blueprint) {
        return between(spec, members, true, blueprint);
    }

    /// A ring of one without learners would lose quorum the moment the second voter is added, and forever
    /// if that voter never starts.
    public static Optional<String> refusal(EtcdClusterSpec spec, int members, RingState ring) {
        return members == 1 && spec.size() > 1 && !learners(ring)
                ? Optional.of(NO_SECOND + ". Upgrade to 3.4 or later first, or create a new ring of " + spec.size()
                        + " from a backup")
                : Optional.empty();
    }

    /// The same where all members but one have left the ring and are to be replaced: no upgrade can begin.
    public static Optional<String> lastVoter(ClusterRef ref, RingState ring) {
        return ring.members().size() == 1 && !learners(ring)
                ? Optional.of(
                        "one voter is left, and " + NO_SECOND + ". Take a backup (kind: EtcdBackup) and restore it"
                                + " in place. \"etcd-gitops restore " + ref + " --in-place " + ring.clusterId()
                                + " --document\" writes the EtcdRestore for it")
                : Optional.empty();
    }

    /// A started join continues.
    public static List<Operation> afterJoining(EtcdClusterSpec spec, int ordinal, RingState ring, Blueprint blueprint) {
        var operations = new ArrayList<Operation>();
        operations.add(new ScaleOut(spec.ref(), ordinal, learners(ring), ScaleOut.Stage.BEGUN, blueprint));
        operations.addAll(between(spec, ordinal + 1, learners(ring), blueprint));
        return operations;
    }

    private static List<Operation> between(EtcdClusterSpec spec, int members, boolean learners, Blueprint blueprint) {
        var operations = new ArrayList<Operation>();
        for (int ordinal = members; ordinal < spec.size(); ordinal++) {
            operations.add(new ScaleOut(spec.ref(), ordinal, learners, blueprint));
        }
        for (int ordinal = members - 1; ordinal >= spec.size(); ordinal--) {
            operations.add(new ScaleIn(spec.ref(), ordinal, false));
        }
        return operations;
    }

    /// Decided by the lowest running version: an older server ignores the learner flag and adds a voter.
    public static boolean learners(RingState ring) {
        return RingHealth.lowestVersion(ring).filter(EtcdVersion::hasLearners).isPresent();
    }
}
