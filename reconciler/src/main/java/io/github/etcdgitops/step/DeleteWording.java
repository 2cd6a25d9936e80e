package io.github.etcdgitops.step;

import io.github.etcdgitops.spec.ClusterRef;

/// What the steps of a deletion, and of a return, say to people.
final class DeleteWording {
    private DeleteWording() {}

    static String of(Step.OfDeletion step, ClusterRef ref) {
        return switch (step) {
            case DeleteStep delete -> of(delete);
            case SnapshotStep snapshot -> of(snapshot);
            case PurgeStep purge -> of(purge, ref);
            case ReturnStep back -> of(back, ref);
            case RecoverStep recover -> RecoverWording.of(recover, ref);
            case RefoundStep refound -> refound.wording(ref);
            case InspectStep inspect -> inspect.wording(ref);
            case LookStep look -> look.wording(ref);
        };
    }

    static String undo(Step.OfDeletion step) {
        return switch (step) {
            case DeleteStep delete -> undo(delete);
            case SnapshotStep _ -> "changes nothing in the ring";
            case PurgeStep purge -> undo(purge);
            case ReturnStep back -> undo(back);
            case RecoverStep recover -> RecoverWording.undo(recover);
            case RefoundStep _ -> "not needed: the ring was never there";
            case InspectStep _, LookStep _ -> "changes nothing in the ring, nor on the volume";
        };
    }

    private static String of(DeleteStep step) {
        return switch (step) {
            case DeleteStep.BeginDeletion(String reason, var unused, var alsoUnused) ->
                "Journal that the ring is deleted, and why: " + reason;
            case DeleteStep.CutClients _ -> "Delete the client service and the connection ConfigMap";
            case DeleteStep.CompareMembers _ -> "Compare the data of all members, and journal its hash";
            case DeleteStep.StopMembers _ -> "End all members: set the StatefulSet to 0 replicas";
            case DeleteStep.AwaitStopped _ -> "Wait until every pod is gone";
            case DeleteStep.KeepVolumes _ -> "Mark the members' volume claims as kept";
            case DeleteStep.RemoveStatefulSet _ -> "Delete the StatefulSet, which has no pods any more";
            case DeleteStep.RemoveObjects _ -> "Delete the peer service, the network policy and the disruption budget";
            case DeleteStep.FinishDeletion _ -> "Journal that the ring is deleted";
        };
    }

    private static String of(SnapshotStep step) {
        return switch (step) {
            case SnapshotStep.AwaitQuiet _ ->
                "Wait " + SnapshotStep.QUIET.toSeconds() + " seconds, in which nobody may write to the ring";
            case SnapshotStep.ProveSnapshot _ ->
                "Read the snapshot back, compare it with the ring, and journal it; nobody may have written since";
            case SnapshotStep.ConfirmSnapshot(BackupOrder order) ->
                "Look once more whether the snapshot is in "
                        + order.destination().title();
        };
    }

    private static String of(PurgeStep step, ClusterRef ref) {
        return switch (step) {
            case PurgeStep.BeginPurge(String reason, var unused, var alsoUnused) ->
                "Journal that the volumes of the deleted ring go, and why: " + reason;
            case PurgeStep.DeleteClaims(var claims) ->
                "Delete for good the volume claims "
                        + String.join(
                                ", ",
                                claims.entrySet().stream()
                                        .map(c -> "of " + ref.podName(c.getKey()) + " (UID " + c.getValue() + ")")
                                        .toList());
            case PurgeStep.AwaitClaimsGone _ -> "Wait until those claims are gone";
            case PurgeStep.FinishPurge _ -> "Journal that the volumes are deleted";
        };
    }

    private static String undo(PurgeStep step) {
        return switch (step) {
            case PurgeStep.BeginPurge _ -> "by bringing the ring's document back";
            case PurgeStep.AwaitClaimsGone _ -> "changes nothing";
            case PurgeStep.DeleteClaims _, PurgeStep.FinishPurge _ ->
                "no: what is on the volumes is gone, and a backup is all that is left";
        };
    }

    private static String of(ReturnStep step, ClusterRef ref) {
        return switch (step) {
            case ReturnStep.BeginReturn _ -> "Journal that the ring comes back on the volumes that were kept";
            case ReturnStep.SealMembers _ -> "Write the members' configurations: each starts on its own data only";
            case ReturnStep.StartMembers(int members) ->
                "Start " + (members == 1 ? ref.podName(0) : "all " + members + " members") + " on the kept volumes";
            case ReturnStep.AwaitReturned _ -> "Wait until the members of then answer and have a leader";
            case ReturnStep.CompareRemains _ -> "Compare the data with the hash of when the ring went";
            case ReturnStep.TakeVolumes _ -> "Mark the volume claims as in use";
            case ReturnStep.FinishReturn _ -> "Journal that this is done";
        };
    }

    private static String undo(DeleteStep step) {
        return switch (step) {
            case DeleteStep.CompareMembers _, DeleteStep.AwaitStopped _ -> "changes nothing";
            case DeleteStep.BeginDeletion _,
                    DeleteStep.CutClients _,
                    DeleteStep.StopMembers _,
                    DeleteStep.KeepVolumes _,
                    DeleteStep.RemoveStatefulSet _,
                    DeleteStep.RemoveObjects _,
                    DeleteStep.FinishDeletion _ -> "by bringing the ring's document back";
        };
    }

    private static String undo(ReturnStep step) {
        return switch (step) {
            case ReturnStep.AwaitReturned _, ReturnStep.CompareRemains _ -> "changes nothing";
            case ReturnStep.SealMembers _ -> "not needed: a sealed configuration is the safe one";
            case ReturnStep.BeginReturn _,
                    ReturnStep.StartMembers _,
                    ReturnStep.TakeVolumes _,
                    ReturnStep.FinishReturn _ -> "by deleting the ring again";
        };
    }
}
