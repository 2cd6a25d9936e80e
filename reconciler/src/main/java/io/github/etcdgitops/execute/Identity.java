package io.github.etcdgitops.execute;

import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.EtcdId;
import io.github.etcdgitops.step.AdoptStep;
import io.github.etcdgitops.step.GrowStep;
import io.github.etcdgitops.step.MaintainStep;
import io.github.etcdgitops.step.RecoverStep;
import io.github.etcdgitops.step.ReplaceStep;
import io.github.etcdgitops.step.ReturnStep;
import io.github.etcdgitops.step.RollStep;
import io.github.etcdgitops.step.Step;
import io.github.etcdgitops.step.TlsStep;
import java.util.Collections;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// Which members the run is about, by ID: those seen when it took the Lease, and those that its own steps
/// made since.
///
/// A member that somebody removed and added again in between has the ordinal that the plan knows and
/// another ID: the plan is not about it.
record Identity(Optional<EtcdId> cluster, SortedMap<Integer, EtcdId> members) {
    Identity {
        members = Collections.unmodifiableSortedMap(new TreeMap<>(members));
    }

    static Identity of(ClusterState state) {
        return new Identity(clusterId(state), ids(state));
    }

    /// What the ring is known as once the step has succeeded; `fresh` was read after it.
    Identity after(Step step, ClusterState fresh) {
        return switch (step) {
            case Step.AwaitRing _, Step.RecordRing _ -> of(fresh);
            case Step.AddLearner(int ordinal) -> with(ordinal, fresh);
            case Step.AddVoter(int ordinal) -> with(ordinal, fresh);
            case Step.RemoveMember(int ordinal, var unused) -> without(ordinal);
            case Step.OpenJournal _, Step.WriteFoundingConfigs _, Step.CreateStatefulSet _, Step.ApplyObjects _ -> this;
            case Step.SetBudget _, Step.BlockEvictions _, Step.SetReplicas _, Step.Begin _ -> this;
            case Step.WriteJoinConfig _, Step.AwaitStarted _, Step.SealMember _, Step.Promote _ -> this;
            case Step.AdmitClients _, Step.AwaitGreen _, Step.YieldLeadership _, Step.AwaitPodGone _ -> this;
            case Step.ReleaseMember _, Step.Finish _ -> this;
            case ReplaceStep.RemoveFormer(int ordinal) -> without(ordinal);
            case ReplaceStep.AddNewcomer(int ordinal, var unused) -> with(ordinal, fresh);
            case ReplaceStep.BeginReplacement _, ReplaceStep.LeadElsewhere _, ReplaceStep.FreeVolume _ -> this;
            case ReplaceStep.RenewPod _,
                    ReplaceStep.LowerPartition _,
                    ReplaceStep.DisarmCorrupt _,
                    ReplaceStep.NoteTry _,
                    ReplaceStep.FreePod _,
                    ReplaceStep.LeaveOutCheck _,
                    ReplaceStep.NoteMachine _,
                    ReplaceStep.ReleasePod _,
                    ReplaceStep.PromoteNewcomer _,
                    ReplaceStep.AwaitNewcomer _,
                    ReplaceStep.FinishReplacement _ -> this;
            case Step.OfBackup _, Step.OfRestore _, RollStep _, TlsStep _, GrowStep _, AdoptStep _ -> this;
            case ReturnStep.AwaitReturned _ -> of(fresh);
            case RecoverStep.EndFormers _ -> new Identity(Optional.empty(), new TreeMap<>());
            case MaintainStep _, Step.OfDeletion _ -> this;
        };
    }

    /// What is not as it was. Members that came or went are not said here: the plan's own prediction
    /// tells those.
    Optional<String> differs(ClusterState fresh) {
        var now = clusterId(fresh);
        if (cluster.isPresent() && !cluster.equals(now)) {
            return Optional.of("the cluster ID was " + cluster.get() + ", is "
                    + now.map(EtcdId::toString).orElse("unknown"));
        }
        var ids = ids(fresh);
        return members.entrySet().stream()
                .filter(known -> ids.containsKey(known.getKey()))
                .filter(known -> !Objects.equals(ids.get(known.getKey()), known.getValue()))
                .findFirst()
                .map(known -> fresh.ref().podName(known.getKey()) + " was member " + known.getValue() + ", is "
                        + ids.get(known.getKey()));
    }

    private Identity with(int ordinal, ClusterState fresh) {
        var more = new TreeMap<>(members);
        Optional.ofNullable(ids(fresh).get(ordinal)).ifPresent(id -> more.put(ordinal, id));
        return new Identity(cluster, more);
    }

    private Identity without(int ordinal) {
        var fewer = new TreeMap<>(members);
        fewer.remove(ordinal);
        return new Identity(cluster, fewer);
    }

    private static Optional<EtcdId> clusterId(ClusterState state) {
        return state.ring().optional().map(ring -> ring.clusterId());
    }

    private static SortedMap<Integer, EtcdId> ids(ClusterState state) {
        var ids = new TreeMap<Integer, EtcdId>();
        state.ring()
                .optional()
                .ifPresent(ring ->
                        ring.byOrdinal(state.ref()).forEach((ordinal, member) -> ids.put(ordinal, member.id())));
        return ids;
    }
}
