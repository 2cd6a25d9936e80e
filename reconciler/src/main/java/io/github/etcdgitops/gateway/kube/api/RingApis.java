package io.github.etcdgitops.gateway.kube.api;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.access.ActingAccount;
import io.github.etcdgitops.gateway.access.ServiceAccount;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.util.Optional;

/// The API server for requests about one ring. All code that reads or writes objects of rings uses this and
/// not a [KubeApi], so that it cannot use the reconciler's own rights by mistake.
public final class RingApis {
    private final KubeApi own;
    private volatile ActingAccount.Rights rights;

    RingApis(KubeApi own, ActingAccount.Rights rights) {
        this.own = own;
        this.rights = rights;
    }

    /// Takes effect from now on.
    void use(ActingAccount.Rights decided) {
        rights = decided;
    }

    /// Throws [GatewayException] UNAUTHORIZED where no account may act for the ring.
    public KubeApi of(ClusterRef ring) {
        return switch (rights.of(ring)) {
            case ActingAccount.Itself _ -> own;
            case ActingAccount.Reader _ -> own.reading();
            case ActingAccount.As(var account) -> own.as(account);
            case ActingAccount.Nobody(String reason) -> throw nobody(reason);
        };
    }

    /// Empty where the reconciler's own rights are used. Throws as [#of] does.
    public Optional<ServiceAccount> account(ClusterRef ring) {
        return switch (rights.of(ring)) {
            case ActingAccount.Itself _, ActingAccount.Reader _ -> Optional.empty();
            case ActingAccount.As(var account) -> Optional.of(account);
            case ActingAccount.Nobody(String reason) -> throw nobody(reason);
        };
    }

    private static GatewayException nobody(String reason) {
        return new GatewayException(Kind.UNAUTHORIZED, false, reason);
    }
}
