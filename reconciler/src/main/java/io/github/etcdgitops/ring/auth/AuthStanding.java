package io.github.etcdgitops.ring.auth;

import io.github.etcdgitops.spec.auth.User;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.auth.AuthState;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.value.Observed;
import java.time.Instant;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/// A summary of a ring's users and roles, for readers. `root` does not count: it is ours. `withoutRole` are
/// users who may use no key. `passwordsAt` is when the journal last noted a password. `read` says that
/// everything else was read from the ring; where it is false, the journal has it.
public record AuthStanding(
        boolean enabled,
        int users,
        int roles,
        SortedSet<String> withoutRole,
        Optional<Instant> passwordsAt,
        boolean read) {
    public AuthStanding {
        withoutRole = Collections.unmodifiableSortedSet(new TreeSet<>(withoutRole));
    }

    /// Empty where neither etcd nor the journal has users of the ring.
    public static Optional<AuthStanding> of(ClusterState state) {
        var journal = state.kube().knownJournal().map(Journal::past);
        var passwordsAt = journal.flatMap(past -> past.data().passwordsAt());
        return state.ring()
                .optional()
                .map(RingState::auth)
                .flatMap(Observed::optional)
                .map(auth -> of(auth, passwordsAt, true))
                .or(() -> journal.flatMap(Journal.Past::auth).map(known -> of(known.applied(), passwordsAt, false)));
    }

    private static AuthStanding of(AuthState auth, Optional<Instant> passwordsAt, boolean read) {
        var users = new TreeSet<>(auth.users().keySet());
        users.remove(User.ROOT);
        var roles = new TreeSet<>(auth.roles().keySet());
        roles.remove(User.ROOT);
        var bare = new TreeSet<String>();
        auth.users().forEach((user, of) -> {
            if (of.isEmpty() && !user.equals(User.ROOT)) {
                bare.add(user);
            }
        });
        return new AuthStanding(auth.enabled(), users.size(), roles.size(), bare, passwordsAt, read);
    }
}
