package io.github.etcdgitops.execute.lease;

import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.gateway.RingUsers;
import io.github.etcdgitops.state.auth.AuthChange;
import io.github.etcdgitops.state.auth.AuthState;
import io.github.etcdgitops.state.auth.AuthStatus;
import io.github.etcdgitops.state.auth.RootPassword;
import java.time.Duration;
import java.util.Optional;

/// etcd's users for the holder of a ring's Lease, as in [FencedEtcd].
record FencedUsers(RingUsers users, ClusterLease lease) implements RingUsers {
    private RingUsers kept() {
        lease.keep();
        return users;
    }

    @Override
    public Outcome apply(MemberAccess.Route route, AuthChange change, Optional<String> password, Duration deadline) {
        lease.prove();
        return users.apply(route, change, password, deadline);
    }

    @Override
    public AuthState read(MemberAccess.Route route, Duration deadline) {
        return kept().read(route, deadline);
    }

    @Override
    public Optional<AuthStatus> status(MemberAccess.Route route, Duration deadline) {
        return kept().status(route, deadline);
    }

    @Override
    public Optional<String> rootSecret(MemberAccess.Route route) {
        return kept().rootSecret(route);
    }

    @Override
    public boolean enabled(MemberAccess.Route route, Duration deadline) {
        return kept().enabled(route, deadline);
    }

    @Override
    public RootPassword rootPassword(MemberAccess.Route route, Duration deadline) {
        return kept().rootPassword(route, deadline);
    }

    @Override
    public boolean accepts(MemberAccess.Route route, String user, String password, Duration deadline) {
        return kept().accepts(route, user, password, deadline);
    }
}
