package io.github.etcdgitops.gateway.access;

import io.github.etcdgitops.spec.value.ClusterRef;
import java.util.Optional;
import java.util.function.Function;

/// The account whose rights are used for requests about a ring.
public sealed interface ActingAccount {
    /// The reconciler's own rights.
    record Itself() implements ActingAccount {}

    /// The reconciler's own rights, only for reading: where the rings have accounts, this run does not use
    /// them.
    record Reader() implements ActingAccount {}

    /// The rights of a ServiceAccount in the ring's namespace.
    record As(ServiceAccount account) implements ActingAccount {}

    /// No rights: no account is named for the ring, and the reconciler's own rights are not for rings.
    record Nobody(String reason) implements ActingAccount {}

    /// Whether the ring uses an account instead of the reconciler's own rights.
    default boolean byAccount() {
        return switch (this) {
            case Itself _, Reader _ -> false;
            case As _, Nobody _ -> true;
        };
    }

    /// Decides for every ring of a run.
    @FunctionalInterface
    interface Rights {
        /// The reconciler's own rights for all rings.
        Rights OWN = _ -> new Itself();

        ActingAccount of(ClusterRef ring);

        /// `tenants` names the account of the ring's tenant; `fallback` is for rings whose tenant names
        /// none.
        static Rights impersonating(Function<ClusterRef, Optional<String>> tenants, Optional<String> fallback) {
            return ring -> tenants.apply(ring)
                    .or(() -> fallback)
                    .<ActingAccount>map(name -> new As(new ServiceAccount(ring.namespace(), name)))
                    .orElseGet(() -> new Nobody("no service account is named for ring " + ring
                            + ". Set serviceAccount of its tenant in etcd-gitops.yaml, or --default-service-account"));
        }

        /// For an identity that only reads, and so needs no impersonation.
        static Rights reading() {
            return _ -> new Reader();
        }
    }
}
