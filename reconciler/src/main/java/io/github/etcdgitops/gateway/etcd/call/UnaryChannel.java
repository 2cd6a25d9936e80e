package io.github.etcdgitops.gateway.etcd.call;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.MethodDescriptor;
import io.netty.handler.ssl.SslContext;
import java.net.InetSocketAddress;

/// A channel for calls with one request and one answer, over one connection, all on the thread that waits
/// for the answers. gRPC's own channel makes a resolver, a balancer and a transport for each connection,
/// and passes each step to another thread: three to five times the work for a connection of two calls.
///
/// Nothing is repeated, but for a call that the server refused for coming together with another one.
public final class UnaryChannel extends Channel implements AutoCloseable {
    private final Connection connection;
    private final String authority;
    private final int largestAnswer;

    private UnaryChannel(Connection connection, String authority, int largestAnswer) {
        this.connection = connection;
        this.authority = authority;
        this.largestAnswer = largestAnswer;
    }

    public static UnaryChannel plain(InetSocketAddress address, String authority, int largestAnswer) {
        var connection = new Connection(deadline -> PlainWire.connect(address, deadline), "http", authority);
        return new UnaryChannel(connection, authority, largestAnswer);
    }

    /// The server's certificate is checked for the name `authority`.
    public static UnaryChannel secured(
            InetSocketAddress address, String authority, int largestAnswer, SslContext context) {
        var connection = new Connection(
                deadline -> TlsWire.handshake(PlainWire.connect(address, deadline), context, authority, deadline),
                "https",
                authority);
        return new UnaryChannel(connection, authority, largestAnswer);
    }

    @Override
    public <Q, A> ClientCall<Q, A> newCall(MethodDescriptor<Q, A> method, CallOptions options) {
        return new UnaryCall<>(connection::add, connection::await, method, options, largestAnswer);
    }

    @Override
    public String authority() {
        return authority;
    }

    @Override
    public void close() {
        connection.close();
    }
}
