package io.github.etcdgitops.plan;

import io.github.etcdgitops.operation.BootstrapCluster;
import io.github.etcdgitops.operation.Operation;
import io.github.etcdgitops.operation.RestoreCluster;
import io.github.etcdgitops.operation.ScaleOut;
import io.github.etcdgitops.spec.EtcdClusterSpec;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.Journal;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.step.RestoreOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// How a ring begins that is not there yet: empty, or with a backup. A ring that somebody wants restored is never
/// founded empty.
sealed interface Beginning {
    record With(List<Operation> operations) implements Beginning {
        public With {
            operations = List.copyOf(operations);
        }
    }

    record Held(String code, String reason) implements Beginning {}

    /// The ring is there, or something of it that nothing can be founded over.
    record Over() implements Beginning {}

    static Beginning of(EtcdClusterSpec spec, ClusterState state, Optional<BackupNeeds.Restore> wanted) {
        var journal = state.kube().journal().optional().flatMap(j -> j).map(KubeState.JournalState::journal);
        var founding = BootstrapCluster.detect(spec, state);
        boolean restoring =
                journal.filter(j -> j.isUnderWay(Journal.Kind.RESTORE)).isPresent();
        if (founding.isEmpty() && !restoring) {
            return new Over();
        }
        return incomplete(spec).or(() -> foreignClaims(state)).orElseGet(() -> switch (wanted.orElse(null)) {
            case BackupNeeds.Restore.Awaited(String reason) -> new Held("restore-awaited", reason);
            case BackupNeeds.Restore.Wanted(RestoreOrder order)
            when journal.isEmpty() || restoring -> restore(spec, state, journal, order);
            case BackupNeeds.Restore.Wanted(RestoreOrder order) ->
                new Held(
                        "restore-awaited",
                        "EtcdRestore " + order.request() + " names this ring, and its founding as an empty one is under"
                                + " way; remove the document, or delete the ring's objects and claims by hand");
            case BackupNeeds.Restore.Asked _ -> new Over();
            case null ->
                founding.<Beginning>map(f -> new With(List.of(f)))
                        .orElseGet(() -> new Held(
                                "restore-awaited",
                                "the journal says that a restore of this ring is under way, and no EtcdRestore names it:"
                                        + " bring the document back"));
        });
    }

    private static Optional<Beginning> incomplete(EtcdClusterSpec spec) {
        return spec.declaration().notYet().stream()
                .filter(EtcdClusterSpec.NotYet::blocksBootstrap)
                .findFirst()
                .map(blocked -> new Held(
                        "bootstrap-incomplete",
                        "a new ring is not founded without what " + blocked.pointer()
                                + " asks for, and this version does not carry that out yet"));
    }

    private static Optional<Beginning> foreignClaims(ClusterState state) {
        return state.kube().claims().optional().orElseThrow().values().stream().allMatch(KubeState.ClaimState::ours)
                ? Optional.empty()
                : Optional.of(new Held("foreign-claims", "claims with this ring's names are there that are not ours"));
    }

    /// Until the data is in the volume, the document and the ring's spec may still be mended.
    private static Beginning restore(
            EtcdClusterSpec spec, ClusterState state, Optional<Journal> journal, RestoreOrder order) {
        var loaded = journal.filter(j -> isLoaded(state, j));
        var version =
                loaded.map(j -> j.applied().version()).orElse(spec.server().version());
        var refusal = loaded.isPresent() ? anotherOne(loaded.get(), order) : Restorable.refusal(spec, order);
        if (refusal.isPresent()) {
            return new Held("restore-refused", refusal.get());
        }
        var operations = new ArrayList<Operation>();
        operations.add(new RestoreCluster(spec.ref(), version, order));
        for (int ordinal = 1; ordinal < spec.size(); ordinal++) {
            operations.add(new ScaleOut(spec.ref(), ordinal, true));
        }
        return new With(operations);
    }

    private static Optional<String> anotherOne(Journal loaded, RestoreOrder order) {
        return loaded.origin()
                .filter(origin -> !order.isOf(origin))
                .map(origin -> "the ring holds the data of " + origin.from() + " already, as " + origin.request()
                        + " asked for; another restore needs another ring");
    }

    /// The sealed configuration of member 0 is written when its data is whole, and not before.
    private static boolean isLoaded(ClusterState state, Journal journal) {
        var incarnation = Optional.ofNullable(journal.members().get(0)).map(Journal.Member::incarnation);
        return state.kube()
                .configs()
                .optional()
                .map(configs -> configs.get(0))
                .filter(config -> config.sealed()
                        && incarnation.filter(config.incarnation()::equals).isPresent())
                .isPresent();
    }
}
