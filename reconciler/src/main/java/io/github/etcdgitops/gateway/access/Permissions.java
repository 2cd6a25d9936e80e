package io.github.etcdgitops.gateway.access;

import io.github.etcdgitops.gateway.access.Permission.Need;
import io.github.etcdgitops.gateway.access.Permission.Role;
import java.util.List;
import java.util.stream.Stream;

/// Every right in Kubernetes that a run uses: this is the only list. A test compares the installed rules
/// with it, and `doctor` asks the API server for each.
public final class Permissions {
    private static final String CORE = "";

    public static final List<Permission> ALL = Stream.of(
                    planner(CORE, "namespaces", "get"),
                    planner(CORE, "pods", "get", "list"),
                    planner(CORE, "persistentvolumeclaims", "get", "list"),
                    planner(CORE, "configmaps", "get", "list"),
                    planner(CORE, "services", "get", "list"),
                    planner("apps", "statefulsets", "get", "list"),
                    planner("policy", "poddisruptionbudgets", "get", "list"),
                    planner("networking.k8s.io", "networkpolicies", "get", "list"),
                    // A client that uses WebSockets, like this one, needs get; newer API servers require
                    // create as well.
                    rights(Role.PLANNER, Need.PORT_FORWARD, CORE, "pods/portforward", "get", "create"),
                    rights(Role.EXECUTOR, Need.NEW_NAMESPACE, CORE, "namespaces", "create"),
                    rights(Role.EXECUTOR, Need.EVENTS, CORE, "events", "get", "list", "create", "update"),
                    rights(Role.EXECUTOR, Need.RESTORE, "batch", "jobs", "get", "create", "delete"),
                    rights(Role.EXECUTOR, Need.RESTORE, CORE, "persistentvolumeclaims", "create"),
                    // The storage class that decides whether a volume can grow.
                    rights(Role.PLANNER, Need.GROWTH, "storage.k8s.io", "storageclasses", "get"),
                    rights(Role.PLANNER, Need.QUOTAS, CORE, "resourcequotas", "list"),
                    // The node of an unhealthy pod, by its name and by its label.
                    rights(Role.PLANNER, Need.MACHINES, CORE, "nodes", "get", "list"),
                    // Which node has the volume of such a pod.
                    rights(Role.PLANNER, Need.MACHINES, CORE, "persistentvolumes", "get"),
                    // Ours or a foreign one; its pods keep running.
                    rights(Role.EXECUTOR, Need.RECREATION, "apps", "statefulsets", "delete"),
                    rights(Role.EXECUTOR, Need.REPAIR, CORE, "persistentvolumeclaims", "delete"),
                    // The objects around the members of a ring that is being deleted.
                    rights(Role.EXECUTOR, Need.DELETION, CORE, "services", "delete"),
                    // The ring's own StatefulSet, and what is retained of a ring, where a tombstone asks
                    // for it.
                    rights(Role.EXECUTOR, Need.DELETION, "apps", "statefulsets", "delete"),
                    rights(Role.EXECUTOR, Need.DELETION, CORE, "persistentvolumeclaims", "delete"),
                    rights(Role.EXECUTOR, Need.DELETION, CORE, "configmaps", "delete"),
                    rights(Role.EXECUTOR, Need.DELETION, "policy", "poddisruptionbudgets", "delete"),
                    rights(Role.EXECUTOR, Need.DELETION, "networking.k8s.io", "networkpolicies", "delete"),
                    rights(Role.PLANNER, Need.TLS, CORE, "secrets", "get"),
                    rights(Role.EXECUTOR, Need.TLS, CORE, "secrets", "get", "create", "update"),
                    rights(Role.EXECUTOR, Need.AUTH, CORE, "secrets", "get", "create", "update", "delete"),
                    rights(
                            Role.EXECUTOR,
                            Need.CERT_MANAGER,
                            "cert-manager.io",
                            "certificates",
                            "get",
                            "create",
                            "update"),
                    // For a failed roll: the former template, and the member that did not start.
                    executor("apps", "controllerrevisions", "get"),
                    executor(CORE, "pods", "delete"),
                    executor(CORE, "configmaps", "create", "update"),
                    executor(CORE, "services", "create", "update"),
                    executor(CORE, "pods", "update"),
                    executor(CORE, "persistentvolumeclaims", "update"),
                    executor("apps", "statefulsets", "create", "update"),
                    executor("policy", "poddisruptionbudgets", "create", "update"),
                    executor("networking.k8s.io", "networkpolicies", "create", "update"),
                    executor("coordination.k8s.io", "leases", "get", "create", "update"))
            .flatMap(rights -> rights)
            .toList();

    private Permissions() {}

    private static Stream<Permission> planner(String apiGroup, String target, String... verbs) {
        return rights(Role.PLANNER, Need.ALWAYS, apiGroup, target, verbs);
    }

    private static Stream<Permission> executor(String apiGroup, String target, String... verbs) {
        return rights(Role.EXECUTOR, Need.ALWAYS, apiGroup, target, verbs);
    }

    private static Stream<Permission> rights(Role role, Need need, String apiGroup, String target, String... verbs) {
        String[] parts = target.split("/", 2);
        String subresource = parts.length == 1 ? "" : parts[1];
        return Stream.of(verbs).map(verb -> new Permission(role, apiGroup, parts[0], subresource, verb, need));
    }
}
