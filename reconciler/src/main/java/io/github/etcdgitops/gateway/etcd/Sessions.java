package io.github.etcdgitops.gateway.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.AuthGrpc;
import io.etcd.jetcd.api.AuthenticateRequest;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Tokens of rings with authentication, the most recently used ones, each for one user at one member.
///
/// We sign in only when the member requires it: signing in goes through the ring's log, so it writes to the
/// ring, and without quorum there is no answer. What a member shows to all clients can be read without it.
final class Sessions {
    private static final int KEPT = 1024;
    private static final Metadata.Key<String> TOKEN = Metadata.Key.of("token", Metadata.ASCII_STRING_MARSHALLER);

    private final Map<Seat, String> tokens = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Seat, String> eldest) {
            return size() > KEPT;
        }
    };

    /// Makes the call with the known token, if any. Where the member requires authentication, or no longer
    /// accepts the token, signs in and repeats the call once.
    <T extends @Nullable Object, X extends Exception> T with(Endpoint endpoint, Channel channel, Call<T, X> call)
            throws X {
        var login = endpoint.login();
        if (login.isEmpty()) {
            return call.on(channel);
        }
        var seat = new Seat(endpoint.route().authority(), login.get());
        try {
            return call.on(token(seat).map(t -> carrying(channel, t)).orElse(channel));
        } catch (StatusRuntimeException e) {
            if (!EtcdErrors.asksToSignIn(e)) {
                throw e;
            }
            return call.on(carrying(channel, signIn(endpoint, channel, seat)));
        }
    }

    private String signIn(Endpoint endpoint, Channel channel, Seat seat) {
        var request = AuthenticateRequest.newBuilder()
                .setNameBytes(ByteString.copyFromUtf8(seat.login().user()))
                .setPasswordBytes(ByteString.copyFromUtf8(seat.login().password()))
                .build();
        var token = AuthGrpc.newBlockingStub(channel)
                .withDeadline(endpoint.deadline())
                .authenticate(request)
                .getToken();
        remember(seat, token);
        return token;
    }

    private synchronized Optional<String> token(Seat seat) {
        return Optional.ofNullable(tokens.get(seat));
    }

    private synchronized void remember(Seat seat, String token) {
        tokens.put(seat, token);
    }

    private static Channel carrying(Channel channel, String token) {
        var headers = new Metadata();
        headers.put(TOKEN, token);
        return ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(headers));
    }

    /// A call over a channel.
    @FunctionalInterface
    interface Call<T extends @Nullable Object, X extends Exception> {
        T on(Channel channel) throws X;
    }

    /// A member by its DNS name, and our user there.
    private record Seat(String authority, EndpointAccess.Login login) {}
}
