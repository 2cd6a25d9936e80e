package io.github.etcdgitops.pipeline;

import io.github.etcdgitops.gateway.access.ActingAccount;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.ring.Fleet;
import io.github.etcdgitops.spec.ring.Tenant;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.util.Optional;
import java.util.stream.Stream;

/// Which ServiceAccount of its namespace acts for a ring: the account of the tenant in whose folder the
/// ring's document is. So a document that names a foreign namespace needs its own tenant's account there.
/// That account does not exist there, and the reconciler may not impersonate it.
public final class ImpersonatedAccounts {
    private final DesiredState desired;
    private final Optional<String> fallback;

    private ImpersonatedAccounts(DesiredState desired, Optional<String> fallback) {
        this.desired = desired;
        this.fallback = fallback;
    }

    /// No account is impersonated where neither a tenant nor `fallback` names one. `reading` is for an
    /// identity that only reads and impersonates no account, whatever Git says.
    public static ActingAccount.Rights of(DesiredState desired, Optional<String> fallback, boolean reading) {
        if (reading) {
            return ActingAccount.Rights.reading();
        }
        boolean named = fallback.isPresent()
                || desired.fleet().tenants().stream()
                        .anyMatch(tenant -> tenant.serviceAccount().isPresent());
        return named ? new ImpersonatedAccounts(desired, fallback)::of : ActingAccount.Rights.OWN;
    }

    /// As long as no document has been read.
    public static ActingAccount.Rights ofDefault(Optional<String> fallback, boolean reading) {
        if (reading) {
            return ActingAccount.Rights.reading();
        }
        return fallback.isEmpty()
                ? ActingAccount.Rights.OWN
                : ActingAccount.Rights.impersonating(_ -> Optional.empty(), fallback);
    }

    private ActingAccount of(ClusterRef ring) {
        var names = tenants(ring)
                .map(tenant -> tenant.flatMap(Tenant::serviceAccount).or(() -> fallback))
                .distinct()
                .toList();
        return names.size() > 1
                ? new ActingAccount.Nobody("documents of several tenants with different service accounts name the ring "
                        + ring + ". Keep the documents of one tenant")
                : ActingAccount.Rights.impersonating(_ -> names.getFirst(), Optional.empty())
                        .of(ring);
    }

    /// For a ring without a document, the tenant that owns its namespace.
    private Stream<Optional<Tenant>> tenants(ClusterRef ring) {
        Fleet fleet = desired.fleet();
        var spec = Optional.ofNullable(desired.rings().get(ring));
        if (spec.isPresent()) {
            return Stream.of(fleet.tenantOf(spec.get().declaration().source().file()));
        }
        var tombstones = desired.tombstones(ring);
        return tombstones.isEmpty()
                ? Stream.of(fleet.tenantOfNamespace(ring.namespace()))
                : tombstones.stream().map(t -> fleet.tenantOf(t.source().file()));
    }
}
