package io.github.etcdgitops.plan;

import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Finding.Level;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.ring.membership.ObjectStep;
import io.github.etcdgitops.spec.ring.DriftHandling;
import io.github.etcdgitops.spec.ring.DriftHandling.Mode;
import io.github.etcdgitops.spec.ring.DriftObject;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.ManagedObject;
import io.github.etcdgitops.state.ObjectDrift;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Drift of the objects around a ring, by drift policy: operations correct `corrected`, findings report
/// `told`, and `left` is ignored. A missing object, and whatever safety depends on, is always corrected.
public record ManualDrift(List<ObjectDrift> corrected, List<ObjectDrift> told, List<ObjectDrift> left) {
    public ManualDrift {
        corrected = List.copyOf(corrected);
        told = List.copyOf(told);
        left = List.copyOf(left);
    }

    public static ManualDrift of(EtcdClusterSpec spec, ClusterState state) {
        var policies = spec.declaration().handling().drift();
        var drift = state.drift().optional().orElse(List.of());
        return new ManualDrift(
                of(drift, policies, Mode.CORRECT), of(drift, policies, Mode.REPORT), of(drift, policies, Mode.IGNORE));
    }

    private static List<ObjectDrift> of(List<ObjectDrift> drift, List<DriftHandling> policies, Mode mode) {
        var those = new ArrayList<ObjectDrift>();
        for (var one : drift) {
            var object = named(one.object());
            var pointers = one.pointers().stream()
                    .filter(pointer -> mode(policies, object, pointer) == mode)
                    .toList();
            if (!pointers.isEmpty() || (one.missing() && mode == Mode.CORRECT)) {
                those.add(new ObjectDrift(one.object(), pointers));
            }
        }
        return those;
    }

    private static Mode mode(List<DriftHandling> policies, DriftObject object, String pointer) {
        return Optional.of(object)
                .filter(o -> o.leaves(pointer))
                .flatMap(o -> policies.stream()
                        .flatMap(policy -> policy.of(o, pointer).stream())
                        .min(Comparator.naturalOrder()))
                .orElse(Mode.CORRECT);
    }

    /// The name of the object in drift policies.
    public static DriftObject named(ManagedObject object) {
        return switch (object) {
            case PEER_SERVICE -> DriftObject.PEER_SERVICE;
            case CLIENT_SERVICE -> DriftObject.CLIENT_SERVICE;
            case NETWORK_POLICY -> DriftObject.NETWORK_POLICY;
            case CONNECTION -> DriftObject.CONNECTION;
            case BUDGET -> DriftObject.DISRUPTION_BUDGET;
            case STATEFUL_SET_LABELS -> DriftObject.STATEFULSET_LABELS;
        };
    }

    /// The ring as operations should see it.
    ClusterState corrected(ClusterState state) {
        return told.isEmpty() && left.isEmpty() ? state : state.drifting(corrected);
    }

    /// An operation that writes an object writes all of it: that also overwrites drift in `left`, and the
    /// plan says so.
    List<Finding> overwritten(ClusterPlan plan) {
        var findings = new ArrayList<Finding>();
        for (var planned : plan.operations()) {
            planned.steps().stream()
                    .map(PlannedStep::step)
                    .filter(ObjectStep.ApplyObjects.class::isInstance)
                    .map(ObjectStep.ApplyObjects.class::cast)
                    .flatMap(step -> step.objects().stream())
                    .distinct()
                    .forEach(object -> leftOf(object)
                            .ifPresent(drift -> findings.add(new Finding(
                                    Level.WARNING,
                                    FindingCode.DRIFT_OVERWRITTEN,
                                    planned.operation().kind() + " "
                                            + planned.operation().id() + " rewrites the " + object.title()
                                            + " completely. This overwrites the manual changes at " + places(drift)
                                            + ", which were kept so far"))));
        }
        return findings;
    }

    private Optional<ObjectDrift> leftOf(ManagedObject object) {
        var pointers = new ArrayList<String>();
        told.stream().filter(d -> d.object() == object).forEach(d -> pointers.addAll(d.pointers()));
        left.stream().filter(d -> d.object() == object).forEach(d -> pointers.addAll(d.pointers()));
        return pointers.isEmpty() ? Optional.empty() : Optional.of(new ObjectDrift(object, pointers));
    }

    /// Whether the policy reports some of the drift.
    public static boolean tells(DriftHandling policy, ObjectDrift drift) {
        return drift.pointers().stream()
                .anyMatch(pointer -> policy.of(named(drift.object()), pointer)
                        .filter(Mode.REPORT::equals)
                        .isPresent());
    }

    /// Where the object differs, for people.
    public static String places(ObjectDrift drift) {
        return String.join(", ", drift.pointers());
    }
}
