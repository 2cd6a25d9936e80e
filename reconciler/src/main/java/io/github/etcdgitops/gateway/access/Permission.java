package io.github.etcdgitops.gateway.access;

import io.github.etcdgitops.spec.value.WireName;

/// One right in Kubernetes that a run needs, as a rule of RBAC grants it. `subresource` is empty for
/// the object itself.
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
        /// Only where nobody else makes the namespaces of rings.
        NEW_NAMESPACE,
        /// Only for Events beside the objects: ours, and those of Kubernetes about members that do not
        /// start. A run does without.
        EVENTS,
        /// Only where rings are restored or backups are tried out.
        RESTORE,
        /// Only where volumes grow: without it, a plan does not tell beforehand that a class does not let
        /// them.
        GROWTH,
        /// Only for what a plan says beforehand of the ResourceQuotas of a ring's namespace. A run does without.
        QUOTAS,
        /// Only where volumes grow or rings of somebody else's are taken over: a StatefulSet is made anew
        /// around its pods.
        RECREATION,
        /// Only where lost volumes are replaced.
        REPAIR,
        /// Only to tell what has become of machines whose pods are not well: without it, nothing is known of
        /// them.
        MACHINES,
        /// Only where rings are deleted, or what was kept of one.
        DELETION,
        /// Only for rings with TLS, and there by the names of their Secrets.
        TLS,
        /// Only for rings whose certificates cert-manager makes.
        CERT_MANAGER
    }

    /// As a rule names it: `pods/portforward`.
    public String target() {
        return subresource.isEmpty() ? resource : resource + "/" + subresource;
    }
}
