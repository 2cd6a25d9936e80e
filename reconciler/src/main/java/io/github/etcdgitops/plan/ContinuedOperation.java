package io.github.etcdgitops.plan;

import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Finding.Level;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.journal.ChangeHistory;
import java.util.List;
import java.util.Optional;

/// An operation that an earlier run started: its plan shows all steps, and skips those that are done.
public final class ContinuedOperation {
    private ContinuedOperation() {}

    public static List<Finding> findings(ClusterState state) {
        return begun(state.kube())
                .map(begun -> new Finding(
                        Level.NOTE,
                        FindingCode.CARRIED_ON,
                        "run " + begun.run() + " began " + begun.operation() + " (" + begun.operationId()
                                + "). A run continues it at step " + begun.step()
                                + ", the last one in the journal. The steps before it are done"))
                .stream()
                .toList();
    }

    /// Which run started the operation under way, if that is known.
    public static Optional<ChangeHistory.Begun> begun(KubeState ring) {
        return ring.knownJournal()
                .filter(journal -> journal.intent().isPresent())
                .flatMap(journal -> journal.past().doings().begun());
    }
}
