package io.github.etcdgitops.plan;

import io.github.etcdgitops.operation.Blueprint;
import io.github.etcdgitops.operation.Operation;
import io.github.etcdgitops.operation.ScaleIn;
import io.github.etcdgitops.operation.ScaleOut;
import io.github.etcdgitops.spec.EtcdClusterSpec;
import io.github.etcdgitops.spec.EtcdVersion;
import io.github.etcdgitops.state.RingHealth;
import io.github.etcdgitops.state.RingState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;

/// The chain of joins or departures that leads from what is to the size that is wanted, one member at a
/// time.
final class Resize {
    private static final SortedSet<Integer> NOBODY = Collections.emptySortedSet();

    private Resize() {}

    static List<Operation> chain(EtcdClusterSpec spec, int members, RingState ring, Blueprint blueprint) {
        return refusal(spec, members, ring).isPresent()
                ? List.of()
                : between(spec, members, learners(ring), NOBODY, blueprint);
    }

    /// Members from the top leave, and those at `away` do not come back.
    static List<Operation> departures(EtcdClusterSpec spec, int members, SortedSet<Integer> away) {
        var operations = new ArrayList<Operation>();
        for (int ordinal = members - 1; ordinal >= spec.size(); ordinal--) {
            operations.add(new ScaleIn(spec.ref(), ordinal, false, away.headSet(ordinal + 1)));
        }
        return operations;
    }

    /// The same once the ring will be on a version that has learners.
    static List<Operation> withLearners(EtcdClusterSpec spec, int members, Blueprint blueprint) {
        return between(spec, members, true, NOBODY, blueprint);
    }

    /// A ring of one without learners would lose quorum the moment the second voter is added, and for
    /// good if that never starts.
    static Optional<String> refusal(EtcdClusterSpec spec, int members, RingState ring) {
        return members == 1 && spec.size() > 1 && !learners(ring)
                ? Optional.of(
                        "this etcd has no learners: a second voter would take the ring's quorum away before it has"
                                + " started. Upgrade to 3.4 or later first, or found a new ring of " + spec.size()
                                + " from a backup")
                : Optional.empty();
    }

    /// A join was begun: carry on where it is still wanted, end it where it is not. One that is stuck
    /// is ended, and begun anew in another data directory.
    static List<Operation> afterJoining(
            EtcdClusterSpec spec, int ordinal, RingState ring, boolean stuck, Blueprint blueprint) {
        if (spec.size() > ordinal && !stuck) {
            var operations = new ArrayList<Operation>();
            operations.add(new ScaleOut(spec.ref(), ordinal, learners(ring), true, blueprint));
            operations.addAll(between(spec, ordinal + 1, learners(ring), NOBODY, blueprint));
            return operations;
        }
        var operations = new ArrayList<Operation>();
        operations.add(new ScaleIn(spec.ref(), ordinal, true));
        operations.addAll(between(spec, ordinal, learners(ring), NOBODY, blueprint));
        return operations;
    }

    /// A departure was begun and is ended first, whatever is wanted now.
    /// `gone` are members that need not be well: this one, and others that leave and do not come back.
    static List<Operation> afterLeaving(
            EtcdClusterSpec spec, int ordinal, RingState ring, SortedSet<Integer> gone, Blueprint blueprint) {
        var others = gone.headSet(ordinal);
        var operations = new ArrayList<Operation>();
        operations.add(new ScaleIn(spec.ref(), ordinal, true, others.isEmpty() ? NOBODY : gone));
        operations.addAll(others.isEmpty() ? chain(spec, ordinal, ring, blueprint) : departures(spec, ordinal, others));
        return operations;
    }

    private static List<Operation> between(
            EtcdClusterSpec spec, int members, boolean learners, SortedSet<Integer> away, Blueprint blueprint) {
        var operations = new ArrayList<Operation>();
        for (int ordinal = members; ordinal < spec.size(); ordinal++) {
            operations.add(new ScaleOut(spec.ref(), ordinal, learners, blueprint));
        }
        operations.addAll(departures(spec, members, away));
        return operations;
    }

    /// By the lowest version that runs: an older server ignores the learner flag and adds a voter.
    static boolean learners(RingState ring) {
        return RingHealth.lowestVersion(ring).filter(EtcdVersion::hasLearners).isPresent();
    }
}
