package io.github.etcdgitops.ring.membership;

import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.RequestedBy;
import io.github.etcdgitops.ring.Resolved;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.NetworkAccess;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.ManagedObject;
import io.github.etcdgitops.state.MemberConfig;
import io.github.etcdgitops.state.ObjectDrift;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.member.DataHashes;
import io.github.etcdgitops.state.member.MemberState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/// Repairs the objects around a ring without restarting anything: Services, budget, NetworkPolicy,
/// connection, labels, a StatefulSet scaled or re-pinned by hand, a member whose file was left unsealed or
/// without etcd's comparison at the start.
///
/// Applies to a ring whose creation is complete and where nothing else is under way. `replicas` is set when
/// the StatefulSet does not have as many as the ring has members, or its partition is not pinned; never in
/// the middle of a roll. `abandoned` is the ordinal of a started removal that is no longer wanted: its
/// member is still a voter and stays.
public record RepairObjects(
        ClusterRef ref,
        SortedSet<ManagedObject> objects,
        SortedSet<Integer> unsealed,
        Optional<Integer> replicas,
        Optional<Integer> abandoned,
        NetworkAccess network)
        implements Operation {
    public RepairObjects {
        objects = Collections.unmodifiableSortedSet(new TreeSet<>(objects));
        unsealed = Collections.unmodifiableSortedSet(new TreeSet<>(unsealed));
    }

    /// `members` is how many members the ring has and should have while nothing is under way.
    public static Optional<RepairObjects> detect(
            EtcdClusterSpec spec, ClusterState state, int members, Optional<Integer> abandoned) {
        var objects = new TreeSet<ManagedObject>();
        state.drift().optional().orElse(List.of()).stream()
                .map(ObjectDrift::object)
                .forEach(objects::add);
        var unsealed = new TreeSet<Integer>();
        state.kube().configs().optional().ifPresent(configs -> {
            for (int ordinal = 0; ordinal < members; ordinal++) {
                var config = configs.get(ordinal);
                if (config == null
                        || !config.sealed()
                        || !config.incarnation().equals(incarnation(state, ordinal))
                        || (config instanceof MemberConfig.Unchecked && alike(state))) {
                    unsealed.add(ordinal);
                }
            }
        });
        var replicas = state.kube()
                .knownSet()
                .filter(s -> s.replicas() != members || s.rollout().partition() != members)
                .filter(s -> !s.rollout().inProgress())
                .map(KubeState.StatefulSetState::replicas)
                .map(_ -> members);
        return objects.isEmpty() && unsealed.isEmpty() && replicas.isEmpty() && abandoned.isEmpty()
                ? Optional.empty()
                : Optional.of(new RepairObjects(state.ref(), objects, unsealed, replicas, abandoned, spec.network()));
    }

    /// With equal data, etcd's comparison at the start, which was left out for a member, would no longer
    /// stop any member.
    private static boolean alike(ClusterState state) {
        return state.ring()
                .optional()
                .filter(ring -> ring.voters().stream().allMatch(MemberState::answers))
                .flatMap(RingState::hashes)
                .filter(DataHashes::same)
                .isPresent();
    }

    private static String incarnation(ClusterState state, int ordinal) {
        return state.kube()
                .knownJournal()
                .flatMap(j -> Optional.ofNullable(j.members().get(ordinal)))
                .map(Journal.Member::incarnation)
                .orElse("");
    }

    @Override
    public String kind() {
        return "RepairObjects";
    }

    @Override
    public List<RequestedBy> requestedBy() {
        return List.of(RequestedBy.Document.RING);
    }

    @Override
    public String target() {
        return "objects=" + objects.stream().map(ManagedObject::wire).toList() + " sealed=" + unsealed + " replicas="
                + replicas.map(String::valueOf).orElse("-") + " kept="
                + abandoned.map(String::valueOf).orElse("-");
    }

    @Override
    public Resolved resolved() {
        return Resolved.NOTHING.network(network);
    }

    @Override
    public boolean heals() {
        return true;
    }

    @Override
    public Risk risk() {
        return Risk.LOW;
    }

    @Override
    public String reason() {
        return "objects around the ring differ from what the spec asks for";
    }

    @Override
    public String summary() {
        var parts = new ArrayList<String>();
        objects.forEach(o -> parts.add(o.title()));
        replicas.ifPresent(r -> parts.add("replicas " + r));
        unsealed.forEach(o -> parts.add("seal " + ref.podName(o)));
        abandoned.ifPresent(o -> parts.add("keep " + ref.podName(o) + ", which was about to leave"));
        return "repair " + String.join(", ", parts);
    }

    @Override
    public List<Step> steps() {
        var steps = new ArrayList<Step>();
        unsealed.forEach(o -> steps.add(new MemberStep.SealMember(o)));
        replicas.ifPresent(r -> steps.add(new ObjectStep.SetReplicas(r)));
        if (!objects.isEmpty()) {
            steps.add(new ObjectStep.ApplyObjects(objects));
        }
        abandoned.ifPresent(_ -> steps.add(new MemberStep.Finish(Intent.Kind.LEAVE)));
        return List.copyOf(steps);
    }
}
