package io.github.etcdgitops.sandbox.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.objects.KubeObjects;
import io.github.etcdgitops.sandbox.objects.KubeObjects.Deletion;
import io.github.etcdgitops.sandbox.objects.Meta;
import io.github.etcdgitops.sandbox.objects.Refusal;
import io.github.etcdgitops.sandbox.objects.Resource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/// Deletes what was owned by objects that are gone. An owner that is deleted with the finalizer `orphan` lets
/// go of what it owns first; one with `foregroundDeletion` goes after it.
final class GarbageCollector {
    static final String ORPHAN = "orphan";
    static final String FOREGROUND = "foregroundDeletion";

    private static final Duration LOOK_AGAIN = Duration.ofMillis(100);

    private static final Set<Resource> LOOKED_AT = EnumSet.complementOf(EnumSet.of(Resource.EVENT));

    /// One object, and no later one of the same name.
    record Item(Resource resource, Key key, String uid) {
        static Item of(Resource resource, JsonNode object) {
            return new Item(resource, Key.of(object), Meta.uid(object));
        }
    }

    enum Fate {
        STAYS,
        GOES,
        /// It is about to go, and what it owns shall stay.
        ORPHANS,
        /// It is about to go, once what it owns has gone.
        FOLLOWS
    }

    private final KubeObjects objects;
    private final Map<String, Set<Item>> dependents = new ConcurrentHashMap<>();

    GarbageCollector(KubeObjects objects) {
        this.objects = objects;
    }

    /// `owners` says for each reference in turn whether its owner is there.
    static Fate fate(ObjectNode object, List<Boolean> owners) {
        if (Meta.deleting(object)) {
            List<String> finalizers = Meta.finalizers(object);
            return finalizers.contains(ORPHAN)
                    ? Fate.ORPHANS
                    : finalizers.contains(FOREGROUND) ? Fate.FOLLOWS : Fate.STAYS;
        }
        return owners.isEmpty() || owners.contains(true) ? Fate.STAYS : Fate.GOES;
    }

    Loop<Item> loop() {
        return new Loop<>(
                "owners",
                objects,
                LOOKED_AT.stream()
                        .map(resource -> new Loop.Source<>(resource, object -> seen(resource, object)))
                        .toList(),
                this::reconcile);
    }

    private Collection<Item> seen(Resource resource, ObjectNode object) {
        Item item = Item.of(resource, object);
        for (JsonNode reference : Ownership.references(object)) {
            dependents
                    .computeIfAbsent(reference.path("uid").asText(), any -> ConcurrentHashMap.newKeySet())
                    .add(item);
        }
        return List.of(item);
    }

    private Optional<Duration> reconcile(Item item) {
        Optional<ObjectNode> found = find(item);
        if (found.isEmpty()) {
            for (Item dependent : dependents.getOrDefault(item.uid(), Set.of())) {
                find(dependent).ifPresent(object -> {
                    var _ = collect(dependent, object);
                });
            }
            dependents.remove(item.uid());
            return Optional.empty();
        }
        return collect(item, found.get());
    }

    private Optional<ObjectNode> find(Item item) {
        return objects.find(item.resource(), item.key().namespace(), item.key().name())
                .filter(object -> Meta.uid(object).equals(item.uid()));
    }

    private Optional<Duration> collect(Item item, ObjectNode object) {
        var owners = new ArrayList<Boolean>();
        Ownership.references(object).forEach(reference -> owners.add(isThere(object, reference)));
        switch (fate(object, owners)) {
            case STAYS -> {}
            case GOES -> delete(item);
            case ORPHANS -> {
                eachDependent(item, dependent -> update(dependent, now -> Ownership.released(now, object)));
                update(item, now -> Finalizers.without(now, ORPHAN));
            }
            case FOLLOWS -> {
                var left = new ArrayList<Item>();
                eachDependent(item, left::add);
                if (!left.isEmpty()) {
                    left.forEach(dependent -> deleteUnlessShared(dependent, object));
                    return Optional.of(LOOK_AGAIN);
                }
                update(item, now -> Finalizers.without(now, FOREGROUND));
            }
        }
        return Optional.empty();
    }

    /// What has another owner is only let go of.
    private void deleteUnlessShared(Item item, ObjectNode owner) {
        find(item).filter(dependent -> !Meta.deleting(dependent)).ifPresent(dependent -> {
            if (Ownership.references(dependent).size() == 1) {
                delete(item);
            } else {
                update(item, now -> Ownership.released(now, owner));
            }
        });
    }

    /// By a list, not by what was seen so far: nothing that was made a moment ago may be missed.
    private void eachDependent(Item owner, Consumer<Item> what) {
        for (Resource resource : LOOKED_AT) {
            if (!resource.namespaced() && !owner.key().namespace().isEmpty()) {
                continue;
            }
            for (ObjectNode object :
                    objects.list(resource, owner.key().namespace()).items()) {
                for (JsonNode reference : Ownership.references(object)) {
                    if (reference.path("uid").asText().equals(owner.uid())) {
                        what.accept(Item.of(resource, object));
                    }
                }
            }
        }
    }

    /// An owner of a kind that is not known here is left to others, and so is what it owns.
    private boolean isThere(ObjectNode object, JsonNode reference) {
        return owner(reference)
                .map(kind -> find(new Item(
                                kind,
                                ownerKey(kind, object, reference),
                                reference.path("uid").asText()))
                        .isPresent())
                .orElse(true);
    }

    private static Key ownerKey(Resource kind, ObjectNode object, JsonNode reference) {
        return new Key(
                kind.namespaced() ? Meta.namespace(object) : "",
                reference.path("name").asText());
    }

    private static Optional<Resource> owner(JsonNode reference) {
        String kind = reference.path("kind").asText();
        return LOOKED_AT.stream()
                .filter(resource -> resource.kind().equals(kind)
                        && resource.versions()
                                .contains(reference.path("apiVersion").asText()))
                .findFirst();
    }

    private void delete(Item item) {
        try {
            var same = new Deletion(Optional.of(item.uid()), Optional.empty(), Optional.empty());
            objects.delete(item.resource(), item.key().namespace(), item.key().name(), same);
        } catch (Refusal refusal) {
            unlessGone(refusal);
        }
    }

    private void update(Item item, Consumer<ObjectNode> change) {
        try {
            objects.update(item.resource(), item.key().namespace(), item.key().name(), now -> {
                if (Meta.uid(now).equals(item.uid())) {
                    change.accept(now);
                }
                return now;
            });
        } catch (Refusal refusal) {
            unlessGone(refusal);
        }
    }

    private static void unlessGone(Refusal refusal) {
        if (refusal.code() != 404) {
            throw refusal;
        }
    }
}
