package io.github.etcdgitops.step;

import io.github.etcdgitops.spec.ClusterRef;
import io.github.etcdgitops.state.Intent;
import io.github.etcdgitops.state.ManagedObject;
import java.util.Collection;

/// What a step says to people, before it happens: in plans, progress and reports alike.
public final class Wording {
    private static final String AS_VOTER = " as a voter (this etcd has no learners)";

    private Wording() {}

    /// An imperative sentence without a full stop: `Remove member orders-4 from the ring`.
    public static String of(Step step, ClusterRef ref) {
        return switch (step) {
            case Step.OpenJournal(int size, var version, var unused) ->
                "Open the journal of a new ring of " + size + " on etcd " + version + ", and its namespace if need be";
            case Step.WriteFoundingConfigs(int size) -> "Write the founding configuration of " + count(size, "member");
            case Step.CreateStatefulSet(int size) -> "Create the StatefulSet with " + count(size, "replica");
            case Step.AwaitRing(int size) -> "Wait until " + started(size) + " and elected a leader";
            case Step.RecordRing _ -> "Record the cluster ID and the member IDs in the journal";
            case Step.ApplyObjects(var objects) -> "Apply " + titles(objects);
            case Step.SetBudget(int minAvailable) -> "Set the disruption budget to minAvailable " + minAvailable;
            case Step.BlockEvictions(int pods) -> "Refuse evictions meanwhile (minAvailable " + pods + ")";
            case Step.SetReplicas(int replicas) -> "Set the StatefulSet to " + count(replicas, "replica");
            case Step.Begin(var kind, int ordinal, var unused) -> beginning(kind, ref.podName(ordinal));
            case Step.AddLearner(int ordinal) -> "Add " + ref.podName(ordinal) + " as a learner";
            case Step.AddVoter(int ordinal) -> "Add " + ref.podName(ordinal) + AS_VOTER;
            case Step.WriteJoinConfig(int ordinal) -> "Write the joining configuration of " + ref.podName(ordinal);
            case Step.AwaitStarted(int ordinal) -> awaited(ref.podName(ordinal));
            case Step.SealMember(int ordinal) ->
                "Seal " + ref.podName(ordinal) + ": from now on it starts on its own data only";
            case Step.Promote(int ordinal) -> "Promote " + ref.podName(ordinal) + " to a voter once it has caught up";
            case Step.AdmitClients(int ordinal) -> "Let clients reach " + ref.podName(ordinal);
            case Step.AwaitGreen _ -> "Wait until every member answers, agrees and has caught up";
            case Step.YieldLeadership(int o) -> "Move the leadership off " + ref.podName(o) + " if it leads";
            case Step.RemoveMember(int ordinal, var unused) ->
                "Remove member " + ref.podName(ordinal) + " from the ring";
            case Step.AwaitPodGone(int ordinal) -> "Wait until the pod " + ref.podName(ordinal) + " is gone";
            case Step.ReleaseMember(int ordinal, boolean copy) -> released(ref.podName(ordinal), copy);
            case Step.Finish _ -> "Journal that this is done";
            case Step.OfBackup backup -> of(backup, ref);
            case Step.OfRestore restore -> of(restore, ref);
            case ReplaceStep replace -> ReplaceWording.of(replace, ref);
            case MaintainStep maintain -> MaintainWording.of(maintain, ref);
            case RollStep roll -> RollWording.of(roll, ref);
            case GrowStep grow -> GrowWording.of(grow, ref);
            case TlsStep tls -> TlsWording.of(tls, ref);
            case AdoptStep adopt -> AdoptWording.of(adopt, ref);
            case Step.OfDeletion deletion -> DeleteWording.of(deletion, ref);
        };
    }

    private static String released(String member, boolean copy) {
        return "Release " + member + ": remove its configuration"
                + (copy ? " and its volume, which came with the join" : ", keep its volume");
    }

    private static String awaited(String member) {
        return "Wait until " + member + " has started; keep clients away from it";
    }

    private static String beginning(Intent.Kind kind, String member) {
        return "Journal that " + member + (kind == Intent.Kind.LEAVE ? " leaves" : " joins in a new data directory");
    }

    private static String of(Step.OfRestore step, ClusterRef ref) {
        return switch (step) {
            case Step.VerifySource(RestoreOrder order) -> "Read and prove the snapshot " + order.from();
            case Step.OpenRestore(RestoreOrder order, var version, var unused) ->
                "Open the journal of a new ring on etcd " + version + " that begins with "
                        + order.backup().map(id -> "backup " + id).orElse("this snapshot");
            case Step.CreateClaim _ -> "Create the volume claim of " + ref.podName(0);
            case Step.LoadSnapshot _ ->
                "Restore the snapshot into the volume of " + ref.podName(0) + " by a Job, and seal the member";
            case Step.EndRestoreJob _ -> "Remove the Job and wait until its pod is gone";
            case Step.CompareData _ -> "Compare revision, keys and hash with the manifest";
            case Step.RecordRestored _ -> "Record the cluster ID in the journal, and that the restore is done";
        };
    }

    private static String of(Step.OfBackup step, ClusterRef ref) {
        return switch (step) {
            case Step.SaveSnapshot(BackupOrder order) ->
                "Stream a snapshot of a follower to " + order.destination().title();
            case Step.CertifyBackup _ -> "Compare hashes with what was stored, and write the manifest";
            case Step.DeleteBackups(BackupOrder order, var expired, var leftovers) ->
                "Delete " + count(expired.size() + leftovers.size(), "backup") + " from "
                        + order.destination().title();
            case Step.TryRestore(var unused, var backup, String namespace, var alsoUnused) ->
                "Restore backup " + backup.id() + " of " + ref + " in namespace " + namespace
                        + " by way of trial, compare, and remove it again";
        };
    }

    /// Whether and how the step can be taken back.
    public static String undo(Step step, ClusterRef ref) {
        return switch (step) {
            case Step.AddLearner _, Step.AddVoter _, Step.Promote _, Step.WriteJoinConfig _ -> "by scaling in again";
            case Step.RemoveMember(int ordinal, var unused) ->
                "by scaling out again; " + ref.podName(ordinal) + " rejoins as a new member";
            case Step.CreateStatefulSet _, Step.WriteFoundingConfigs _, Step.OpenJournal _, Step.RecordRing _ ->
                "by deleting the ring";
            case Step.SealMember _ -> "not needed: a sealed configuration is the safe one";
            case Step.SetReplicas _, Step.SetBudget _, Step.BlockEvictions _, Step.ApplyObjects _, Step.Begin _ ->
                "yes";
            case Step.AdmitClients _, Step.ReleaseMember _, Step.YieldLeadership _, Step.Finish _ -> "yes";
            case Step.AwaitRing _, Step.AwaitStarted _, Step.AwaitGreen _, Step.AwaitPodGone _ -> "changes nothing";
            case Step.SaveSnapshot _, Step.CertifyBackup _, Step.TryRestore _ -> "changes nothing in the ring";
            case Step.VerifySource _, Step.CompareData _ -> "changes nothing";
            case Step.OpenRestore _,
                    Step.CreateClaim _,
                    Step.LoadSnapshot _,
                    Step.EndRestoreJob _,
                    Step.RecordRestored _ -> "by deleting the ring and its claim";
            case Step.DeleteBackups _ -> "no";
            case ReplaceStep replace -> ReplaceWording.undo(replace);
            case MaintainStep maintain -> MaintainWording.undo(maintain);
            case RollStep roll -> RollWording.undo(roll);
            case GrowStep grow -> GrowWording.undo(grow);
            case TlsStep tls -> TlsWording.undo(tls);
            case AdoptStep adopt -> AdoptWording.undo(adopt, ref);
            case Step.OfDeletion deletion -> DeleteWording.undo(deletion);
        };
    }

    private static String titles(Collection<ManagedObject> objects) {
        return String.join(", ", objects.stream().map(ManagedObject::title).toList());
    }

    private static String started(int size) {
        return count(size, "member") + (size == 1 ? " has started" : " have started");
    }

    private static String count(int number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }
}
