package io.github.etcdgitops.gateway.etcd;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.gateway.RingPasswords.Stored;
import io.github.etcdgitops.gateway.RingSecrets;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.auth.RootPassword;
import io.github.etcdgitops.state.value.Observed;
import io.github.etcdgitops.state.value.Observed.Cause;
import io.grpc.Deadline;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Makes each call with our ordinary identity, and where etcd refuses that, once more as its user `root`. A
/// refused call has changed nothing. In a ring without authentication no call is refused for that, so nothing
/// is added and no Secret is read.
///
/// `root` shows its certificate where it has one, and otherwise signs in with its password. A ring that needs
/// it for one purpose is asked as `root` at once for some minutes.
final class Escalation {
    private static final Duration REMEMBERED = Duration.ofMinutes(5);
    private static final int KEPT = 8192;

    /// How often a call is made that was overtaken by changes of users.
    private static final int TRIES = 3;

    private final Identities identities;
    private final TlsContexts tls = new TlsContexts();
    private final Sessions sessions = new Sessions();
    private final Map<Need, Deadline> needed = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Need, Deadline> eldest) {
            return size() > KEPT;
        }
    };

    Escalation(Identities identities) {
        this.identities = identities;
    }

    /// etcd asks for the same permission for all calls of one purpose.
    enum Purpose {
        /// The member's status and the member list.
        STATUS,
        KEYS,
        /// Everything that etcd gives to `root` alone.
        UPKEEP
    }

    /// A call to one member, within a deadline.
    record Visit(MemberAccess.Route route, Deadline deadline, Purpose purpose) {
        static Visit of(MemberAccess.Route route, Duration time, Purpose purpose) {
            return new Visit(route, Deadline.after(time.toNanos(), TimeUnit.NANOSECONDS), purpose);
        }

        /// Within the same deadline.
        Visit about(Purpose other) {
            return new Visit(route, deadline, other);
        }

        private Optional<Need> need() {
            return route.ring().map(ring -> new Need(ring, purpose));
        }

        private boolean secured() {
            return route.door() == MemberAccess.Door.CLIENT_TLS;
        }
    }

    private record Need(ClusterRef ring, Purpose purpose) {}

    <T extends @Nullable Object, X extends Exception> T call(Visit visit, Endpoint.Call<T, X> call) throws X {
        if (needsRoot(visit)) {
            try {
                return asRoot(visit, call);
            } catch (RootRefused e) {
                forget(visit);
                if (visit.deadline().isExpired()) {
                    throw e;
                }
            }
        }
        try {
            return settled(ordinary(visit), call);
        } catch (StatusRuntimeException e) {
            if (visit.need().isEmpty() || !EtcdErrors.refusesIdentity(e)) {
                throw e;
            }
        }
        T answer = asRoot(visit, call);
        remember(visit);
        return answer;
    }

    private static <T extends @Nullable Object, X extends Exception> T settled(
            Endpoint endpoint, Endpoint.Call<T, X> call) throws X {
        for (int left = TRIES - 1; ; left--) {
            try {
                return call.at(endpoint);
            } catch (StatusRuntimeException e) {
                if (left == 0 || !EtcdErrors.outdated(e)) {
                    throw e;
                }
            }
        }
    }

    /// Without ever being root.
    Endpoint ordinary(Visit visit) {
        return endpoint(visit, identities.ordinary(visit.route()));
    }

    private Endpoint endpoint(Visit visit, Optional<TlsMaterial> shown) {
        var context = shown.map(material -> tls.of(visit.route(), material));
        return new Endpoint(visit.route(), context, Optional.empty(), visit.deadline());
    }

    private <T extends @Nullable Object, X extends Exception> T asRoot(Visit visit, Endpoint.Call<T, X> call) throws X {
        if (!visit.secured()) {
            return byPassword(visit, call);
        }
        RootRefused first;
        try {
            return byCertificate(visit, call);
        } catch (RootRefused e) {
            first = e;
        }
        try {
            return byPassword(visit, call);
        } catch (RootRefused second) {
            throw first.and(second);
        }
    }

    private <T extends @Nullable Object, X extends Exception> T byCertificate(Visit visit, Endpoint.Call<T, X> call)
            throws X {
        var endpoint = certified(visit, known(identities.rootCertificate(visit.route())));
        try {
            return settled(endpoint, call);
        } catch (StatusRuntimeException e) {
            if (EtcdErrors.refusesIdentity(e) || EtcdErrors.failedTls(e)) {
                throw new RootRefused(
                        "etcd does not accept the certificate in the Secret "
                                + RootRefused.secret(visit.route(), RingSecrets.Kind.ROOT::secretName)
                                + " as that of its user root",
                        true);
            }
            throw e;
        }
    }

    /// Whether `root` can sign in with its password, which nothing else shows where its certificate works.
    RootPassword rootPassword(Visit visit) {
        return switch (identities.rootPasswordAgain(visit.route())) {
            case Observed.Known<Stored>(var stored) -> {
                try {
                    sessions.prove(ordinary(visit), stored);
                    yield RootPassword.ACCEPTED;
                } catch (PasswordRefused _) {
                    yield stored.ours() ? RootPassword.REFUSED : RootPassword.FOREIGN;
                }
            }
            case Observed.Unknown<Stored> unknown ->
                switch (unknown.cause()) {
                    case ROOT_PASSWORD_GONE -> RootPassword.MISSING;
                    case ROOT_UNUSABLE -> RootPassword.FOREIGN;
                    case CLIENT_IDENTITY_GONE, LEARNER_ALONE, OTHER -> RootPassword.UNASKED;
                };
        };
    }

    Optional<String> rootSecret(MemberAccess.Route route) {
        return identities.rootPassword(route).optional().map(Stored::resourceVersion);
    }

    private Endpoint certified(Visit visit, TlsMaterial root) {
        try {
            return endpoint(visit, Optional.of(root));
        } catch (GatewayException e) {
            throw new RootRefused(String.valueOf(e.getMessage()));
        }
    }

    private <T extends @Nullable Object, X extends Exception> T byPassword(Visit visit, Endpoint.Call<T, X> call)
            throws X {
        try {
            return signedIn(visit, endpoint -> settled(endpoint, call));
        } catch (StatusRuntimeException e) {
            if (EtcdErrors.refusesIdentity(e)) {
                throw new RootRefused("root signed in with its password, and etcd does not let it do this");
            }
            throw e;
        }
    }

    /// What was read some seconds ago may have been replaced since. Refused once, the Secret is read again.
    private <T extends @Nullable Object, X extends Exception> T signedIn(Visit visit, Endpoint.Call<T, X> call)
            throws X {
        var root = known(identities.rootPassword(visit.route()));
        PasswordRefused refused;
        try {
            return sessions.with(ordinary(visit), root, call);
        } catch (PasswordRefused e) {
            refused = e;
        }
        var now = known(identities.rootPasswordAgain(visit.route()));
        if (now.resourceVersion().equals(root.resourceVersion())) {
            throw refused;
        }
        return sessions.with(ordinary(visit), now, call);
    }

    private static <T> T known(Observed<T> identity) {
        return switch (identity) {
            case Observed.Known<T>(T value) -> value;
            case Observed.Unknown<T>(String reason, var cause) ->
                throw new RootRefused(reason, cause == Cause.ROOT_UNUSABLE || cause == Cause.ROOT_PASSWORD_GONE);
        };
    }

    private synchronized boolean needsRoot(Visit visit) {
        return visit.need()
                .flatMap(need -> Optional.ofNullable(needed.get(need)))
                .filter(until -> !until.isExpired())
                .isPresent();
    }

    private synchronized void remember(Visit visit) {
        visit.need().ifPresent(need -> needed.put(need, Deadline.after(REMEMBERED.toSeconds(), TimeUnit.SECONDS)));
    }

    private synchronized void forget(Visit visit) {
        visit.need().ifPresent(needed::remove);
    }
}
