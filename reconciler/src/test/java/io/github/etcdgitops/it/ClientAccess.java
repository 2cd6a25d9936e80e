package io.github.etcdgitops.it;

import io.etcd.jetcd.Client;
import io.etcd.jetcd.ClientBuilder;
import io.grpc.ClientInterceptor;
import io.grpc.netty.NettyChannelBuilder;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/// How a client reaches a member: in plain text or over TLS. `signIn` shows etcd who it is, where etcd asks.
public record ClientAccess(Optional<ClientTls> tls, List<ClientInterceptor> signIn) {
    public static final ClientAccess PLAIN = of(Optional.empty());

    /// A restarted member knows no token, and 3.4 then says of a watch that it is not permitted.
    private static final List<String> REFUSALS = List.of(
            "user name is empty", "invalid auth token", "permission denied", "user not found", "user name not found");

    public ClientAccess {
        signIn = List.copyOf(signIn);
    }

    /// Without a user.
    public static ClientAccess of(Optional<ClientTls> tls) {
        return new ClientAccess(tls, List.of());
    }

    /// Whether etcd says that it does not know the client, or not as somebody who may do this.
    public static boolean isRefusal(String text) {
        return REFUSALS.stream().anyMatch(text::contains);
    }

    boolean isSecured() {
        return tls.isPresent();
    }

    /// Of this endpoint alone.
    public ClientBuilder client(URI endpoint) {
        var builder = Client.builder()
                .endpoints(isSecured() ? ClientTls.secured(endpoint) : endpoint)
                .interceptors(signIn);
        tls.ifPresent(t -> builder.sslContext(t.context()).authority(t.authority()));
        return builder;
    }

    NettyChannelBuilder channel(URI endpoint) {
        var builder = NettyChannelBuilder.forAddress(new InetSocketAddress(endpoint.getHost(), endpoint.getPort()))
                .intercept(signIn);
        tls.ifPresentOrElse(
                t -> builder.sslContext(t.context()).overrideAuthority(t.authority()), builder::usePlaintext);
        return builder;
    }
}
