package io.github.etcdgitops.gateway.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.AuthGrpc;
import io.etcd.jetcd.api.AuthenticateRequest;
import io.github.etcdgitops.gateway.RingPasswords;
import io.github.etcdgitops.gateway.RingPasswords.Password;
import io.github.etcdgitops.gateway.RingPasswords.Stored;
import io.github.etcdgitops.spec.auth.User;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.grpc.StatusRuntimeException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The tokens of `root`, the most recently used ones, one for each ring: etcd tells all members of a token, so
/// that a learner, which lets nobody sign in, accepts one that a voter gave.
///
/// Signing in goes through the ring's log, so it writes to the ring, and without quorum there is no answer.
final class Sessions {
    private static final int KEPT = 1024;

    private final Map<String, String> tokens = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
            return size() > KEPT;
        }
    };

    /// Makes the call with the known token. Where there is none, or the member no longer accepts it, signs in
    /// and makes the call once more.
    <T extends @Nullable Object, X extends Exception> T with(Endpoint endpoint, Stored root, Endpoint.Call<T, X> call)
            throws X {
        var known = token(endpoint);
        if (known.isPresent()) {
            try {
                return call.at(endpoint.carrying(known.get()));
            } catch (StatusRuntimeException e) {
                // A signed token contains the revision of users, and is of no use after any change of them.
                if (!EtcdErrors.asksToSignIn(e) && !EtcdErrors.outdated(e)) {
                    throw e;
                }
                forget(endpoint, known.get());
            }
        }
        return call.at(signIn(endpoint, root).map(endpoint::carrying).orElse(endpoint));
    }

    /// Throws [PasswordRefused] where `root` cannot sign in with any of these.
    void prove(Endpoint endpoint, Stored root) {
        var _ = signIn(endpoint, root);
    }

    /// Empty where authentication is no longer enabled.
    private Optional<String> signIn(Endpoint endpoint, Stored root) {
        for (var password : candidates(root)) {
            try {
                var token = authenticate(endpoint, password);
                remember(endpoint, token);
                return Optional.of(token);
            } catch (StatusRuntimeException e) {
                if (EtcdErrors.withoutAuthentication(e)) {
                    return Optional.empty();
                }
                if (EtcdErrors.isNotForLearners(e)) {
                    throw new RootRefused(
                            "a learner lets nobody sign in; it knows root once root has signed in at a voter");
                }
                if (EtcdErrors.lacksMajority(e)) {
                    throw new RootRefused("""
                        root could not sign in with its password: that takes a majority of the voters, and there was \
                        no answer in time. If most members are lost: docs/recover-quorum.md (Users without TLS)\
                        """);
                }
                if (!EtcdErrors.refusesPassword(e)) {
                    throw e;
                }
            }
        }
        throw new PasswordRefused("etcd does not accept the password of its user root in the Secret "
                + RootRefused.secret(endpoint.route(), RingPasswords::rootSecret));
    }

    private static List<Password> candidates(Stored root) {
        return Stream.concat(Stream.of(root.password()), root.next().stream()).toList();
    }

    private static String authenticate(Endpoint endpoint, Password password) {
        var request = AuthenticateRequest.newBuilder()
                .setName(User.ROOT)
                .setPasswordBytes(ByteString.copyFromUtf8(password.text()))
                .build();
        try (var channel = endpoint.channel()) {
            return AuthGrpc.newBlockingStub(channel)
                    .withDeadline(endpoint.deadline())
                    .authenticate(request)
                    .getToken();
        }
    }

    private synchronized Optional<String> token(Endpoint endpoint) {
        return Optional.ofNullable(tokens.get(ring(endpoint)));
    }

    private synchronized void remember(Endpoint endpoint, String token) {
        tokens.put(ring(endpoint), token);
    }

    /// Unless another one is known by now.
    private synchronized void forget(Endpoint endpoint, String token) {
        tokens.remove(ring(endpoint), token);
    }

    private static String ring(Endpoint endpoint) {
        return endpoint.route()
                .ring()
                .map(ClusterRef::toString)
                .orElse(endpoint.route().authority());
    }
}
