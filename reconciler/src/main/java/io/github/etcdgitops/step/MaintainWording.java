package io.github.etcdgitops.step;

import io.github.etcdgitops.spec.ClusterRef;

/// What the steps of maintenance say to people.
final class MaintainWording {
    private MaintainWording() {}

    static String of(MaintainStep step, ClusterRef ref) {
        return switch (step) {
            case MaintainStep.Defragment(int ordinal, var percent, var size) ->
                "Defragment " + ref.podName(ordinal) + ", which answers nobody meanwhile, and wait until it is well";
            case MaintainStep.CompactHistory(long kept) ->
                "Forget what was before the newest " + kept + " revisions, and wait until every voter has freed it";
            case MaintainStep.HandOver(int ordinal) ->
                "Move the leadership off " + ref.podName(ordinal) + " if it leads";
            case MaintainStep.MakeRoom(int ordinal) ->
                "Defragment " + ref.podName(ordinal)
                        + ", which answers nobody meanwhile, if its file is near the quota";
            case MaintainStep.DisarmSpace _ -> "Disarm the NOSPACE alarms, if every file leaves room below the quota";
            case MaintainStep.ProveWrites _ -> "Prove that every voter takes writes again, without writing anything";
        };
    }

    static String undo(MaintainStep step) {
        return switch (step) {
            case MaintainStep.CompactHistory _ ->
                "no: older revisions cannot be read any more, and what is there now stays";
            case MaintainStep.Defragment _, MaintainStep.MakeRoom _ -> "not needed: the data is the same";
            case MaintainStep.HandOver _ -> "yes";
            case MaintainStep.DisarmSpace _ -> "not needed: etcd raises them again where there is no room";
            case MaintainStep.ProveWrites _ -> "changes nothing";
        };
    }
}
