package io.github.etcdgitops.step;

import io.github.etcdgitops.spec.ClusterRef;

/// What the steps of a replacement say to people.
final class ReplaceWording {
    private ReplaceWording() {}

    static String of(ReplaceStep step, ClusterRef ref) {
        String name = ref.podName(step.ordinal());
        return switch (step) {
            case ReplaceStep.BeginReplacement(int unused, String claimUid, var alsoUnused) ->
                "Journal that " + name + " is replaced, in a new data directory, and that claim " + claimUid
                        + " is given up";
            case ReplaceStep.LeadElsewhere _ -> "Move the leadership off " + name + " if it still leads";
            case ReplaceStep.RemoveFormer _ -> "Remove member " + name + " from the ring";
            case ReplaceStep.FreeVolume _ ->
                "Delete the claim that is given up and the pod that holds it, and wait until both were made anew";
            case ReplaceStep.AddNewcomer(int unused, boolean learner) ->
                "Add " + name + " anew as a " + (learner ? "learner" : "voter (this etcd has no learners)");
            case ReplaceStep.PromoteNewcomer _ -> "Promote " + name + " to a voter once it has caught up";
            case ReplaceStep.AwaitNewcomer _ -> "Wait until " + name + " votes, answers and is ready";
        };
    }

    static String undo(ReplaceStep step) {
        return switch (step) {
            case ReplaceStep.RemoveFormer _ -> "no, but the steps after it bring a new member in its place";
            case ReplaceStep.FreeVolume _ -> "no: what was on the volume is given up";
            case ReplaceStep.AddNewcomer _, ReplaceStep.PromoteNewcomer _ -> "not needed: it has its place back";
            case ReplaceStep.BeginReplacement _, ReplaceStep.LeadElsewhere _ -> "yes";
            case ReplaceStep.AwaitNewcomer _ -> "changes nothing";
        };
    }
}
