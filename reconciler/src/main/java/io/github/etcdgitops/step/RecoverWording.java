package io.github.etcdgitops.step;

import io.github.etcdgitops.spec.ClusterRef;
import io.github.etcdgitops.state.ReceivingVolume;
import java.util.stream.Collectors;

/// What the steps of a recovery say to people.
final class RecoverWording {
    private RecoverWording() {}

    static String of(RecoverStep step, ClusterRef ref) {
        return switch (step) {
            case RecoverStep.ProveRoom(RestoreOrder order, var unused) ->
                "Have a pod on the machine of " + ref.podName(0) + "'s volume look for "
                        + ReceivingVolume.needed(order.source().size()) + " free bytes";
            case RecoverStep.BeginExchange(var unused, var former, var alsoUnused) ->
                "Journal that the ring with cluster ID " + former + " makes room for another one";
            case RecoverStep.EndFormers _ -> "End all members that are left: set the StatefulSet to 0 replicas";
            case RecoverStep.AwaitEnded _ -> "Wait until every pod is gone for certain";
            case RecoverStep.LeadClientsAway _ -> "Delete the client service and the connection ConfigMap meanwhile";
            case RecoverStep.RemoveFormerSet _ -> "Delete the StatefulSet, which has no pods any more";
            case RecoverStep.UnseatFormers _ ->
                "Take the former members' configurations away: none of them can start again";
            case RecoverStep.FreeLostClaims(var claims) ->
                "Delete the volume claims of "
                        + claims.keySet().stream().map(ref::podName).collect(Collectors.joining(", "))
                        + ", whose volumes are lost";
            case RecoverStep.OpenExchanged(RestoreOrder order, var version, var unused) ->
                "Open the journal of the new ring on etcd " + version + " that begins with "
                        + order.backup().map(id -> "backup " + id).orElse("this snapshot");
            case RecoverStep.CallOff _ -> "Journal that nothing is under way";
        };
    }

    static String undo(RecoverStep step) {
        return switch (step) {
            case RecoverStep.BeginExchange _ -> "yes, until members are ended";
            case RecoverStep.ProveRoom _, RecoverStep.AwaitEnded _ -> "changes nothing";
            case RecoverStep.CallOff _ -> "yes";
            case RecoverStep.EndFormers _,
                    RecoverStep.LeadClientsAway _,
                    RecoverStep.RemoveFormerSet _,
                    RecoverStep.UnseatFormers _,
                    RecoverStep.FreeLostClaims _,
                    RecoverStep.OpenExchanged _ -> "no: what is on the volumes is kept, and nobody starts from it";
        };
    }
}
