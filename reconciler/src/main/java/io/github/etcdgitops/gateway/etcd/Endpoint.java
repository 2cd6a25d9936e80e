package io.github.etcdgitops.gateway.etcd;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.gateway.etcd.call.UnaryChannel;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.Deadline;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.ChannelOption;
import io.netty.handler.ssl.SslContext;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// One member's client port, our identity there, and the deadline for everything asked of it.
///
/// Reads and upkeep use the generated stubs on a channel of our own. Changes use the jetcd client, whose
/// calls on the member list are made once. gRPC below it repeats only what the server declared unprocessed,
/// which cannot add a member twice.
record Endpoint(
        MemberAccess.Route route, Optional<SslContext> tls, Optional<EndpointAccess.Login> login, Deadline deadline) {
    /// A member list of hundreds of members is far below it; a server that is not etcd cannot fill our
    /// memory.
    private static final int LARGEST_ANSWER = 1 << 20;

    /// How much is read from the kernel at a time while a snapshot is streamed; it adapts to earlier reads.
    private static final int SMALLEST_READ = 4 << 10;
    private static final int USUAL_READ = 64 << 10;
    private static final int LARGEST_READ = 256 << 10;

    static Endpoint of(
            MemberAccess.Route route, Optional<SslContext> tls, Optional<EndpointAccess.Login> login, Duration time) {
        return new Endpoint(route, tls, login, Deadline.after(time.toNanos(), TimeUnit.NANOSECONDS));
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

    Client client() {
        var builder = Client.builder()
                .endpoints(URI.create((tls.isPresent() ? "https://" : "http://") + address(route)))
                .waitForReady(false)
                .retryMaxAttempts(0)
                .maxInboundMessageSize(LARGEST_ANSWER)
                .interceptor(new WithDeadline(deadline));
        tls.ifPresent(context -> builder.sslContext(context).authority(route.authority()));
        login.ifPresent(l -> builder.user(bytes(l.user())).password(bytes(l.password())));
        return builder.build();
    }

    private NettyChannelBuilder secured(NettyChannelBuilder builder) {
        return tls.map(context -> builder.sslContext(context).overrideAuthority(route.authority()))
                .orElseGet(builder::usePlaintext);
    }

    private static ByteSequence bytes(String text) {
        return ByteSequence.from(text, StandardCharsets.UTF_8);
    }

    /// Sends the deadline along, so that the server stops as well; a jetcd future alone would leave it
    /// working.
    private record WithDeadline(Deadline deadline) implements ClientInterceptor {
        @Override
        public <A, B> ClientCall<A, B> interceptCall(MethodDescriptor<A, B> method, CallOptions options, Channel next) {
            return next.newCall(method, options.withDeadline(deadline));
        }
    }
}
