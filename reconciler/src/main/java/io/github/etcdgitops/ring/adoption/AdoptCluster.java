package io.github.etcdgitops.ring.adoption;

import io.github.etcdgitops.ring.Blueprint;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.RequestedBy;
import io.github.etcdgitops.ring.Resolved;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.ring.membership.MemberStep;
import io.github.etcdgitops.ring.membership.ObjectStep;
import io.github.etcdgitops.ring.roll.RollStep;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.state.ManagedObject;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.value.EtcdId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/// Takes over a ring that was created without etcd-gitops, without a restart. Its pods, claims and data
/// stay, under a StatefulSet of ours with the template that they run. A later roll makes its members ours;
/// that roll can be undone.
///
/// Applies where the document asks for it and describes what runs. A StatefulSet's selector, claim template
/// and Service cannot be changed. So the operation deletes the StatefulSet without its pods and recreates
/// it.
///
/// A failure before the deletion leaves the StatefulSet as it was. After it, the next run creates ours.
public record AdoptCluster(ClusterRef ref, Stage stage, AdoptionOrder order, Blueprint blueprint) implements Operation {
    public enum Stage {
        /// The StatefulSet is not ours.
        FOREIGN,
        /// There is no StatefulSet, and the pods run without a controller.
        ORPHANED,
        /// The StatefulSet is ours.
        OURS,
        /// It was ours, and must be recreated with our template, because a member is being replaced.
        RENEWED
    }

    @Override
    public String kind() {
        return "AdoptCluster";
    }

    @Override
    public List<RequestedBy> requestedBy() {
        return List.of(RequestedBy.Document.RING);
    }

    @Override
    public String target() {
        return "adopted cluster=" + order.clusterId() + " members=" + order.size();
    }

    @Override
    public Resolved resolved() {
        return Resolved.ring(blueprint)
                .configuration(order.applied())
                .and("statefulSet", order.statefulSet())
                .and("claims", order.claims())
                .and("members", members());
    }

    private SortedMap<Integer, Optional<String>> members() {
        var members = new TreeMap<Integer, Optional<String>>();
        order.members()
                .forEach((ordinal, member) -> members.put(ordinal, member.id().map(EtcdId::toString)));
        return members;
    }

    @Override
    public Risk risk() {
        return Risk.MEDIUM;
    }

    /// Pods without a controller must not wait for anything.
    @Override
    public boolean heals() {
        return stage != Stage.FOREIGN;
    }

    @Override
    public Consent consent() {
        return stage != Stage.FOREIGN ? Consent.GIVEN : Consent.BY_RISK;
    }

    @Override
    public String reason() {
        return "the document asks to adopt a ring that another tool created";
    }

    @Override
    public String summary() {
        return "adopt ring " + order.clusterId() + " of " + order.size() + " on etcd "
                + order.applied().version() + " without a restart";
    }

    @Override
    public List<Step> steps() {
        int size = order.size();
        if (stage == Stage.RENEWED) {
            return List.of(new AdoptStep.RenewStatefulSet(size));
        }
        var steps = new ArrayList<Step>();
        if (stage == Stage.FOREIGN) {
            for (int ordinal = 1; ordinal < size; ordinal++) {
                steps.add(new RollStep.CompareMember(ordinal));
            }
        }
        steps.add(new AdoptStep.OpenAdoption(order, id()));
        if (stage == Stage.FOREIGN) {
            for (int ordinal = 0; ordinal < size; ordinal++) {
                steps.add(new RollStep.WriteMemberFile(ordinal, order.applied()));
            }
            steps.add(ObjectStep.ApplyObjects.of(ManagedObject.PEER_SERVICE));
            for (int ordinal = 0; ordinal < size; ordinal++) {
                steps.add(new AdoptStep.AddPeerUrl(ordinal));
            }
            steps.add(new AdoptStep.OrphanPods(order));
        }
        if (stage != Stage.OURS) {
            steps.add(new AdoptStep.TakePods(order));
        }
        steps.add(new AdoptStep.RecreateStatefulSet(size));
        steps.add(
                new ObjectStep.ApplyObjects(new TreeSet<>(Set.of(ManagedObject.BUDGET, ManagedObject.NETWORK_POLICY))));
        if (stage == Stage.FOREIGN) {
            steps.add(new MemberStep.AwaitGreen());
        }
        steps.add(new MemberStep.Finish(Intent.Kind.ADOPT));
        return List.copyOf(steps);
    }
}
