package io.github.etcdgitops.step;

import io.github.etcdgitops.spec.ClusterRef;

/// What the steps of a ring's taking over say to people.
final class AdoptWording {
    private AdoptWording() {}

    static String of(AdoptStep step, ClusterRef ref) {
        return switch (step) {
            case AdoptStep.OpenAdoption(var order, var unused) ->
                "Keep the StatefulSet's manifest in the ConfigMap " + ref.name()
                        + "-adopted, and open the journal of ring " + order.clusterId();
            case AdoptStep.AddPeerUrl(int ordinal) ->
                "Tell the ring a second peer URL of " + ref.podName(ordinal) + ", of the Service " + ref.name()
                        + "-peer";
            case AdoptStep.OrphanPods _ ->
                "Delete the StatefulSet " + ref.name()
                        + " and leave its pods running; until the next step but one, nobody makes a lost pod anew";
            case AdoptStep.TakePods _ -> "Put our labels on the pods and claims";
            case AdoptStep.RecreateStatefulSet(int size) ->
                "Create the StatefulSet " + ref.name() + " with the former pod template, and wait until it has the "
                        + size + " pods";
            case AdoptStep.RenewStatefulSet(int size) ->
                "Create the StatefulSet anew with our pod template around the " + size
                        + " pods that run, unless it is so already: the former template starts no new member";
            case AdoptStep.TakeService _ -> "Put our labels on the Service " + ref.name() + ", if there is one";
            case AdoptStep.CloseAdoption _ -> "Journal that the ring is ours in everything";
        };
    }

    static String undo(AdoptStep step, ClusterRef ref) {
        return switch (step) {
            case AdoptStep.OpenAdoption _, AdoptStep.AddPeerUrl _, AdoptStep.TakePods _, AdoptStep.TakeService _ ->
                "yes";
            case AdoptStep.OrphanPods _, AdoptStep.RecreateStatefulSet _ ->
                "by hand, with the manifest in the ConfigMap " + ref.name() + "-adopted";
            case AdoptStep.RenewStatefulSet _ -> "no: the roll to our template goes on from here";
            case AdoptStep.CloseAdoption _ -> "not needed";
        };
    }
}
