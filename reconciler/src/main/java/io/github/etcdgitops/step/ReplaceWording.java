package io.github.etcdgitops.step;

import io.github.etcdgitops.spec.ClusterRef;

/// What the steps of a replacement say to people.
final class ReplaceWording {
    private ReplaceWording() {}

    static String of(ReplaceStep step, ClusterRef ref) {
        return switch (step) {
            case ReplaceStep.NoteTry(int ordinal, String pod, int number) ->
                "Journal that pod number " + number + " of " + ref.podName(ordinal)
                        + " that does not come up is deleted: " + pod;
            case ReplaceStep.FreePod(int ordinal, String pod) ->
                "Delete the pod " + pod + " of " + ref.podName(ordinal)
                        + " if its container still ends again and again";
            case ReplaceStep.LeaveOutCheck(int ordinal, var wrong) ->
                "Move the leadership off "
                        + (wrong.isEmpty() ? "whoever differs from a majority of all voters" : wrong)
                        + ", whose data is wrong, and switch InitialCorruptCheck off in the"
                        + " configuration file of " + ref.podName(ordinal)
                        + " if two members that answer have different data";
            case ReplaceStep.NoteMachine note -> of(note, ref);
            case ReplaceStep.BeginReplacement begin -> of(begin, ref);
            case ReplaceStep.LeadElsewhere(int ordinal) ->
                "Move the leadership off " + ref.podName(ordinal) + " if it still leads";
            case ReplaceStep.RemoveFormer(int ordinal) -> "Remove member " + ref.podName(ordinal) + " from the ring";
            case ReplaceStep.DisarmCorrupt _ ->
                "Take the alarm CORRUPT back if the members that are left have the same data";
            case ReplaceStep.LowerPartition(int ordinal) ->
                "Lower the partition to " + ordinal + ", so that the new member of " + ref.podName(ordinal)
                        + " starts from the new template as all others do";
            case ReplaceStep.FreeVolume(int ordinal) ->
                "Delete the claim of " + ref.podName(ordinal)
                        + " that is given up and the pod that holds it, and wait until both were made anew";
            case ReplaceStep.ReleasePod release -> of(release, ref);
            case ReplaceStep.AddNewcomer(int ordinal, boolean learner) ->
                "Add " + ref.podName(ordinal) + " anew as a "
                        + (learner ? "learner" : "voter (this etcd has no learners)");
            case ReplaceStep.RenewPod(int ordinal) ->
                "Have the pod " + ref.podName(ordinal) + " made anew, if it has failed without its configuration";
            case ReplaceStep.PromoteNewcomer(int ordinal) ->
                "Promote " + ref.podName(ordinal) + " to a voter once it has caught up";
            case ReplaceStep.AwaitNewcomer(int ordinal) ->
                "Wait until " + ref.podName(ordinal) + " votes, answers and is ready";
            case ReplaceStep.FinishReplacement _ -> "Journal that this is done";
        };
    }

    private static String of(ReplaceStep.BeginReplacement begin, ClusterRef ref) {
        var claims = begin.claims();
        return "Journal that "
                + String.join(", ", claims.keySet().stream().map(ref::podName).toList())
                + (claims.size() == 1 ? " is" : " are")
                + " replaced in new data directories, and that these claims are given up: "
                + String.join(
                        ", ",
                        claims.values().stream()
                                .map(ReplaceStep.GivenUp::claimUid)
                                .toList());
    }

    private static String of(ReplaceStep.NoteMachine note, ClusterRef ref) {
        return "Journal that the machine " + note.machine() + ", which alone has the volume of "
                + ref.podName(note.ordinal()) + " (claim " + note.claimUid() + "), is "
                + (note.gone() ? "gone" : "no longer gone");
    }

    private static String of(ReplaceStep.ReleasePod release, ClusterRef ref) {
        return "Take the pod " + ref.podName(release.ordinal()) + " (" + release.pod()
                + ") out of Kubernetes if its machine is still silent and it is no member of the ring";
    }

    static String undo(ReplaceStep step) {
        return switch (step) {
            case ReplaceStep.RemoveFormer _ -> "no, but the steps after it bring a new member in its place";
            case ReplaceStep.DisarmCorrupt _ -> "not needed: etcd raises it again where data differs";
            case ReplaceStep.ReleasePod _ -> "no, but another pod is made in its place";
            case ReplaceStep.LowerPartition _ -> "no: etcd takes in nobody of the former line any more";
            case ReplaceStep.FreeVolume _ -> "no: what was on the volume is given up";
            case ReplaceStep.AddNewcomer _, ReplaceStep.PromoteNewcomer _ -> "not needed: it has its place back";
            case ReplaceStep.BeginReplacement _, ReplaceStep.LeadElsewhere _, ReplaceStep.FinishReplacement _ -> "yes";
            case ReplaceStep.LeaveOutCheck _ -> "not needed: it is switched on again once all have the same data";
            case ReplaceStep.NoteTry _, ReplaceStep.FreePod _ -> "not needed: the member starts on the data it has";
            case ReplaceStep.NoteMachine _ -> "not needed: the next run notes what it sees then";
            case ReplaceStep.RenewPod _, ReplaceStep.AwaitNewcomer _ -> "changes nothing";
        };
    }
}
