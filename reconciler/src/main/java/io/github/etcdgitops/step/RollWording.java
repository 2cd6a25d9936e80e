package io.github.etcdgitops.step;

import io.github.etcdgitops.spec.ClusterRef;
import java.time.Duration;

/// What the steps of a roll say to people.
final class RollWording {
    private RollWording() {}

    static String of(RollStep step, ClusterRef ref) {
        return switch (step) {
            case RollStep.BeginRoll(var target, var unused) ->
                "Journal that the members are restarted on etcd " + target.version();
            case RollStep.LeadFrom(int ordinal, boolean still) ->
                still
                        ? "Look that " + ref.podName(ordinal) + " leads still, and move the leadership back otherwise"
                        : "Move the leadership to " + ref.podName(ordinal) + ", which is restarted last";
            case RollStep.WriteTemplate _ -> "Write the new pod template; the partition keeps every pod as it is";
            case RollStep.WriteMemberFile(int ordinal, var target) ->
                "Write the configuration of " + ref.podName(ordinal) + " for etcd " + target.version();
            case RollStep.RestartMember(int ordinal) ->
                "Restart " + ref.podName(ordinal) + " by lowering the partition to " + ordinal;
            case RollStep.AwaitRolled(int ordinal, var version) ->
                "Wait until " + ref.podName(ordinal) + " is back on etcd " + version + " and every member is well";
            case RollStep.CompareMember(int ordinal) ->
                "Compare the data of " + ref.podName(ordinal) + " with another member's by hash";
            case RollStep.Soak(Duration time) -> "Watch the ring for " + time.toSeconds() + " s";
            case RollStep.AwaitClusterVersion(var version) ->
                "Wait until every member says that the ring is of etcd " + version.major() + "." + version.minor();
            case RollStep.PinPartition _ -> "Pin the partition again";
            case RollStep.FinishRoll(var target) -> "Journal that the ring runs etcd " + target.version();
            case RollStep.BeginUnroll _ -> "Journal that the roll under way is taken back";
            case RollStep.ReinstateTemplate _ -> "Put the former pod template back and pin the partition";
            case RollStep.ReplacePod(int ordinal) -> "Replace the pod " + ref.podName(ordinal);
            case RollStep.FinishUnroll _ -> "Journal that the roll was taken back";
        };
    }

    static String undo(RollStep step) {
        return switch (step) {
            case RollStep.RestartMember _, RollStep.WriteTemplate _, RollStep.WriteMemberFile _ ->
                "by taking the roll back, until the last member was restarted";
            case RollStep.AwaitClusterVersion(var version) ->
                "no: etcd cannot go back to " + version.major() + "." + (version.minor() - 1);
            case RollStep.AwaitRolled _, RollStep.CompareMember _, RollStep.Soak _ -> "changes nothing";
            case RollStep.BeginRoll _, RollStep.LeadFrom _, RollStep.PinPartition _, RollStep.FinishRoll _ -> "yes";
            case RollStep.BeginUnroll _, RollStep.ReinstateTemplate _, RollStep.ReplacePod _ -> "yes";
            case RollStep.FinishUnroll _ -> "yes";
        };
    }
}
