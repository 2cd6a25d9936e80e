package io.github.etcdgitops.fake;

import io.github.etcdgitops.fake.FakeRing.Pod;
import io.github.etcdgitops.fake.FakeRing.StatefulSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// The controllers of Kubernetes: StatefulSet (Parallel, RollingUpdate with a partition, volumes
/// retained) and PodDisruptionBudget. One round a tick.
final class FakeController {
    private final FakeWorld world;

    FakeController(FakeWorld world) {
        this.world = world;
    }

    /// Ends what was ending, then makes pods as the StatefulSet wants them.
    void tick(FakeRing ring) {
        ring.pods.entrySet().removeIf(pod -> pod.getValue().terminating && !ring.silent.contains(pod.getKey()));
        ring.claims.entrySet().removeIf(c -> c.getValue().terminating && !ring.pods.containsKey(c.getKey()));
        if (ring.statefulSet != null && ring.statefulSet.orphaning) {
            ring.statefulSet = null;
            ring.pods.values().forEach(pod -> pod.controller = null);
        }
        var set = ring.statefulSet;
        if (set == null) {
            return;
        }
        for (int ordinal = 0; ordinal < set.replicas; ordinal++) {
            ring.claims.computeIfAbsent(ordinal, _ -> world.volumes().claim(set.storage));
            if (ring.pods.size() >= ring.podQuota && !ring.pods.containsKey(ordinal)) {
                continue;
            }
            String revision = ordinal >= set.partition ? set.updateRevision : set.currentRevision;
            var pod = ring.pods.computeIfAbsent(ordinal, _ -> new Pod(world.nextUid(), revision, world.ticks()));
            if (pod.controller == null && (pod.ours || !set.ours)) {
                pod.controller = set.uid;
                pod.ours = set.ours;
            }
        }
        var surplus = List.copyOf(ring.pods.tailMap(set.replicas).values());
        if (set.replicasByUs && !surplus.isEmpty() && set.replicas == 0) {
            world.oracle().ends(ring, () -> end(ring, surplus));
        } else if (set.replicasByUs && !surplus.isEmpty()) {
            world.oracle().ours(ring, "replicas " + set.replicas, () -> end(ring, surplus));
        } else {
            end(ring, surplus);
        }
        roll(ring, set);
    }

    private static boolean end(FakeRing ring, List<Pod> pods) {
        pods.forEach(pod -> end(ring, pod));
        return true;
    }

    /// The process stops at once, unless its machine stands still; the pod is gone at the next tick.
    static void end(FakeRing ring, Pod pod) {
        if (ring.silent.stream().map(ring.pods::get).noneMatch(pod::equals)) {
            ring.stopProcess(pod);
        }
        pod.terminating = true;
        pod.ready = false;
    }

    /// From the highest ordinal down to the partition, one pod at a time, waiting for the one before.
    private void roll(FakeRing ring, StatefulSet set) {
        for (int ordinal = set.replicas - 1; ordinal >= set.partition; ordinal--) {
            var pod = ring.pods.get(ordinal);
            if (pod == null) {
                return;
            }
            if (!pod.revision.equals(set.updateRevision) && !pod.terminating) {
                restart(ring, set, ordinal, pod);
                return;
            }
            if (!pod.ready) {
                return;
            }
        }
    }

    static Set<Integer> up(FakeRing ring) {
        return ring.current == null
                ? new TreeSet<>()
                : ring.current.voters().stream()
                        .filter(FakeMember::up)
                        .map(m -> m.ordinal)
                        .collect(Collectors.toCollection(TreeSet::new));
    }

    /// A ring of one or two has no quorum meanwhile, and its plan said so.
    private void restart(FakeRing ring, StatefulSet set, int ordinal, Pod pod) {
        boolean known = up(ring).containsAll(set.upWhenLowered);
        if (set.rolledByUs && set.replicas > 2 && known) {
            world.oracle().ours(ring, "roll " + ordinal, () -> end(ring, List.of(pod)));
        } else {
            end(ring, pod);
        }
    }

    /// What the controllers write into `status`, after the kubelets had their turn.
    void report(FakeRing ring) {
        int ready = (int) ring.pods.values().stream().filter(p -> p.ready).count();
        ring.disruptionsAllowed =
                ring.minAvailable().map(min -> Math.max(0, ready - min)).orElse(0);
        ring.budgetSettled = true;
        var set = ring.statefulSet;
        if (set == null) {
            return;
        }
        boolean rolled = ready >= set.replicas
                && ring.pods.headMap(set.replicas).values().stream()
                        .allMatch(p -> p.revision.equals(set.updateRevision));
        if (!set.settled || set.readyReplicas != ready || (rolled && !set.currentRevision.equals(set.updateRevision))) {
            set.settled = true;
            set.readyReplicas = ready;
            set.currentRevision = rolled ? set.updateRevision : set.currentRevision;
            set.resourceVersion = world.nextVersion();
        }
    }
}
