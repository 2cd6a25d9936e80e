package io.github.etcdgitops.step;

import io.github.etcdgitops.spec.ClusterRef;

/// What the steps around larger volumes say to people.
final class GrowWording {
    private GrowWording() {}

    static String of(GrowStep step, ClusterRef ref) {
        return switch (step) {
            case GrowStep.ExpandClaim expand ->
                "Ask for " + expand.size() + " in " + expand.claim() + " and wait until it has grown";
            case GrowStep.RestartForVolume(int ordinal, String size) ->
                "Restart " + ref.podName(ordinal) + ", if its file system has not grown to " + size + " by then";
            case GrowStep.BeginRecreation(var storage, var unused) ->
                "Journal that the StatefulSet is made anew, with claims of " + storage.size();
            case GrowStep.OrphanPods _ -> "Delete the StatefulSet and leave its pods as they are";
            case GrowStep.RecreateStatefulSet _ ->
                "Create the StatefulSet anew around them, with the same pod template and pinned";
            case GrowStep.FinishRecreation _ -> "Journal that the StatefulSet is there again";
        };
    }

    static String undo(GrowStep step) {
        return switch (step) {
            case GrowStep.ExpandClaim _ -> "no: a volume never shrinks";
            case GrowStep.RestartForVolume _, GrowStep.BeginRecreation _, GrowStep.FinishRecreation _ -> "yes";
            case GrowStep.OrphanPods _, GrowStep.RecreateStatefulSet _ -> "not needed: no pod is touched";
        };
    }
}
