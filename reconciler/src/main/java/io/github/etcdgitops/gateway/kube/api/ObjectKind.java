package io.github.etcdgitops.gateway.kube.api;

/// The kinds of objects that this program uses, and where the API server serves them.
public enum ObjectKind {
    NAMESPACE("Namespace", "v1", "namespaces"),
    STATEFUL_SET("StatefulSet", "apps/v1", "statefulsets"),
    /// The pod templates that a StatefulSet's controller has stored.
    REVISION("ControllerRevision", "apps/v1", "controllerrevisions"),
    POD("Pod", "v1", "pods"),
    /// A node; it has no namespace.
    NODE("Node", "v1", "nodes"),
    /// It has no namespace either.
    VOLUME("PersistentVolume", "v1", "persistentvolumes"),
    CLAIM("PersistentVolumeClaim", "v1", "persistentvolumeclaims"),
    RESOURCE_QUOTA("ResourceQuota", "v1", "resourcequotas"),
    STORAGE_CLASS("StorageClass", "storage.k8s.io/v1", "storageclasses"),
    CONFIG_MAP("ConfigMap", "v1", "configmaps"),
    SECRET("Secret", "v1", "secrets"),
    SERVICE("Service", "v1", "services"),
    /// Served under policy/v1beta1 before Kubernetes 1.21: see [ServerTraits].
    BUDGET("PodDisruptionBudget", "policy/v1", "poddisruptionbudgets"),
    NETWORK_POLICY("NetworkPolicy", "networking.k8s.io/v1", "networkpolicies"),
    LEASE("Lease", "coordination.k8s.io/v1", "leases"),
    EVENT("Event", "v1", "events"),
    SERVICE_ACCOUNT("ServiceAccount", "v1", "serviceaccounts"),
    JOB("Job", "batch/v1", "jobs"),
    /// cert-manager's kind, where it is installed.
    CERTIFICATE("Certificate", "cert-manager.io/v1", "certificates");

    private final String kind;
    private final String apiVersion;
    private final String plural;

    ObjectKind(String kind, String apiVersion, String plural) {
        this.kind = kind;
        this.apiVersion = apiVersion;
        this.plural = plural;
    }

    public String kind() {
        return kind;
    }

    public String apiVersion() {
        return apiVersion;
    }

    public String plural() {
        return plural;
    }
}
