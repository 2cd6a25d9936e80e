package io.github.etcdgitops.it;

import io.github.etcdgitops.certificate.Credential;
import io.grpc.netty.GrpcSslContexts;
import io.netty.handler.ssl.SslContext;
import java.io.ByteArrayInputStream;
import java.net.URI;
import javax.net.ssl.SSLException;

/// What a client needs to come over TLS: whom it trusts, what it shows, and for which name the server's
/// certificate must be, whatever address leads there.
public record ClientTls(SslContext context, String authority) {
    /// `ca` is PEM.
    public static ClientTls of(byte[] ca, Credential shown, String authority) {
        try {
            return new ClientTls(
                    GrpcSslContexts.forClient()
                            .trustManager(new ByteArrayInputStream(ca))
                            .keyManager(
                                    new ByteArrayInputStream(shown.certificatePem()),
                                    new ByteArrayInputStream(shown.keyPem()))
                            .build(),
                    authority);
        } catch (SSLException e) {
            throw new IllegalArgumentException("a certificate for " + authority + " that no client can use", e);
        }
    }

    static URI secured(URI endpoint) {
        return URI.create("https://" + endpoint.getAuthority());
    }
}
