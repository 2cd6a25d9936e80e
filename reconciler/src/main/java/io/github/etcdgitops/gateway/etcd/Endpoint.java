package io.github.etcdgitops.gateway.etcd;

import io.etcd.jetcd.Client;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.gateway.etcd.call.UnaryChannel;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ClientInterceptors;
import io.grpc.Deadline;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.ChannelOption;
import io.netty.handler.ssl.SslContext;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// One member's client port, our identity there, and the deadline for everything asked of it. The identity is
/// the certificate that `tls` shows, or the user to whom the token belongs.
record Endpoint(MemberAccess.Route route, Optional<SslContext> tls, Optional<String> token, Deadline deadline) {
    private static final Metadata.Key<String> TOKEN = Metadata.Key.of("token", Metadata.ASCII_STRING_MARSHALLER);

    /// A member list of hundreds of members is far below it; a server that is not etcd cannot fill our
    /// memory.
    private static final int LARGEST_ANSWER = 1 << 20;

    /// How much is read from the kernel at a time while a snapshot is streamed; it adapts to earlier reads.
    private static final int SMALLEST_READ = 4 << 10;
    private static final int USUAL_READ = 64 << 10;
    private static final int LARGEST_READ = 256 << 10;

    Endpoint carrying(String newToken) {
        return new Endpoint(route, tls, Optional.of(newToken), deadline);
    }

    /// The name in messages: `HOST:PORT`, and the member's own name where the local port is a random one of
    /// ours.
    static String name(MemberAccess.Route route) {
        return switch (route.way()) {
            case POD_IP -> address(route);
            case PORT_FORWARD -> route.authority() + ":" + route.door().port() + " (" + route.way() + ")";
        };
    }

    private static String address(MemberAccess.Route route) {
        String host = route.host();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + route.port();
    }

    /// For calls that wait for their answer, all on the caller's thread.
    UnaryChannel channel() {
        var address = new InetSocketAddress(route.host(), route.port());
        return tls.map(context -> UnaryChannel.secured(address, route.authority(), LARGEST_ANSWER, context))
                .orElseGet(() -> UnaryChannel.plain(address, address(route), LARGEST_ANSWER));
    }

    /// Asks the member, with our token, over a connection that ends with the call.
    <T> T on(Function<Channel, T> call) {
        try (var channel = channel()) {
            return call.apply(signed(channel));
        }
    }

    /// jetcd's client of this one member, with our identity. It sends our deadline along, so that the server
    /// stops as well.
    Client client() {
        var builder = Client.builder()
                .endpoints(URI.create((tls.isPresent() ? "https://" : "http://") + address(route)))
                .waitForReady(false)
                .retryMaxAttempts(0)
                .maxInboundMessageSize(LARGEST_ANSWER)
                .interceptor(new WithDeadline(deadline));
        tls.ifPresent(context -> builder.sslContext(context).authority(route.authority()));
        token.ifPresent(text -> builder.interceptor(carrying(headers(text))));
        return builder.build();
    }

    private record WithDeadline(Deadline deadline) implements ClientInterceptor {
        @Override
        public <A, B> ClientCall<A, B> interceptCall(MethodDescriptor<A, B> method, CallOptions options, Channel next) {
            return next.newCall(method, options.withDeadline(deadline));
        }
    }

    /// For one snapshot: the network's own thread handles all incoming data, and must not be blocked.
    ManagedChannel streamingChannel(int window, int largestMessage) {
        return secured(NettyChannelBuilder.forAddress(new InetSocketAddress(route.host(), route.port()))
                        .disableRetry()
                        .maxInboundMessageSize(largestMessage)
                        .flowControlWindow(window)
                        .directExecutor()
                        .withOption(
                                ChannelOption.RECVBUF_ALLOCATOR,
                                new AdaptiveRecvByteBufAllocator(SMALLEST_READ, USUAL_READ, LARGEST_READ)))
                .build();
    }

    /// Every call on it has our token.
    Channel signed(Channel channel) {
        return token.map(text -> ClientInterceptors.intercept(channel, carrying(headers(text))))
                .orElse(channel);
    }

    private static Metadata headers(String token) {
        var headers = new Metadata();
        headers.put(TOKEN, token);
        return headers;
    }

    private static ClientInterceptor carrying(Metadata headers) {
        return MetadataUtils.newAttachHeadersInterceptor(headers);
    }

    private NettyChannelBuilder secured(NettyChannelBuilder builder) {
        return tls.map(context -> builder.sslContext(context).overrideAuthority(route.authority()))
                .orElseGet(builder::usePlaintext);
    }

    /// A call, made with the identity of an endpoint.
    @FunctionalInterface
    interface Call<T extends @Nullable Object, X extends Exception> {
        T at(Endpoint endpoint) throws X;
    }

    @Override
    public String toString() {
        return name(route);
    }
}
