package io.github.etcdgitops.plan;

import io.github.etcdgitops.plan.begin.StartDecision;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.RestoreOrder;
import io.github.etcdgitops.ring.RingModel;
import io.github.etcdgitops.ring.backup.BackupNeeds.Restore;
import io.github.etcdgitops.ring.restore.Exchange;
import io.github.etcdgitops.ring.restore.Exchange.Stage;
import io.github.etcdgitops.ring.restore.RecoverQuorum;
import io.github.etcdgitops.ring.restore.Restorable;
import io.github.etcdgitops.ring.restore.RestoreInPlace;
import io.github.etcdgitops.ring.scale.Resize;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.health.QuorumLoss;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.journal.MemberSettings;
import io.github.etcdgitops.state.journal.SnapshotOrigin;
import io.github.etcdgitops.state.member.Alarm;
import io.github.etcdgitops.state.underway.ReceivingVolume;
import io.github.etcdgitops.state.underway.Recovery;
import io.github.etcdgitops.state.value.EtcdId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// An existing ring that makes way for another one of its name: it has lost its quorum, or a document asks
/// for an earlier state of its data.
sealed interface RecoveryPlanning {
    record Held(FindingCode code, String reason) implements RecoveryPlanning {}

    /// It is not possible, and everything else is planned as usual.
    record Refused(String reason) implements RecoveryPlanning {}

    record With(List<Operation> operations, RingModel start) implements RecoveryPlanning {
        public With {
            operations = List.copyOf(operations);
        }
    }

    /// Empty where no document asks for it.
    static Optional<RecoveryPlanning> of(EtcdClusterSpec spec, ClusterState state, Optional<Restore> wanted) {
        return state.kube()
                .knownJournal()
                .filter(Journal::founded)
                .flatMap(journal -> of(spec, state, journal, wanted));
    }

    private static Optional<RecoveryPlanning> of(
            EtcdClusterSpec spec, ClusterState state, Journal journal, Optional<Restore> wanted) {
        var underWay = journal.intent()
                .filter(i -> i.kind() == Intent.Kind.RECOVER)
                .map(i -> i.recovery().orElseThrow());
        if (underWay.isPresent()) {
            return Optional.of(carryOn(spec, state, journal, underWay.get(), wanted));
        }
        return switch (wanted.orElse(null)) {
            case Restore.InPlace(RestoreOrder order, EtcdId former) ->
                Optional.of(begin(spec, state, journal, order, former));
            case Restore.Awaited(String reason) -> Optional.of(new Refused(reason));
            case Restore.Wanted _, Restore.Asked _ -> Optional.empty();
            case null -> Optional.empty();
        };
    }

    private static RecoveryPlanning begin(
            EtcdClusterSpec spec, ClusterState state, Journal journal, RestoreOrder order, EtcdId former) {
        var refusal = Restorable.refusal(spec, order)
                .or(() -> ReceivingVolume.obstacle(state))
                .or(() -> order.recovers() ? QuorumLoss.notSaved(state, order.contents()) : Optional.empty())
                .or(() -> busy(order, journal, state))
                .or(() -> order.recovers() ? lifted(spec, state, journal) : Optional.empty());
        return refusal.isPresent()
                ? new Refused(refusal.get())
                : with(spec, state, order, exchange(spec, state, journal, former, order, Stage.ASKED));
    }

    /// What may restore the quorum without data loss goes first. None of it depends on the time.
    private static Optional<String> lifted(EtcdClusterSpec spec, ClusterState state, Journal journal) {
        return state.kube()
                .knownSet()
                .flatMap(set -> new RollUnderWay(spec, state, set, journal, Instant.EPOCH).lift())
                .map(_ -> "another template for the members that do not start may bring the quorum back, so that"
                        + " is done first");
    }

    /// In a ring without quorum, with an alarm about its data, or with one voter and no learners, a change under
    /// way cannot complete, whoever asks for another ring. Pods without a StatefulSet are not ours to end.
    private static Optional<String> busy(RestoreOrder order, Journal journal, ClusterState state) {
        boolean stopped = order.recovers()
                || QuorumLoss.of(state).isPresent()
                || state.ring().optional().stream()
                        .anyMatch(ring -> !ring.alarms(Alarm.Kind.CORRUPT).isEmpty()
                                || (journal.replacement().isPresent()
                                        && Resize.lastVoter(state.ref(), ring).isPresent()));
        return journal.intent()
                .map(Intent::kind)
                .filter(kind -> !stopped
                        || (kind == Intent.Kind.RECREATE
                                && state.kube().knownSet().isEmpty()))
                .map(kind -> "an operation is under way (" + kind + ") and must end first");
    }

    private static RecoveryPlanning carryOn(
            EtcdClusterSpec spec,
            ClusterState state,
            Journal journal,
            SnapshotOrigin origin,
            Optional<Restore> wanted) {
        if (!state.kube().objects().confirmed()) {
            return new Held(FindingCode.UNKNOWN, "the ring's objects could not be read by name");
        }
        boolean ended = state.kube()
                .knownSet()
                .filter(s -> s.replicas() > 0 && !s.terminating())
                .isEmpty();
        if (wanted.orElse(null) instanceof Restore.InPlace(RestoreOrder order, EtcdId former) && order.isOf(origin)) {
            var obstacle = ended ? Optional.<String>empty() : unready(state, order);
            if (obstacle.isEmpty()) {
                var stage = ended ? Stage.ENDED : Stage.ASKED;
                return with(spec, state, order, exchange(spec, state, journal, former, order, stage));
            }
            return led(state)
                    ? calledOff(spec, state, journal, origin)
                    : new Held(FindingCode.RECOVERY_WAITS, obstacle.get());
        }
        if (ended || wanted.orElse(null) instanceof Restore.Awaited) {
            return new Held(
                    FindingCode.RESTORE_AWAITED,
                    "the former members are being shut down to restore " + origin.from() + ", as "
                            + Recovery.asker(origin.request())
                            + " asks for, and "
                            + (wanted.orElse(null) instanceof Restore.Awaited(String reason)
                                    ? reason
                                    : "no document asks for it any more. Bring the document back"));
        }
        return calledOff(spec, state, journal, origin);
    }

    /// Why no member of a ring that is journalled to make way may be ended now.
    private static Optional<String> unready(ClusterState state, RestoreOrder order) {
        return (order.recovers() ? QuorumLoss.notSaved(state, order.contents()) : Optional.<String>empty())
                .or(() -> ReceivingVolume.obstacle(state));
    }

    private static RecoveryPlanning calledOff(
            EtcdClusterSpec spec, ClusterState state, Journal journal, SnapshotOrigin origin) {
        var order = new RestoreOrder(origin.request(), new RestoreOrder.Source.Loaded(origin), origin.bumpRevision());
        var exchange = exchange(spec, state, journal, journal.clusterId().orElseThrow(), order, Stage.CALLED_OFF);
        return new With(List.of(operation(spec, state, order, exchange)), RingModel.of(state));
    }

    private static RecoveryPlanning with(
            EtcdClusterSpec spec, ClusterState state, RestoreOrder order, Exchange exchange) {
        var operations = new ArrayList<Operation>();
        operations.add(operation(spec, state, order, exchange));
        operations.addAll(StartDecision.operations(
                spec, MemberSettings.founding(spec.server(), spec.server().version()), order));
        return new With(operations, exchange.stage() == Stage.ENDED ? RingModel.EMPTY : RingModel.of(state));
    }

    private static Operation operation(
            EtcdClusterSpec spec, ClusterState state, RestoreOrder order, Exchange exchange) {
        return order.recovers()
                ? new RecoverQuorum(spec.ref(), exchange)
                : new RestoreInPlace(spec.ref(), exchange, led(state));
    }

    private static Exchange exchange(
            EtcdClusterSpec spec, ClusterState state, Journal journal, EtcdId former, RestoreOrder order, Stage stage) {
        return new Exchange(
                former, order, spec.server().version(), journal.members().size(), lost(state), stage);
    }

    private static SortedMap<Integer, String> lost(ClusterState state) {
        var lost = new TreeMap<Integer, String>();
        state.kube()
                .claims()
                .optional()
                .ifPresent(claims -> claims.forEach((ordinal, claim) -> {
                    if (claim.lost()) {
                        lost.put(ordinal, claim.uid());
                    }
                }));
        return lost;
    }

    private static boolean led(ClusterState state) {
        return state.ring().optional().flatMap(ring -> ring.leader()).isPresent();
    }
}
