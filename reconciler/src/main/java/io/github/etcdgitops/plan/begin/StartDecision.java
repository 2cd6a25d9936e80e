package io.github.etcdgitops.plan.begin;

import io.github.etcdgitops.ring.Blueprint;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.RestoreOrder;
import io.github.etcdgitops.ring.RestoreOrder.Source;
import io.github.etcdgitops.ring.backup.BackupNeeds;
import io.github.etcdgitops.ring.founding.BootstrapCluster;
import io.github.etcdgitops.ring.membership.ForeignObjects;
import io.github.etcdgitops.ring.restore.Restorable;
import io.github.etcdgitops.ring.restore.RestoreCluster;
import io.github.etcdgitops.ring.scale.ScaleOut;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.Transport;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.journal.MemberSettings;
import io.github.etcdgitops.state.underway.JoinAttempts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// How a ring starts that does not exist yet: empty, or from a backup. A ring that a document asks to
/// restore is never created empty.
public sealed interface StartDecision {
    record With(List<Operation> operations) implements StartDecision {
        public With {
            operations = List.copyOf(operations);
        }
    }

    record Held(FindingCode code, String reason) implements StartDecision {}

    /// The ring exists, or some object of it that a new ring must not be created over.
    record Over() implements StartDecision {}

    static StartDecision of(EtcdClusterSpec spec, ClusterState state, Optional<BackupNeeds.Restore> wanted) {
        var journal = state.kube().knownJournal();
        var founding = BootstrapCluster.detect(spec, state);
        boolean restoring =
                journal.filter(j -> j.isUnderWay(Intent.Kind.RESTORE)).isPresent();
        if (founding.isEmpty() && !restoring) {
            return new Over();
        }
        var loaded =
                journal.filter(_ -> restoring && state.kube().restoredInto().isPresent());
        return (restoring ? withoutVolume(state) : nothingToAdopt(spec))
                .or(() -> loaded.map(filled -> carryOn(spec, filled, wanted)))
                .or(() -> incomplete(spec))
                .or(() -> foreign(state))
                .orElseGet(() -> switch (wanted.orElse(null)) {
                    case BackupNeeds.Restore.Awaited(String reason) -> new Held(FindingCode.RESTORE_AWAITED, reason);
                    case BackupNeeds.Restore.Wanted(RestoreOrder order)
                    when journal.isEmpty() || restoring -> restore(spec, order);
                    case BackupNeeds.Restore.Wanted(RestoreOrder order) ->
                        new Held(
                                FindingCode.RESTORE_AWAITED,
                                order.asker()
                                        + " names this ring, and the ring is already being created empty. Remove"
                                        + " the document, or delete the ring's objects and claims by hand");
                    case BackupNeeds.Restore.Asked _, BackupNeeds.Restore.InPlace _ -> new Over();
                    case null ->
                        founding.<StartDecision>map(f -> new With(List.of(f)))
                                .orElseGet(() -> new Held(
                                        FindingCode.RESTORE_AWAITED,
                                        "the journal says that a restore of this ring is under way"
                                                + journal.flatMap(Journal::origin)
                                                        .map(o -> " from " + o.from() + ", as " + o.request()
                                                                + " asked for")
                                                        .orElse("")
                                                + ". No EtcdRestore names the ring. Bring the document back, or run"
                                                + " `etcd-gitops restore` again"));
                });
    }

    /// The first member has no volume that it could start on. Only people delete what is retained of a
    /// former ring. A StatefulSet whose member has lost the restored data blocks restoring it again.
    private static Optional<StartDecision> withoutVolume(ClusterState state) {
        var ref = state.ref();
        boolean set = state.kube().knownSet().isPresent();
        var gone = JoinAttempts.gone(state, 0)
                .or(() -> set && state.kube().restoredInto().isEmpty()
                        ? Optional.of("the volume of " + ref.podName(0) + " is not the one that the data was restored"
                                + " into")
                        : Optional.empty());
        String delete = "kubectl -n " + ref.namespace() + " delete ";
        return gone.map(what -> new Held(
                FindingCode.CLAIM_LOST,
                what + ", so the restored ring cannot start on it. If the volume is gone for good, run: "
                        + (set ? delete + "statefulset " + ref.name() + " && " : "")
                        + delete
                        + "pvc "
                        + StuckJoinFindings.claim(state, 0)
                        + ". The restore then starts again"));
    }

    /// A document that adopts a running ring does not ask for an empty one where no ring runs.
    private static Optional<StartDecision> nothingToAdopt(EtcdClusterSpec spec) {
        return spec.declaration()
                .adopt()
                .map(wanted -> new Held(
                        FindingCode.NOTHING_TO_ADOPT,
                        "/spec/adopt names the StatefulSet " + wanted.statefulSet() + ", and in the namespace "
                                + spec.ref().namespace()
                                + " of this Kubernetes cluster it does not exist. Check that this is the right"
                                + " Kubernetes cluster. To create an empty ring, remove spec.adopt"));
    }

    private static Optional<StartDecision> incomplete(EtcdClusterSpec spec) {
        var server = spec.server();
        if (server.tls().transport().client() == Transport.Mode.MIXED
                && !server.version().servesClientsBothWays()) {
            return Optional.of(new Held(
                    FindingCode.TLS_NEEDS_NEWER_ETCD,
                    "/spec/tls/client is mixed, and etcd " + server.version()
                            + " cannot reliably serve plain and TLS clients on one port. Set it to mutual or plain,"
                            + " or use etcd 3.4.25, 3.5.8 or later"));
        }
        return spec.declaration().notYet().stream()
                .filter(EtcdClusterSpec.NotYet::blocksBootstrap)
                .findFirst()
                .map(blocked -> new Held(
                        FindingCode.BOOTSTRAP_INCOMPLETE,
                        "the ring is not created, because this version does not support what " + blocked.pointer()
                                + " asks for"));
    }

    private static Optional<StartDecision> foreign(ClusterState state) {
        Optional<StartDecision> claims =
                state.kube().claims().optional().orElseThrow().values().stream().allMatch(KubeState.ClaimState::ours)
                        ? Optional.empty()
                        : Optional.of(new Held(
                                FindingCode.FOREIGN_CLAIMS,
                                "claims with this ring's names exist and are not managed by etcd-gitops"));
        return claims.or(() -> ForeignObjects.of(state)
                .map(found -> new Held(FindingCode.FOREIGN_OBJECT, found + " Until then nothing is created.")));
    }

    /// Until the data is in the volume, the document and the ring's spec may still be corrected.
    private static StartDecision restore(EtcdClusterSpec spec, RestoreOrder order) {
        return Restorable.refusal(spec, order)
                .<StartDecision>map(why -> new Held(FindingCode.RESTORE_REFUSED, why))
                .orElseGet(() -> new With(operations(
                        spec,
                        MemberSettings.founding(spec.server(), spec.server().version()),
                        order)));
    }

    /// The data is in the volume: the rest depends neither on the document nor on the backup, which may be
    /// gone.
    private static StartDecision carryOn(EtcdClusterSpec spec, Journal journal, Optional<BackupNeeds.Restore> wanted) {
        var origin = journal.origin().orElse(null);
        if (origin == null) {
            return new Held(FindingCode.RESTORE_REFUSED, "the journal does not name the backup to restore");
        }
        var order = wanted.orElse(null) instanceof BackupNeeds.Restore.Wanted(RestoreOrder asked)
                ? asked
                : new RestoreOrder(origin.request(), new Source.Loaded(origin), origin.bumpRevision());
        return order.isOf(origin)
                ? new With(operations(spec, journal.applied(), order))
                : new Held(
                        FindingCode.RESTORE_REFUSED,
                        "the ring already has the data of " + origin.from() + ", as " + origin.request()
                                + " requested. Another restore needs another ring");
    }

    /// A ring of one that starts from a backup, and the members that join it.
    static List<Operation> operations(EtcdClusterSpec spec, MemberSettings applied, RestoreOrder order) {
        var operations = new ArrayList<Operation>();
        var version = applied.version();
        var blueprint = Blueprint.of(spec, applied);
        operations.add(new RestoreCluster(
                spec.ref(), version, spec.server().tls().with(applied.transport()), order, blueprint));
        for (int ordinal = 1; ordinal < spec.size(); ordinal++) {
            operations.add(new ScaleOut(spec.ref(), ordinal, version.hasLearners(), blueprint));
        }
        return operations;
    }
}
