package io.github.etcdgitops.sandbox.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// What an API server does with objects, without HTTP: defaults, validation, generations, resource versions,
/// status apart from spec, finalizers, graceful deletion. Controllers and machines of the sandbox use it as
/// clients do.
///
/// Objects that are returned are copies. An empty namespace stands for a resource that has none or, in
/// [#list] and [#watch], for all of them. Refusals are thrown as [Refusal]. Safe for any number of threads.
public interface KubeObjects {
    Optional<ObjectNode> find(Resource resource, String namespace, String name);

    Listing list(Resource resource, String namespace);

    ObjectNode create(Resource resource, String namespace, ObjectNode object);

    /// Changes what is not status. `change` gets the newest object and returns what it should be; it may be
    /// called again when another write came first, unless the returned object has a resourceVersion of its
    /// own choosing.
    ObjectNode update(Resource resource, String namespace, String name, UnaryOperator<ObjectNode> change);

    /// Changes nothing but `status` (and what the owner of the status alone may: bind a pod to its node and a
    /// claim to its volume, and take away the `spec.finalizers` of a namespace, which is gone with the last
    /// one).
    ObjectNode updateStatus(Resource resource, String namespace, String name, UnaryOperator<ObjectNode> change);

    /// Begins a deletion: pods end gracefully, objects with finalizers wait for them.
    void delete(Resource resource, String namespace, String name, Deletion how);

    /// Deletes a pod if every budget that selects it allows that.
    void evict(String namespace, String pod, Deletion how);

    /// Everything after `resourceVersion`; from now on when it is 0.
    Watch watch(Resource resource, String namespace, long resourceVersion);

    /// `resourceVersion` is that of the moment of the reading: a watch from there misses nothing.
    record Listing(List<ObjectNode> items, long resourceVersion) {}

    /// The same objects as they are now, in a copy that nobody else sees: for trying out what would be
    /// answered.
    KubeObjects dryRun();

    /// Preconditions, and how long a pod may take; zero seconds takes it away at once.
    record Deletion(Optional<String> uid, Optional<String> resourceVersion, Optional<Long> graceSeconds) {
        public static final Deletion PLAIN = new Deletion(Optional.empty(), Optional.empty(), Optional.empty());

        public static final Deletion AT_ONCE = new Deletion(Optional.empty(), Optional.empty(), Optional.of(0L));
    }
}
