package io.github.etcdgitops.plan.begin;

import io.github.etcdgitops.ring.Blueprint;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Finding.Level;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.adoption.AdoptCluster;
import io.github.etcdgitops.ring.adoption.AdoptCluster.Stage;
import io.github.etcdgitops.ring.adoption.AdoptionOrder;
import io.github.etcdgitops.ring.adoption.AdoptionProof;
import io.github.etcdgitops.ring.adoption.SettleAdoption;
import io.github.etcdgitops.ring.roll.Roll;
import io.github.etcdgitops.ring.roll.RollMembers;
import io.github.etcdgitops.ring.roll.Rolls;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.Foreign;
import io.github.etcdgitops.state.ForeignMember;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.journal.MemberSettings;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/// What is planned or reported where a StatefulSet has the ring's name and is not ours, or where its
/// adoption has started. Without a request it is not touched. `unknown` says that something could not be
/// read.
public record Adopting(boolean unknown, List<Finding> findings, List<Operation> operations) {
    private static final String LET_GO = "`kubectl delete statefulset %s --cascade=orphan`. The next run continues";

    public static boolean concerns(ClusterState state) {
        return foreignSet(state).isPresent() || underWay(state).isPresent();
    }

    public static Adopting of(EtcdClusterSpec spec, ClusterState state) {
        var journal = underWay(state);
        var set = state.kube().statefulSet();
        var unreadable = set.unknownReason().or(() -> state.kube().journal().unknownReason());
        if (unreadable.isPresent()) {
            return unknown(unreadable.get());
        }
        var foreign = foreignSet(state);
        if (journal.isPresent() && foreign.isEmpty()) {
            return carriedOn(spec, state, journal.get());
        }
        if (state.kube().knownJournal().flatMap(Journal::recreation).isPresent()) {
            return held(
                    FindingCode.FOREIGN_STATEFULSET,
                    "etcd-gitops was recreating the StatefulSet for larger volumes, and something else created one"
                            + " of the same name. Stop whatever applies it. Then run "
                            + LET_GO.formatted(spec.ref().name()));
        }
        var former = journal.flatMap(j -> j.past().adopted()).map(Journal.Adopted::statefulSet);
        if (former.filter(uid -> !uid.equals(foreign.orElseThrow().uid())).isPresent()) {
            return held(
                    FindingCode.ADOPT_OVERTAKEN,
                    "etcd-gitops was adopting the ring, and something else recreated the StatefulSet "
                            + spec.ref().name()
                            + ". Stop whatever applies it (Helm, another GitOps controller). Then run "
                            + LET_GO.formatted(spec.ref().name()));
        }
        return spec.declaration().adopt().isEmpty()
                ? held(
                        FindingCode.FOREIGN_STATEFULSET,
                        "a StatefulSet of this name exists and is not managed by etcd-gitops. Rename the ring. To"
                                + " adopt the StatefulSet instead, run `etcd-gitops adopt " + spec.ref()
                                + "`, which prints the document for that")
                : proven(spec, state);
    }

    /// Our StatefulSet was deleted without its pods, for a member that is replaced during the roll.
    static AdoptCluster renewing(EtcdClusterSpec spec, Journal journal) {
        return new AdoptCluster(
                spec.ref(),
                Stage.RENEWED,
                order(journal),
                Blueprint.of(spec, order(journal).applied()));
    }

    /// The former StatefulSet is gone: the missing steps follow whatever the document says by now.
    private static Adopting carriedOn(EtcdClusterSpec spec, ClusterState state, Journal journal) {
        boolean there = state.kube().knownSet().isPresent();
        if (!there && !state.kube().objects().confirmed()) {
            return unknown("a read by name could not confirm that the StatefulSet is absent");
        }
        var stage = there ? Stage.OURS : Stage.ORPHANED;
        return new Adopting(
                false,
                List.of(),
                List.of(new AdoptCluster(
                        spec.ref(),
                        stage,
                        order(journal),
                        Blueprint.of(spec, order(journal).applied()))));
    }

    private static Adopting proven(EtcdClusterSpec spec, ClusterState state) {
        var unreadable = state.foreign().unknownReason().or(() -> state.ring().unknownReason());
        if (unreadable.isPresent()) {
            return unknown(unreadable.get());
        }
        var foreign = state.knownForeign();
        if (foreign.isEmpty()) {
            return held(FindingCode.FOREIGN_STATEFULSET, "the StatefulSet to adopt is gone");
        }
        var proof = AdoptionProof.of(
                spec, state, foreign.get(), state.ring().optional().orElseThrow());
        if (proof.stream().anyMatch(f -> f.level() == Level.ERROR)) {
            return new Adopting(false, proof, List.of());
        }
        return new Adopting(false, proof, chain(spec, state, order(spec, state, foreign.get())));
    }

    /// First the ring becomes ours with its running template, then its members get our template.
    private static List<Operation> chain(EtcdClusterSpec spec, ClusterState state, AdoptionOrder order) {
        var rollout = spec.declaration().rollout();
        var applied = order.applied();
        return List.of(
                new AdoptCluster(spec.ref(), Stage.FOREIGN, order, Blueprint.of(spec, applied)),
                new RollMembers(
                        spec.ref(),
                        new Roll(order.size(), order.size(), applied, Blueprint.of(spec, applied), rollout.soak()),
                        state.templateWanted(),
                        List.of(Rolls.WHOLE_TEMPLATE),
                        rollout.attempt(),
                        List.of()),
                new SettleAdoption(spec.ref(), order.size(), applied.transport()));
    }

    private static AdoptionOrder order(Journal journal) {
        var adopted = journal.past().adopted().orElseThrow();
        return new AdoptionOrder(
                adopted.statefulSet(),
                adopted.claims(),
                journal.clusterId().orElseThrow(),
                journal.members(),
                journal.applied());
    }

    /// From what was proven: every part exists.
    private static AdoptionOrder order(EtcdClusterSpec spec, ClusterState state, Foreign foreign) {
        var members = new TreeMap<Integer, Journal.Member>();
        for (int ordinal = 0; ordinal < foreign.set().replicas(); ordinal++) {
            var seen = ForeignMember.of(state, foreign, ordinal).orElseThrow();
            members.put(
                    ordinal,
                    new Journal.Member(
                            seen.volume().directory().orElseThrow(),
                            seen.member().map(m -> m.id()),
                            Optional.ofNullable(foreign.claims().get(ordinal)).map(Foreign.Claim::uid)));
        }
        return new AdoptionOrder(
                foreign.set().uid(),
                foreign.set().claims().firstKey(),
                state.ring().optional().orElseThrow().clusterId(),
                members,
                MemberSettings.adopting(spec.server()));
    }

    private static Optional<KubeState.StatefulSetState> foreignSet(ClusterState state) {
        return state.kube().knownSet().filter(s -> !s.ours());
    }

    private static Optional<Journal> underWay(ClusterState state) {
        return state.kube().knownJournal().filter(j -> j.isUnderWay(Intent.Kind.ADOPT));
    }

    private static Adopting unknown(String why) {
        return new Adopting(true, List.of(new Finding(Level.ERROR, FindingCode.RING_UNKNOWN, why)), List.of());
    }

    private static Adopting held(FindingCode code, String reason) {
        return new Adopting(false, List.of(new Finding(Level.ERROR, code, reason)), List.of());
    }
}
