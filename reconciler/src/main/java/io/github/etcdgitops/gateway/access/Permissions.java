package io.github.etcdgitops.gateway.access;

import io.github.etcdgitops.gateway.access.Permission.Need;
import io.github.etcdgitops.gateway.access.Permission.Role;
import java.util.List;
import java.util.stream.Stream;

/// Every right in Kubernetes that a run makes use of: the one place where they are listed. The rules
/// that people install are held against it by a test, and `doctor` asks the API server for each.
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
                    // A client that uses WebSockets, as this one does, gets; newer API servers ask for create as well.
                    rights(Role.PLANNER, Need.PORT_FORWARD, CORE, "pods/portforward", "get", "create"),
                    rights(Role.EXECUTOR, Need.NEW_NAMESPACE, CORE, "namespaces", "create"),
                    rights(Role.EXECUTOR, Need.EVENTS, CORE, "events", "get", "list", "create", "update"),
                    rights(Role.EXECUTOR, Need.RESTORE, "batch", "jobs", "get", "create", "delete"),
                    rights(Role.EXECUTOR, Need.RESTORE, CORE, "persistentvolumeclaims", "create"),
                    // The class that decides.
                    rights(Role.PLANNER, Need.GROWTH, "storage.k8s.io", "storageclasses", "get"),
                    rights(Role.PLANNER, Need.QUOTAS, CORE, "resourcequotas", "list"),
                    // The machine of a pod that is not well, by its name and by its label.
                    rights(Role.PLANNER, Need.MACHINES, CORE, "nodes", "get", "list"),
                    // Which machine has the volume of such a pod.
                    rights(Role.PLANNER, Need.MACHINES, CORE, "persistentvolumes", "get"),
                    // Ours or somebody else's, with its pods left running.
                    rights(Role.EXECUTOR, Need.RECREATION, "apps", "statefulsets", "delete"),
                    rights(Role.EXECUTOR, Need.REPAIR, CORE, "persistentvolumeclaims", "delete"),
                    // What surrounds the members of a ring that goes.
                    rights(Role.EXECUTOR, Need.DELETION, CORE, "services", "delete"),
                    // The ring's own one, and what was kept of a ring, where a tombstone says so.
                    rights(Role.EXECUTOR, Need.DELETION, "apps", "statefulsets", "delete"),
                    rights(Role.EXECUTOR, Need.DELETION, CORE, "persistentvolumeclaims", "delete"),
                    rights(Role.EXECUTOR, Need.DELETION, CORE, "configmaps", "delete"),
                    rights(Role.EXECUTOR, Need.DELETION, "policy", "poddisruptionbudgets", "delete"),
                    rights(Role.EXECUTOR, Need.DELETION, "networking.k8s.io", "networkpolicies", "delete"),
                    rights(Role.PLANNER, Need.TLS, CORE, "secrets", "get"),
                    rights(Role.EXECUTOR, Need.TLS, CORE, "secrets", "get", "create", "update"),
                    rights(
                            Role.EXECUTOR,
                            Need.CERT_MANAGER,
                            "cert-manager.io",
                            "certificates",
                            "get",
                            "create",
                            "update"),
                    // A roll that comes to nothing: the former template, and the member that did not come up.
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
