package io.github.etcdgitops.plan;

import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Finding.Level;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.roll.Rolls;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.KubeState.StatefulSetState;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.Journal;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// The new template for members that do not start on the former one: etcd has raised the cluster version.
/// Where no member tells the cluster version, a person decides, by asking for the upgrade again.
record CatchingUp(
        EtcdClusterSpec spec, ClusterState state, StatefulSetState set, Journal journal, Rolling rolling, Instant now) {
    Optional<Operation> operation() {
        return upgrade(rolling.behind(state, set))
                .or(() -> upgrade(rolling.maybeBehind(state, set)).filter(o -> asked() && !failedBefore(o)));
    }

    /// What a person has to do for the members that may need the new template.
    Optional<Finding> finding() {
        var behind = rolling.maybeBehind(state, set);
        return operation().isPresent()
                ? Optional.empty()
                : upgrade(behind)
                        .map(upgrade -> new Finding(Level.ERROR, FindingCode.ROLL_STUCK, said(behind, upgrade)));
    }

    private String said(List<Integer> behind, Operation upgrade) {
        String names = behind.stream().sorted().map(state.ref()::podName).collect(Collectors.joining(", "));
        var target = roll().target().version();
        return names + (behind.size() == 1 ? " stops" : " stop") + " at each start on etcd "
                + journal.applied().version() + ", and no member tells the cluster version. If a log says that the"
                + " cluster version is higher, only etcd " + target + " starts. " + request(upgrade)
                + ": the next run gives them its template first";
    }

    private String request(Operation upgrade) {
        if (asked()) {
            return "Raise spec.rollout.attempt";
        }
        return "Set spec.version to " + roll().target().version() + " again"
                + (failedBefore(upgrade) ? " and raise spec.rollout.attempt" : "");
    }

    /// A replacement under way comes first: its journal entry names the members that it gives up.
    private Optional<Operation> upgrade(List<Integer> behind) {
        return behind.isEmpty() || journal.replacement().isPresent()
                ? Optional.empty()
                : Optional.of(rolls().catchingUp(roll(), set.replicas(), rolling.from(), behind));
    }

    private boolean asked() {
        return rolls().stillWanted(roll());
    }

    /// A roll whose members did not start is not started again unchanged.
    private boolean failedBefore(Operation upgrade) {
        return roll().stuck().isPresent()
                && journal.intent()
                        .filter(intent -> intent.operationId().equals(upgrade.id()))
                        .isPresent();
    }

    private Rolls rolls() {
        return new Rolls(spec, state, journal, now);
    }

    private Intent.Roll roll() {
        return journal.roll().orElseThrow();
    }
}
