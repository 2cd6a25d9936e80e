package io.github.etcdgitops.spec.auth;

import io.github.etcdgitops.spec.value.WireName;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;

/// The private key with which members sign tokens of the kind JWT, as an entry of a Secret in the ring's
/// namespace. Without one, tokens are of the kind `simple`, and a member that restarts forgets them.
///
/// It is one of the members' options: another key is another configuration, so they restart with it.
public record TokenKey(User.SecretRef secret, Method method, long ttlSeconds) {
    /// The name of the option.
    public static final String OPTION = "authToken";

    private static final String SECRET = "secret";
    private static final String ENTRY = "key";
    private static final String METHOD = "signMethod";
    private static final String TTL = "ttlSeconds";

    /// What etcd 3.4 and later sign with, by its name in RFC 7518.
    public enum Method implements WireName {
        RS256,
        RS384,
        RS512,
        PS256,
        PS384,
        PS512,
        ES256,
        ES384,
        ES512;

        /// The size of the curve that the key has to be on; empty where it has to be an RSA key.
        public OptionalInt curve() {
            return switch (this) {
                case RS256, RS384, RS512, PS256, PS384, PS512 -> OptionalInt.empty();
                case ES256 -> OptionalInt.of(256);
                case ES384 -> OptionalInt.of(384);
                case ES512 -> OptionalInt.of(521);
            };
        }

        /// For people.
        public String key() {
            var curve = curve();
            return curve.isPresent() ? "key on the curve P-" + curve.getAsInt() : "RSA key";
        }

        @Override
        public String wire() {
            return switch (this) {
                case RS256 -> "RS256";
                case RS384 -> "RS384";
                case RS512 -> "RS512";
                case PS256 -> "PS256";
                case PS384 -> "PS384";
                case PS512 -> "PS512";
                case ES256 -> "ES256";
                case ES384 -> "ES384";
                case ES512 -> "ES512";
            };
        }
    }

    public Map<String, Object> option() {
        return Map.of(SECRET, secret.name(), ENTRY, secret.key(), METHOD, method.wire(), TTL, ttlSeconds);
    }

    /// Of the members' options.
    public static Optional<TokenKey> of(SortedMap<String, Object> options) {
        return options.get(OPTION) instanceof Map<?, ?> token
                        && token.get(SECRET) instanceof String name
                        && token.get(ENTRY) instanceof String key
                        && token.get(METHOD) instanceof String method
                        && token.get(TTL) instanceof Number ttl
                ? WireName.find(Method.values(), method)
                        .map(found -> new TokenKey(new User.SecretRef(name, key), found, ttl.longValue()))
                : Optional.empty();
    }
}
