package io.github.etcdgitops.sandbox.controller;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.controller.SetDecision.Action;
import io.github.etcdgitops.sandbox.controller.SetDecision.Decision;
import io.github.etcdgitops.sandbox.objects.KubeObjects;
import io.github.etcdgitops.sandbox.objects.KubeObjects.Deletion;
import io.github.etcdgitops.sandbox.objects.Meta;
import io.github.etcdgitops.sandbox.objects.Refusal;
import io.github.etcdgitops.sandbox.objects.Resource;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/// Keeps as many pods as a StatefulSet asks for, and rolls its template out. Decides in [SetDecision].
final class StatefulSetController {
    private final KubeObjects objects;

    StatefulSetController(KubeObjects objects) {
        this.objects = objects;
    }

    Loop<Key> loop() {
        return new Loop<>(
                "statefulsets",
                objects,
                List.of(
                        new Loop.Source<>(Resource.STATEFUL_SET, set -> List.of(Key.of(set))),
                        new Loop.Source<>(Resource.PERSISTENT_VOLUME_CLAIM, this::waitingFor),
                        new Loop.Source<>(
                                Resource.POD, pod -> List.of(new Key(Meta.namespace(pod), SetPods.set(pod))))),
                this::reconcile);
    }

    private Collection<Key> waitingFor(ObjectNode claim) {
        if (!Meta.deleting(claim)) {
            return List.of();
        }
        return objects.list(Resource.STATEFUL_SET, Meta.namespace(claim)).items().stream()
                .filter(set -> SetPods.hasNameOf(set, claim))
                .map(Key::of)
                .toList();
    }

    private Optional<Duration> reconcile(Key key) {
        Optional<ObjectNode> found = objects.find(Resource.STATEFUL_SET, key.namespace(), key.name());
        if (found.isEmpty()) {
            return Optional.empty();
        }
        ObjectNode set = found.get();
        List<ObjectNode> pods = Ownership.owned(
                objects, Resource.POD, set, pod -> SetPods.set(pod).equals(key.name()));
        List<ObjectNode> all =
                objects.list(Resource.CONTROLLER_REVISION, key.namespace()).items();
        List<ObjectNode> own = Ownership.owned(objects, Resource.CONTROLLER_REVISION, set, any -> true);
        Revisions.Chosen revisions = Revisions.choose(set, own, all);
        write(set, revisions);
        Decision decision = SetDecision.decide(set, revisions, pods);
        // What cannot be done now leaves the status as it was.
        decision.actions().forEach(action -> act(key, action));
        writeStatus(key, set, decision.status());
        for (String name : Revisions.superfluous(set, revisions, own, pods)) {
            objects.delete(Resource.CONTROLLER_REVISION, key.namespace(), name, Deletion.PLAIN);
        }
        return Optional.empty();
    }

    private void write(ObjectNode set, Revisions.Chosen revisions) {
        ObjectNode update = revisions.update();
        switch (revisions.write()) {
            case NONE -> {}
            case CREATE -> {
                if (!Meta.deleting(set)) {
                    objects.create(Resource.CONTROLLER_REVISION, Meta.namespace(set), update);
                }
            }
            case RENUMBER ->
                objects.update(
                        Resource.CONTROLLER_REVISION,
                        Meta.namespace(set),
                        revisions.updateName(),
                        now -> now.put("revision", update.path("revision").asInt()));
        }
    }

    private void act(Key key, Action action) {
        switch (action) {
            case Action.Create(ObjectNode pod, List<ObjectNode> claims) -> {
                claims.forEach(claim -> createClaim(key, claim));
                objects.create(Resource.POD, key.namespace(), pod);
            }
            case Action.Delete(ObjectNode pod) -> {
                var same = new Deletion(Optional.of(Meta.uid(pod)), Optional.empty(), Optional.empty());
                objects.delete(Resource.POD, key.namespace(), Meta.name(pod), same);
            }
        }
    }

    /// A claim that is there is taken as it is, whoever made it, unless it is about to go.
    private void createClaim(Key key, ObjectNode claim) {
        Optional<ObjectNode> found = objects.find(Resource.PERSISTENT_VOLUME_CLAIM, key.namespace(), Meta.name(claim));
        if (found.isEmpty()) {
            objects.create(Resource.PERSISTENT_VOLUME_CLAIM, key.namespace(), claim);
        } else if (Meta.deleting(found.get())) {
            throw Refusal.conflict(Resource.PERSISTENT_VOLUME_CLAIM, Meta.name(claim), "it is being deleted");
        }
    }

    private void writeStatus(Key key, ObjectNode set, ObjectNode status) {
        if (status.equals(set.path("status"))) {
            return;
        }
        try {
            objects.updateStatus(Resource.STATEFUL_SET, key.namespace(), key.name(), now -> {
                if (Meta.uid(now).equals(Meta.uid(set))) {
                    now.set("status", status);
                }
                return now;
            });
        } catch (Refusal gone) {
            if (gone.code() != 404) {
                throw gone;
            }
        }
    }
}
