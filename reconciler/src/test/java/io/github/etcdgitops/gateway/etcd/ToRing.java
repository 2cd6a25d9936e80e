package io.github.etcdgitops.gateway.etcd;

import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.util.Optional;

/// A route to a member of a ring that has a name in Kubernetes.
record ToRing(MemberAccess.Route to, MemberAccess.Door door, ClusterRef ref) implements MemberAccess.Route {
    @Override
    public String host() {
        return to.host();
    }

    @Override
    public int port() {
        return to.port();
    }

    @Override
    public String authority() {
        return to.authority();
    }

    @Override
    public MemberAccess.Way way() {
        return to.way();
    }

    @Override
    public Optional<ClusterRef> ring() {
        return Optional.of(ref);
    }

    @Override
    public void close() {
        to.close();
    }
}
