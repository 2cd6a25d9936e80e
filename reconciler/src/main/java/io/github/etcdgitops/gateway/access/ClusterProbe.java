package io.github.etcdgitops.gateway.access;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;

/// What an API server reports about itself and about our rights, for a diagnosis. Changes nothing: an
/// access review is not stored. Every call has its own deadline and throws [GatewayException].
public interface ClusterProbe {
    Server server();

    /// The served API versions, as `apps/v1`.
    SortedSet<String> apis();

    /// Whether we have the right, by the API server's own authorizers.
    boolean allows(AccessQuestion question);

    /// The same for a ServiceAccount, asked with its rights. UNAUTHORIZED where we may not impersonate it.
    boolean allows(AccessQuestion question, ServiceAccount as);

    /// Whether we may impersonate this ServiceAccount.
    boolean mayImpersonate(ServiceAccount account);

    /// Whether the ServiceAccount exists.
    boolean exists(ServiceAccount account);

    /// Names of the StorageClasses that are marked as default.
    List<String> defaultStorageClasses();

    /// `address` has no credentials in it. `date` is the server's clock, in whole seconds, where it was
    /// sent.
    record Server(String address, String version, Optional<Instant> date) {}

    /// Whether we may use this right on objects of this namespace (empty: all) and name (empty: any).
    record AccessQuestion(Permission permission, String namespace, String name) {}
}
