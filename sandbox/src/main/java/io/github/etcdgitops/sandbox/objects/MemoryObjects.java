package io.github.etcdgitops.sandbox.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// All objects of one Kubernetes, in memory. The namespaces that every cluster has are there from the start.
public final class MemoryObjects implements KubeObjects {
    private static final int KEPT = 20_000;
    private static final List<String> NAMESPACES = List.of("default", "kube-system", "kube-public", "kube-node-lease");

    private final Store store;
    private final Admission admission;
    private final InstantSource clock;

    public MemoryObjects(InstantSource clock) {
        this(clock, KEPT);
    }

    /// `kept` is how many changes back a watch can begin.
    public MemoryObjects(InstantSource clock, int kept) {
        this(new Store(kept), clock);
        for (String name : NAMESPACES) {
            ObjectNode namespace = JsonNodeFactory.instance.objectNode();
            Meta.of(namespace).put("name", name);
            create(Resource.NAMESPACE, "", namespace);
        }
    }

    private MemoryObjects(Store store, InstantSource clock) {
        this.store = store;
        this.admission = new Admission(store);
        this.clock = clock;
    }

    @Override
    public KubeObjects dryRun() {
        return new MemoryObjects(store.copy(), clock);
    }

    @Override
    public Optional<ObjectNode> find(Resource resource, String namespace, String name) {
        return Optional.ofNullable(store.get(new Store.Key(resource, namespace, name)))
                .map(ObjectNode::deepCopy);
    }

    @Override
    public Listing list(Resource resource, String namespace) {
        Listing shared = store.locked(() -> new Listing(store.list(resource, namespace), store.latest()));
        return new Listing(shared.items().stream().map(ObjectNode::deepCopy).toList(), shared.resourceVersion());
    }

    @Override
    public ObjectNode create(Resource resource, String namespace, ObjectNode given) {
        if (!Meta.resourceVersion(given).isEmpty()) {
            throw new Refusal(500, "", "resourceVersion should not be set on objects to be created");
        }
        return store.locked(() -> {
            ObjectNode object = named(resource, namespace, given);
            String name = Meta.name(object);
            if (resource.namespaced()) {
                admission.namespace(resource, namespace, name);
            }
            admission.fillIn(resource, object);
            refuse(resource, name, Validation.of(resource, object));
            var key = new Store.Key(resource, namespace, name);
            if (store.get(key) != null) {
                throw Refusal.alreadyExists(resource, name);
            }
            store.put(key, object);
            return object.deepCopy();
        });
    }

    /// A generated name that is taken is generated anew.
    private ObjectNode named(Resource resource, String namespace, ObjectNode given) {
        while (true) {
            ObjectNode object = Revision.created(resource, namespace, given, now());
            boolean taken = store.get(new Store.Key(resource, namespace, Meta.name(object))) != null;
            if (!taken || !Meta.name(given).isEmpty()) {
                return object;
            }
        }
    }

    @Override
    public ObjectNode update(Resource resource, String namespace, String name, UnaryOperator<ObjectNode> change) {
        return store.locked(() -> {
            ObjectNode before = existing(resource, namespace, name);
            ObjectNode given = guarded(resource, before, change);
            ObjectNode after = Revision.updated(resource, before, given);
            admission.changed(resource, before, after);
            refuse(resource, name, Immutable.changed(resource, before, after));
            refuse(resource, name, Validation.of(resource, after));
            return keep(resource, before, after);
        });
    }

    @Override
    public ObjectNode updateStatus(Resource resource, String namespace, String name, UnaryOperator<ObjectNode> change) {
        return store.locked(() -> {
            ObjectNode before = existing(resource, namespace, name);
            ObjectNode after = Revision.reported(resource, before, guarded(resource, before, change));
            return keep(resource, before, after);
        });
    }

    private static ObjectNode guarded(Resource resource, ObjectNode before, UnaryOperator<ObjectNode> change) {
        ObjectNode given = change.apply(before.deepCopy());
        String name = Meta.name(before);
        String uid = Meta.uid(given);
        if (!uid.isEmpty() && !uid.equals(Meta.uid(before))) {
            throw Refusal.conflict(
                    resource,
                    name,
                    "Precondition failed: UID in precondition: " + uid + ", UID in object meta: " + Meta.uid(before));
        }
        String version = Meta.resourceVersion(given);
        if (!version.isEmpty() && !version.equals(Meta.resourceVersion(before))) {
            throw Refusal.conflict(
                    resource,
                    name,
                    "the object has been modified; please apply your changes to the latest version and try again");
        }
        return given;
    }

    /// What changes nothing is no write. An object whose last finalizer is taken away goes.
    private ObjectNode keep(Resource resource, ObjectNode before, ObjectNode after) {
        if (after.equals(before)) {
            return before.deepCopy();
        }
        Store.Key key = key(resource, before);
        store.put(key, after);
        if (Meta.deleting(after) && mayGo(resource, after)) {
            store.remove(key);
        }
        return after.deepCopy();
    }

    private static boolean mayGo(Resource resource, ObjectNode object) {
        boolean held = resource == Resource.NAMESPACE
                ? !object.path("spec").path("finalizers").isEmpty()
                : object.path("metadata").path("deletionGracePeriodSeconds").asLong() > 0;
        return !held && Meta.finalizers(object).isEmpty();
    }

    @Override
    public void delete(Resource resource, String namespace, String name, Deletion how) {
        store.locked(() -> {
            ObjectNode before = existing(resource, namespace, name);
            how.uid().filter(uid -> !uid.equals(Meta.uid(before))).ifPresent(uid -> {
                throw Refusal.conflict(
                        resource,
                        name,
                        "the UID in the precondition (" + uid + ") does not match the UID in record ("
                                + Meta.uid(before)
                                + "). The object might have been deleted and then recreated");
            });
            how.resourceVersion()
                    .filter(version -> !version.equals(Meta.resourceVersion(before)))
                    .ifPresent(version -> {
                        throw Refusal.conflict(
                                resource,
                                name,
                                "the ResourceVersion in the precondition (" + version
                                        + ") does not match the ResourceVersion in record ("
                                        + Meta.resourceVersion(before) + "). The object might have been modified");
                    });
            end(resource, before, grace(resource, before, how));
            return before;
        });
    }

    /// Only a pod that a machine runs takes time to end.
    private static long grace(Resource resource, ObjectNode object, Deletion how) {
        JsonNode spec = object.path("spec");
        String phase = object.path("status").path("phase").asText();
        if (resource != Resource.POD
                || spec.path("nodeName").asText("").isEmpty()
                || phase.equals("Succeeded")
                || phase.equals("Failed")) {
            return 0;
        }
        return how.graceSeconds()
                .orElse(spec.path("terminationGracePeriodSeconds").asLong());
    }

    private void end(Resource resource, ObjectNode before, long grace) {
        JsonNode left = before.path("metadata").path("deletionGracePeriodSeconds");
        if (resource == Resource.NAMESPACE && Meta.deleting(before)) {
            throw Refusal.conflict(
                    resource,
                    Meta.name(before),
                    "The system is ensuring all content is removed from this namespace.  Upon completion, this"
                            + " namespace will automatically be purged by the system.");
        }
        boolean waits = grace > 0
                || resource == Resource.NAMESPACE
                || !Meta.finalizers(before).isEmpty();
        if (!waits) {
            store.remove(key(resource, before));
        } else if (!Meta.deleting(before) || grace < left.asLong()) {
            store.put(key(resource, before), ending(resource, before, grace));
        }
    }

    private ObjectNode ending(Resource resource, ObjectNode before, long grace) {
        ObjectNode object = before.deepCopy();
        Meta.of(object).put("deletionTimestamp", Meta.time(now().plusSeconds(grace)));
        if (resource == Resource.NAMESPACE) {
            object.withObjectProperty("status").put("phase", "Terminating");
        } else {
            Meta.of(object).put("deletionGracePeriodSeconds", grace);
            Revision.nextGeneration(object);
        }
        return object;
    }

    @Override
    public void evict(String namespace, String name, Deletion how) {
        store.locked(() -> {
            ObjectNode pod = existing(Resource.POD, namespace, name);
            List<ObjectNode> budgets = store.list(Resource.POD_DISRUPTION_BUDGET, namespace);
            Budgets.allow(pod, budgets, now())
                    .ifPresent(used -> store.put(key(Resource.POD_DISRUPTION_BUDGET, used), used));
            delete(Resource.POD, namespace, name, how);
            return pod;
        });
    }

    @Override
    public Watch watch(Resource resource, String namespace, long resourceVersion) {
        Store.Cursor cursor = store.cursor(resource, namespace, resourceVersion);
        return new Watch() {
            @Override
            public Optional<Change> next(Duration atMost) throws InterruptedException {
                return store.next(cursor, atMost)
                        .map(c -> new Change(
                                c.type(),
                                c.object().deepCopy(),
                                c.before().map(ObjectNode::deepCopy),
                                c.resourceVersion()));
            }

            @Override
            public void close() {
                store.wake(cursor);
            }
        };
    }

    private ObjectNode existing(Resource resource, String namespace, String name) {
        ObjectNode found = store.get(new Store.Key(resource, namespace, name));
        if (found == null) {
            throw Refusal.notFound(resource, name);
        }
        return found;
    }

    private static Store.Key key(Resource resource, ObjectNode object) {
        return new Store.Key(resource, Meta.namespace(object), Meta.name(object));
    }

    private static void refuse(Resource resource, String name, List<Refusal.Cause> causes) {
        if (!causes.isEmpty()) {
            throw Refusal.invalid(resource, name, causes);
        }
    }

    private Instant now() {
        return clock.instant();
    }
}
