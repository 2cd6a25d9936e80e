package io.github.etcdgitops.gateway.access;

import io.github.etcdgitops.spec.value.WireName;

/// One right in Kubernetes that a run needs, as an RBAC rule grants it. `subresource` is empty for the
/// object itself.
public record Permission(
        Role role, String apiGroup, String resource, String subresource, String verb, Permission.Need need) {
    /// Who needs it. The executor needs the planner's as well.
    public enum Role implements WireName {
        PLANNER,
        EXECUTOR;

        @Override
        public String toString() {
            return wire();
        }

        @Override
        public String wire() {
            return switch (this) {
                case PLANNER -> "planner";
                case EXECUTOR -> "executor";
            };
        }
    }

    /// What it is needed for.
    public enum Need {
        ALWAYS,
        /// Only where pod IPs cannot be reached from here.
        PORT_FORWARD,
        /// Only where no other tool creates the namespaces of rings.
        NEW_NAMESPACE,
        /// Only for Events: ours, and those of Kubernetes about members that do not start. A run works
        /// without it.
        EVENTS,
        /// Only where rings are restored or backups are drilled.
        RESTORE,
        /// Only where volumes grow: without it, a plan does not say beforehand that a class does not allow
        /// it.
        GROWTH,
        /// Only for what a plan says beforehand about the ResourceQuotas of a ring's namespace. A run works
        /// without it.
        QUOTAS,
        /// Only where volumes grow or foreign rings are adopted: a StatefulSet is recreated around its
        /// pods.
        RECREATION,
        /// Only where lost volumes are replaced.
        REPAIR,
        /// Only to find the state of nodes whose pods are not healthy: without it, that state is unknown.
        MACHINES,
        /// Only where rings, or their retained objects, are deleted.
        DELETION,
        /// Only for rings with TLS, restricted to the names of their Secrets.
        TLS,
        /// Only for rings with users, restricted to the names of their Secrets.
        AUTH,
        /// Only for rings whose certificates come from cert-manager.
        CERT_MANAGER
    }

    /// The resource in a rule: `pods/portforward`.
    public String target() {
        return subresource.isEmpty() ? resource : resource + "/" + subresource;
    }
}
