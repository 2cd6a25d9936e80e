package io.github.etcdgitops.sandbox.controller;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.objects.KubeObjects;
import io.github.etcdgitops.sandbox.objects.KubeObjects.Deletion;
import io.github.etcdgitops.sandbox.objects.Meta;
import io.github.etcdgitops.sandbox.objects.Resource;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/// Gives claims their volumes, which are folders. Decides in [Claims]; one change at a time, the next one
/// follows from the change.
final class ClaimBinder {
    private static final Resource CLAIM = Resource.PERSISTENT_VOLUME_CLAIM;
    private static final Resource VOLUME = Resource.PERSISTENT_VOLUME;

    private final KubeObjects objects;
    private final Folders folders;

    ClaimBinder(KubeObjects objects, Path folder) {
        this.objects = objects;
        this.folders = new Folders(folder.toAbsolutePath());
    }

    /// Claims have a namespace and volumes none, so one loop serves both and never works on two at once.
    Loop<Key> loop() {
        return new Loop<>(
                "volumes",
                objects,
                List.of(
                        new Loop.Source<>(CLAIM, ClaimBinder::withVolume),
                        new Loop.Source<>(VOLUME, ClaimBinder::withClaim),
                        new Loop.Source<>(Resource.STORAGE_CLASS, any -> all()),
                        new Loop.Source<>(Resource.NODE, this::mooredTo),
                        new Loop.Source<>(Resource.POD, ClaimBinder::used)),
                key -> {
                    if (key.namespace().isEmpty()) {
                        reconcileVolume(key.name());
                    } else {
                        reconcileClaim(key);
                    }
                    return Optional.<Duration>empty();
                });
    }

    private static Collection<Key> withVolume(ObjectNode claim) {
        String volume = Claims.volumeName(claim);
        return volume.isEmpty() ? List.of(Key.of(claim)) : List.of(Key.of(claim), new Key("", volume));
    }

    private static Collection<Key> withClaim(ObjectNode volume) {
        Optional<Key> claim = claimKey(volume);
        return claim.isEmpty() ? List.of(Key.of(volume)) : List.of(Key.of(volume), claim.get());
    }

    private static Optional<Key> claimKey(ObjectNode volume) {
        var reference = volume.path("spec").path("claimRef");
        String name = reference.path("name").asText("");
        return name.isEmpty()
                ? Optional.empty()
                : Optional.of(new Key(reference.path("namespace").asText(), name));
    }

    private static Collection<Key> used(ObjectNode pod) {
        return PodState.claims(pod).stream()
                .map(claim -> new Key(Meta.namespace(pod), claim))
                .toList();
    }

    private Collection<Key> mooredTo(ObjectNode node) {
        return objects.list(VOLUME, "").items().stream()
                .filter(volume ->
                        Mooring.machine(volume).filter(Meta.name(node)::equals).isPresent())
                .map(Key::of)
                .toList();
    }

    /// What only a silent machine has is out of reach until it is back.
    private boolean isReachable(ObjectNode volume) {
        return Mooring.machine(volume)
                .map(machine -> objects.find(Resource.NODE, "", machine)
                        .filter(PodState::ready)
                        .isPresent())
                .orElse(true);
    }

    private Collection<Key> all() {
        return objects.list(CLAIM, "").items().stream().map(Key::of).toList();
    }

    private void reconcileClaim(Key key) throws IOException {
        Optional<ObjectNode> found = objects.find(CLAIM, key.namespace(), key.name());
        if (found.isEmpty()) {
            return;
        }
        ObjectNode claim = found.get();
        Optional<ObjectNode> storageClass = objects.find(
                Resource.STORAGE_CLASS,
                "",
                claim.path("spec").path("storageClassName").asText(""));
        String volumeName = Claims.volumeName(claim);
        Optional<ObjectNode> volume = volumeName.isEmpty() ? Optional.empty() : objects.find(VOLUME, "", volumeName);
        switch (Claims.claim(claim, storageClass, volume, isUsed(key))) {
            case LET_GO -> letGo(CLAIM, claim, Claims.IN_USE);
            case PROVISION -> provision(claim, storageClass.orElseThrow());
            case BIND -> bind(claim, volume.orElseThrow());
            case GROW -> grow(claim, volume.orElseThrow());
            case LOSE -> status(CLAIM, claim, "Lost");
            case NOTHING, RECLAIM, RELEASE -> {}
        }
    }

    private void reconcileVolume(String name) throws IOException {
        Optional<ObjectNode> found = objects.find(VOLUME, "", name);
        if (found.isEmpty()) {
            return;
        }
        ObjectNode volume = found.get();
        Optional<ObjectNode> claim = claimKey(volume).flatMap(key -> objects.find(CLAIM, key.namespace(), key.name()));
        switch (Claims.volume(volume, claim, isReachable(volume))) {
            case LET_GO -> letGo(VOLUME, volume, Claims.BOUND);
            case RECLAIM -> {
                folders.delete(Path.of(
                        volume.path("spec").path("hostPath").path("path").asText()));
                objects.delete(VOLUME, "", name, Deletion.PLAIN);
            }
            case RELEASE -> status(VOLUME, volume, "Released");
            case NOTHING, PROVISION, BIND, GROW, LOSE -> {}
        }
    }

    private boolean isUsed(Key claim) {
        return objects.list(Resource.POD, claim.namespace()).items().stream()
                .anyMatch(pod -> !PodState.node(pod).isEmpty()
                        && !PodState.over(pod)
                        && PodState.claims(pod).contains(claim.name()));
    }

    private void letGo(Resource resource, ObjectNode object, String finalizer) {
        objects.update(resource, Meta.namespace(object), Meta.name(object), now -> Finalizers.without(now, finalizer));
    }

    /// The volume first: a claim never names one that is not there. The name is the claim's own, so that a
    /// second attempt finds the first one's volume.
    private void provision(ObjectNode claim, ObjectNode storageClass) throws IOException {
        String name = "pvc-" + Meta.uid(claim);
        Optional<ObjectNode> there = objects.find(VOLUME, "", name);
        ObjectNode volume = there.isPresent()
                ? there.get()
                : objects.create(VOLUME, "", Claims.newVolume(claim, storageClass, folders.create(name)));
        bind(claim, volume);
    }

    private void bind(ObjectNode claim, ObjectNode volume) {
        if (volume.path("spec").path("claimRef").path("uid").asText("").isEmpty()) {
            objects.update(VOLUME, "", Meta.name(volume), now -> {
                now.withObjectProperty("spec").set("claimRef", Claims.reference(claim));
                return now;
            });
        }
        status(VOLUME, volume, "Bound");
        objects.updateStatus(
                CLAIM,
                Meta.namespace(claim),
                Meta.name(claim),
                Unchanged.since(claim, now -> Claims.bound(now, volume)));
    }

    private void grow(ObjectNode claim, ObjectNode volume) {
        ObjectNode grown = objects.update(VOLUME, "", Meta.name(volume), now -> {
            now.withObjectProperty("spec").putObject("capacity").put("storage", Claims.requested(claim));
            return now;
        });
        objects.updateStatus(
                CLAIM,
                Meta.namespace(claim),
                Meta.name(claim),
                Unchanged.since(claim, now -> Claims.bound(now, grown)));
    }

    private void status(Resource resource, ObjectNode object, String phase) {
        objects.updateStatus(resource, Meta.namespace(object), Meta.name(object), now -> {
            now.putObject("status").put("phase", phase);
            return now;
        });
    }
}
