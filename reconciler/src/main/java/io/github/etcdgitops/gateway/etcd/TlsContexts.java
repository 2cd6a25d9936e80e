package io.github.etcdgitops.gateway.etcd;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.MemberAccess;
import io.grpc.netty.GrpcSslContexts;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.ByteArrayInputStream;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;

/// TLS contexts by their material, the most recently used ones. Members of a ring share one context, and
/// with it their TLS sessions, which makes probing a ring again much cheaper; a context for each of 10,000
/// rings would fill the memory.
final class TlsContexts {
    private static final int KEPT = 64;

    /// A resumed session does not show the member's certificate again: so long may a change of it stay
    /// unseen.
    private static final Duration SESSION = Duration.ofMinutes(5);

    /// Never leaves the memory. In the JDK's usual type each key is encrypted and decrypted at once, at the
    /// price of ten full handshakes.
    private static final String KEY_STORE = "JKS";

    private final Map<TlsMaterial, SslContext> contexts = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<TlsMaterial, SslContext> eldest) {
            return size() > KEPT;
        }
    };

    /// `route` is used in messages.
    synchronized SslContext of(MemberAccess.Route route, TlsMaterial material) {
        return contexts.computeIfAbsent(
                material, m -> build(route, m, GrpcSslContexts.forClient().sessionTimeout(SESSION.toSeconds())));
    }

    /// A context that shares nothing: a probe with it always gets a full handshake.
    static SSLContext fresh(MemberAccess.Route route, TlsMaterial material) {
        var builder = SslContextBuilder.forClient().sslProvider(SslProvider.JDK);
        return ((JdkSslContext) build(route, material, builder)).context();
    }

    private static SslContext build(MemberAccess.Route route, TlsMaterial material, SslContextBuilder builder) {
        try {
            builder.keyStoreType(KEY_STORE);
            builder.trustManager(new ByteArrayInputStream(material.caPem()));
            material.client()
                    .ifPresent(ours -> builder.keyManager(
                            new ByteArrayInputStream(ours.certPem()), new ByteArrayInputStream(ours.keyPem())));
            return builder.build();
        } catch (SSLException | IllegalArgumentException e) {
            // The cause is dropped on purpose: what cannot be parsed may be the key itself.
            throw new GatewayException(
                    GatewayException.Kind.UNAUTHORIZED,
                    false,
                    "connecting to " + Endpoint.name(route)
                            + ": the ring's client certificate, its key or the CA cannot"
                            + " be read; each must be PEM, the key in PKCS#8 form");
        }
    }
}
