package io.github.etcdgitops.sandbox.objects;

import java.util.List;

/// The kinds of objects that are served, and under which names. `versions` are `group/version` (or `v1`), the
/// one that objects are kept in first.
public enum Resource {
    NAMESPACE("Namespace", "namespaces", Scope.CLUSTER, "v1"),
    NODE("Node", "nodes", Scope.CLUSTER, "v1"),
    PERSISTENT_VOLUME("PersistentVolume", "persistentvolumes", Scope.CLUSTER, "v1"),
    STORAGE_CLASS("StorageClass", "storageclasses", Scope.CLUSTER, "storage.k8s.io/v1"),
    POD("Pod", "pods", Scope.NAMESPACE, "v1"),
    SERVICE("Service", "services", Scope.NAMESPACE, "v1"),
    ENDPOINTS("Endpoints", "endpoints", Scope.NAMESPACE, "v1"),
    CONFIG_MAP("ConfigMap", "configmaps", Scope.NAMESPACE, "v1"),
    SECRET("Secret", "secrets", Scope.NAMESPACE, "v1"),
    EVENT("Event", "events", Scope.NAMESPACE, "v1"),
    PERSISTENT_VOLUME_CLAIM("PersistentVolumeClaim", "persistentvolumeclaims", Scope.NAMESPACE, "v1"),
    STATEFUL_SET("StatefulSet", "statefulsets", Scope.NAMESPACE, "apps/v1"),
    CONTROLLER_REVISION("ControllerRevision", "controllerrevisions", Scope.NAMESPACE, "apps/v1"),
    JOB("Job", "jobs", Scope.NAMESPACE, "batch/v1"),
    POD_DISRUPTION_BUDGET(
            "PodDisruptionBudget", "poddisruptionbudgets", Scope.NAMESPACE, "policy/v1", "policy/v1beta1"),
    NETWORK_POLICY("NetworkPolicy", "networkpolicies", Scope.NAMESPACE, "networking.k8s.io/v1"),
    LEASE("Lease", "leases", Scope.NAMESPACE, "coordination.k8s.io/v1");

    private enum Scope {
        CLUSTER,
        NAMESPACE
    }

    private final String kind;
    private final String plural;
    private final Scope scope;

    @SuppressWarnings("ImmutableEnumChecker") // List.of
    private final List<String> versions;

    Resource(String kind, String plural, Scope scope, String... versions) {
        this.kind = kind;
        this.plural = plural;
        this.scope = scope;
        this.versions = List.of(versions);
    }

    public String kind() {
        return kind;
    }

    public String plural() {
        return plural;
    }

    public boolean namespaced() {
        return scope == Scope.NAMESPACE;
    }

    public List<String> versions() {
        return versions;
    }

    /// Empty for the first group, which has no name.
    public String group() {
        String version = versions.getFirst();
        int slash = version.indexOf('/');
        return slash < 0 ? "" : version.substring(0, slash);
    }

    /// As messages name it: `pods`, `statefulsets.apps`.
    public String qualifiedPlural() {
        return group().isEmpty() ? plural : plural + "." + group();
    }

    /// Whether its status is written apart from the rest.
    public boolean hasStatus() {
        return switch (this) {
            case NAMESPACE,
                    NODE,
                    PERSISTENT_VOLUME,
                    POD,
                    SERVICE,
                    PERSISTENT_VOLUME_CLAIM,
                    STATEFUL_SET,
                    JOB,
                    POD_DISRUPTION_BUDGET -> true;
            case STORAGE_CLASS, ENDPOINTS, CONFIG_MAP, SECRET, EVENT, CONTROLLER_REVISION, NETWORK_POLICY, LEASE ->
                false;
        };
    }

    /// Whether changes of its spec are counted.
    boolean hasGeneration() {
        return this == STATEFUL_SET || this == POD_DISRUPTION_BUDGET || this == NETWORK_POLICY;
    }
}
