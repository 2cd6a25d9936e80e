package io.github.etcdgitops.gateway.kube.manifest;

import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.AffinityBuilder;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirementBuilder;
import io.fabric8.kubernetes.api.model.NodeSelectorTermBuilder;
import io.fabric8.kubernetes.api.model.PodSecurityContext;
import io.fabric8.kubernetes.api.model.PodSecurityContextBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraint;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraintBuilder;
import io.fabric8.kubernetes.api.model.WeightedPodAffinityTerm;
import io.fabric8.kubernetes.api.model.WeightedPodAffinityTermBuilder;
import io.github.etcdgitops.gateway.kube.api.CanonicalJson;
import io.github.etcdgitops.gateway.kube.api.Labels;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Where a member's pod may run, and as which user: the spec's own Kubernetes values, with defaults where
/// it has none.
final class Scheduling {
    private static final Set<String> FROM_SPEC = Set.of(
            "affinity",
            "tolerations",
            "nodeSelector",
            "topologySpreadConstraints",
            "priorityClassName",
            "imagePullSecrets",
            "schedulerName",
            "securityContext");

    private static final long UNPRIVILEGED = 65532;

    private Scheduling() {}

    static PodSpec of(EtcdClusterSpec spec) {
        PodSpec user = fromSpec(spec.podTemplate().pod());
        LabelSelector ring = new LabelSelectorBuilder()
                .withMatchLabels(Metadata.sorted(Labels.selector(spec.ref())))
                .build();
        return new PodSpecBuilder(user)
                .withAffinity(user.getAffinity() == null ? apart(ring) : user.getAffinity())
                .withTopologySpreadConstraints(user.getTopologySpreadConstraints().stream()
                        .map(constraint -> countingMembers(constraint, ring))
                        .toList())
                .withSecurityContext(restricted(spec.ref(), user.getSecurityContext()))
                .build();
    }

    /// For a pod at the volume of a member. The rules that separate members would keep the pod away from
    /// it, and the members' priority would let it evict other pods. Without an fsGroup the kubelet changes
    /// no owner on the volume.
    static PodSpec atVolume(EtcdClusterSpec spec) {
        PodSpec member = of(spec);
        var security = member.getSecurityContext();
        security.setSupplementalGroups(List.of(security.getFsGroup()));
        security.setFsGroup(null);
        security.setFsGroupChangePolicy(null);
        member.setAffinity(nodes(member.getAffinity()));
        member.setTopologySpreadConstraints(List.of());
        member.setPriorityClassName(null);
        return member;
    }

    private static @Nullable Affinity nodes(Affinity affinity) {
        return affinity.getNodeAffinity() == null
                ? null
                : new AffinityBuilder()
                        .withNodeAffinity(affinity.getNodeAffinity())
                        .build();
    }

    static Affinity on(String machine) {
        return new AffinityBuilder()
                .withNewNodeAffinity()
                .withNewRequiredDuringSchedulingIgnoredDuringExecution()
                .withNodeSelectorTerms(new NodeSelectorTermBuilder()
                        .withMatchFields(new NodeSelectorRequirementBuilder()
                                .withKey("metadata.name")
                                .withOperator("In")
                                .withValues(machine)
                                .build())
                        .build())
                .endRequiredDuringSchedulingIgnoredDuringExecution()
                .endNodeAffinity()
                .build();
    }

    private static PodSpec fromSpec(Map<String, Object> pod) {
        var taken = new TreeMap<>(pod);
        taken.keySet().retainAll(FROM_SPEC);
        try {
            return CanonicalJson.MAPPER.convertValue(taken, PodSpec.class);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("podTemplate is not valid for Kubernetes", e);
        }
    }

    /// Preferred, not required: a ring that cannot be spread is still better than one that does not run.
    private static Affinity apart(LabelSelector ring) {
        return new AffinityBuilder()
                .withNewPodAntiAffinity()
                .withPreferredDuringSchedulingIgnoredDuringExecution(
                        apartBy(ring, 100, "kubernetes.io/hostname"), apartBy(ring, 50, "topology.kubernetes.io/zone"))
                .endPodAntiAffinity()
                .build();
    }

    private static WeightedPodAffinityTerm apartBy(LabelSelector ring, int weight, String topology) {
        return new WeightedPodAffinityTermBuilder()
                .withWeight(weight)
                .withNewPodAffinityTerm()
                .withLabelSelector(ring)
                .withTopologyKey(topology)
                .endPodAffinityTerm()
                .build();
    }

    /// For a constraint without a selector, Kubernetes counts no pods at all.
    private static TopologySpreadConstraint countingMembers(TopologySpreadConstraint constraint, LabelSelector ring) {
        return constraint.getLabelSelector() == null
                ? new TopologySpreadConstraintBuilder(constraint)
                        .withLabelSelector(ring)
                        .build()
                : constraint;
    }

    private static PodSecurityContext restricted(ClusterRef ref, @Nullable PodSecurityContext user) {
        var ids = user == null ? new PodSecurityContext() : user;
        long runAs = orDefault(ids.getRunAsUser());
        if (runAs == 0) {
            throw new IllegalArgumentException(ref + ": members do not run as root");
        }
        return new PodSecurityContextBuilder()
                .withRunAsNonRoot(true)
                .withRunAsUser(runAs)
                .withRunAsGroup(orDefault(ids.getRunAsGroup()))
                .withFsGroup(orDefault(ids.getFsGroup()))
                .withFsGroupChangePolicy("OnRootMismatch")
                .withNewSeccompProfile()
                .withType("RuntimeDefault")
                .endSeccompProfile()
                .build();
    }

    private static long orDefault(@Nullable Long id) {
        return id == null ? UNPRIVILEGED : id;
    }
}
