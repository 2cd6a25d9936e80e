package io.github.etcdgitops.gateway.access;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;

/// What an API server says of itself and of us, for a diagnosis. Changes nothing: an access review is not kept. Every
/// call has a deadline of its own and throws [GatewayException].
public interface ClusterProbe {
    Server server();

    /// What is served, as `apps/v1`.
    SortedSet<String> apis();

    /// Whether we may, as the API server's own authorizers see it.
    boolean allows(AccessQuestion question);

    /// The same of a ServiceAccount, asked with its rights. UNAUTHORIZED where we may not impersonate it.
    boolean allows(AccessQuestion question, ServiceAccount as);

    /// Whether we may impersonate this ServiceAccount.
    boolean mayImpersonate(ServiceAccount account);

    /// Whether there is such a ServiceAccount.
    boolean exists(ServiceAccount account);

    /// Names of the StorageClasses that are marked as the default one.
    List<String> defaultStorageClasses();

    /// `address` has no credentials in it. `date` is the server's clock, cut to whole seconds, where it was sent.
    record Server(String address, String version, Optional<Instant> date) {}

    /// May we use this right on objects of this namespace (empty: in all of them) and name (empty: any)?
    record AccessQuestion(Permission permission, String namespace, String name) {}
}
