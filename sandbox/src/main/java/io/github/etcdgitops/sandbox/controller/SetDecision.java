package io.github.etcdgitops.sandbox.controller;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.objects.Meta;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.TreeMap;

/// What a StatefulSet does next: which pods are made and which deleted, and the status that this leads to.
final class SetDecision {
    sealed interface Action {
        record Create(ObjectNode pod, List<ObjectNode> claims) implements Action {}

        record Delete(ObjectNode pod) implements Action {}
    }

    record Decision(List<Action> actions, ObjectNode status) {}

    private final ObjectNode set;
    private final Revisions.Chosen revisions;
    private final List<Action> actions = new ArrayList<>();
    private final TreeMap<Integer, ObjectNode> wanted = new TreeMap<>();
    private final List<ObjectNode> condemned = new ArrayList<>();
    private int replicas;
    private int ready;
    private int current;
    private int updated;

    private SetDecision(ObjectNode set, Revisions.Chosen revisions, List<ObjectNode> pods) {
        this.set = set;
        this.revisions = revisions;
        int size = size(set);
        for (ObjectNode pod : pods) {
            replicas++;
            ready += PodState.runningAndReady(pod) ? 1 : 0;
            if (!Meta.deleting(pod)) {
                count(pod, 1);
            }
            OptionalInt ordinal = SetPods.ordinal(pod);
            if (ordinal.isPresent() && ordinal.getAsInt() < size) {
                wanted.put(ordinal.getAsInt(), pod);
            } else {
                condemned.add(pod);
            }
        }
        condemned.sort(
                Comparator.<ObjectNode>comparingInt(pod -> SetPods.ordinal(pod).orElse(Integer.MAX_VALUE))
                        .reversed());
    }

    /// `pods` are those that the set owns.
    static Decision decide(ObjectNode set, Revisions.Chosen revisions, List<ObjectNode> pods) {
        var decision = new SetDecision(set, revisions, pods);
        if (!Meta.deleting(set) && decision.fill() && decision.shrink()) {
            decision.roll();
        }
        return new Decision(List.copyOf(decision.actions), decision.status());
    }

    private static int size(ObjectNode set) {
        return set.path("spec").path("replicas").asInt(1);
    }

    private boolean oneByOne() {
        return !set.path("spec").path("podManagementPolicy").asText().equals("Parallel");
    }

    private boolean onDelete() {
        return set.path("spec").path("updateStrategy").path("type").asText().equals("OnDelete");
    }

    private int partition() {
        return set.path("spec")
                .path("updateStrategy")
                .path("rollingUpdate")
                .path("partition")
                .asInt(0);
    }

    /// Every ordinal gets its pod, once nothing of the former one is left. False when the rest has to wait.
    private boolean fill() {
        for (int ordinal = 0; ordinal < size(set); ordinal++) {
            ObjectNode pod = wanted.get(ordinal);
            if (pod == null) {
                create(ordinal);
            } else if (PodState.failed(pod) && !Meta.deleting(pod)) {
                delete(pod);
            }
            if (oneByOne() && (pod == null || !healthy(pod))) {
                return false;
            }
        }
        return true;
    }

    private void create(int ordinal) {
        ObjectNode revision = ordinal < partition() ? revisions.current() : revisions.update();
        ObjectNode pod = SetPods.pod(set, revision, ordinal);
        actions.add(new Action.Create(pod, SetPods.claims(set, ordinal)));
        replicas++;
        count(pod, 1);
    }

    private void delete(ObjectNode pod) {
        actions.add(new Action.Delete(pod));
        count(pod, -1);
    }

    /// From the highest ordinal downwards. One by one, the others must be well before the next one goes.
    private boolean shrink() {
        String firstUnhealthy = condemned.reversed().stream()
                .filter(pod -> !healthy(pod))
                .map(Meta::name)
                .findFirst()
                .orElse("");
        for (ObjectNode pod : condemned) {
            if (!Meta.deleting(pod)) {
                if (oneByOne()
                        && !PodState.runningAndReady(pod)
                        && !Meta.name(pod).equals(firstUnhealthy)) {
                    return false;
                }
                delete(pod);
            }
            if (oneByOne()) {
                return false;
            }
        }
        return true;
    }

    /// One pod at a time, from the highest ordinal down to the partition, each only while those above it are
    /// well.
    private void roll() {
        if (onDelete()) {
            return;
        }
        for (int ordinal = size(set) - 1; ordinal >= partition(); ordinal--) {
            ObjectNode pod = wanted.get(ordinal);
            if (pod == null) {
                return;
            }
            if (!SetPods.revision(pod).equals(revisions.updateName()) && !Meta.deleting(pod)) {
                delete(pod);
                return;
            }
            if (!healthy(pod)) {
                return;
            }
        }
    }

    private static boolean healthy(ObjectNode pod) {
        return PodState.runningAndReady(pod) && !Meta.deleting(pod);
    }

    private void count(ObjectNode pod, int by) {
        String revision = SetPods.revision(pod);
        current += revision.equals(revisions.currentName()) ? by : 0;
        updated += revision.equals(revisions.updateName()) ? by : 0;
    }

    /// The update is the current revision from the moment on at which every pod has it and is ready.
    private ObjectNode status() {
        boolean rolled = !onDelete() && updated == replicas && ready == replicas;
        ObjectNode status = set.objectNode();
        status.put("observedGeneration", set.path("metadata").path("generation").asInt());
        status.put("replicas", replicas);
        putUnlessZero(status, "readyReplicas", ready);
        putUnlessZero(status, "currentReplicas", rolled ? updated : current);
        putUnlessZero(status, "updatedReplicas", updated);
        status.put("availableReplicas", ready);
        status.put("currentRevision", rolled ? revisions.updateName() : revisions.currentName());
        status.put("updateRevision", revisions.updateName());
        status.put("collisionCount", revisions.collisions());
        return status;
    }

    private static void putUnlessZero(ObjectNode status, String field, int count) {
        if (count != 0) {
            status.put(field, count);
        }
    }
}
