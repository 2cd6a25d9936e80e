package io.github.etcdgitops.gateway.access;

import io.github.etcdgitops.spec.value.ClusterRef;
import java.util.Optional;
import java.util.function.Function;

/// Whose rights requests for a ring are made with.
public sealed interface ActingAccount {
    /// The reconciler's own.
    record Itself() implements ActingAccount {}

    /// The reconciler's own, for reading alone: where the rings have accounts, this run does not use them.
    record Reader() implements ActingAccount {}

    /// Those of a ServiceAccount in the ring's namespace.
    record As(ServiceAccount account) implements ActingAccount {}

    /// Nobody's: no account is named for the ring, and the reconciler's own rights are not for rings.
    record Nobody(String reason) implements ActingAccount {}

    /// Whether the reconciler's own rights are not for the ring.
    default boolean byAccount() {
        return switch (this) {
            case Itself _, Reader _ -> false;
            case As _, Nobody _ -> true;
        };
    }

    /// Decides for every ring of a run.
    @FunctionalInterface
    interface Rights {
        /// For all rings the reconciler's own.
        Rights OWN = _ -> new Itself();

        ActingAccount of(ClusterRef ring);

        /// `tenants` names the account that the ring's tenant has; `fallback` is for rings whose tenant names none.
        static Rights impersonating(Function<ClusterRef, Optional<String>> tenants, Optional<String> fallback) {
            return ring -> tenants.apply(ring)
                    .or(() -> fallback)
                    .<ActingAccount>map(name -> new As(new ServiceAccount(ring.namespace(), name)))
                    .orElseGet(() -> new Nobody("no service account is named for ring " + ring
                            + ". Set serviceAccount of its tenant in etcd-gitops.yaml, or --default-service-account"));
        }

        /// Of an identity that reads and never writes, and so needs to impersonate nobody.
        static Rights reading() {
            return _ -> new Reader();
        }
    }
}
