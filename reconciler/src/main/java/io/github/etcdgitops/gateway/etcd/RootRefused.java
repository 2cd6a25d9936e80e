package io.github.etcdgitops.gateway.etcd;

import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.Serial;
import java.util.function.Function;

/// etcd refused our ordinary identity, and we cannot call as `root`: nothing was changed. The message is in
/// our own words and names the Secrets.
sealed class RootRefused extends StatusRuntimeException permits PasswordRefused {
    @Serial
    private static final long serialVersionUID = 1L;

    private final String why;
    private final boolean unusable;

    RootRefused(String why) {
        this(why, false);
    }

    /// `unusable` says that what is in the Secret is no identity of `root`, now and later.
    RootRefused(String why, boolean unusable) {
        super(Status.PERMISSION_DENIED.withDescription(why));
        this.why = why;
        this.unusable = unusable;
    }

    RootRefused and(RootRefused other) {
        return new RootRefused(why + "; " + other.why, unusable && other.unusable);
    }

    boolean unusable() {
        return unusable;
    }

    String why() {
        return why;
    }

    /// The name of one of the ring's Secrets.
    static String secret(MemberAccess.Route route, Function<ClusterRef, String> name) {
        return route.ring()
                .map(ref -> name.apply(ref) + " in namespace " + ref.namespace())
                .orElse("of no ring");
    }
}
