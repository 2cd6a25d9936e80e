package io.github.etcdgitops.trial.bench;

import io.etcd.jetcd.api.WatchResponse;
import io.github.etcdgitops.it.ClientAccess;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.Optional;
import java.util.function.Supplier;

/// Signs a client in when etcd refuses it, and not before. One token serves all its connections, until etcd refuses
/// that too: a member that restarts forgets it, and so does the ring when the user changes.
public final class SignIn implements ClientInterceptor {
    private static final Metadata.Key<String> TOKEN = Metadata.Key.of("token", Metadata.ASCII_STRING_MARSHALLER);

    /// A signed token is of no use after any change of users.
    private static final String OUTDATED = "revision of auth store is old";

    private final Supplier<Optional<String>> authenticate;
    private volatile Optional<String> token = Optional.empty();

    /// `authenticate` gets another token; empty where the ring gives none now.
    SignIn(Supplier<Optional<String>> authenticate) {
        this.authenticate = authenticate;
    }

    Optional<String> token() {
        return token;
    }

    /// What etcd refused is `refused`. Of many callers with the same one the first signs in.
    synchronized void again(Optional<String> refused) {
        if (token.equals(refused)) {
            authenticate.get().ifPresent(another -> token = Optional.of(another));
        }
    }

    @Override
    public <Q, A> ClientCall<Q, A> interceptCall(MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
        return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
            @Override
            public void start(Listener<A> listener, Metadata headers) {
                var shown = token;
                shown.ifPresent(t -> headers.put(TOKEN, t));
                super.start(new Refusals<>(listener, shown), headers);
            }
        };
    }

    /// Tells the caller of a refusal once the next call can be made with another token.
    private final class Refusals<A> extends SimpleForwardingClientCallListener<A> {
        private final Optional<String> shown;

        private Refusals(ClientCall.Listener<A> listener, Optional<String> shown) {
            super(listener);
            this.shown = shown;
        }

        @Override
        public void onMessage(A answer) {
            if (answer instanceof WatchResponse watch && ClientAccess.isRefusal(watch.getCancelReason())) {
                again(shown);
            }
            super.onMessage(answer);
        }

        @Override
        public void onClose(Status status, Metadata trailers) {
            String why = String.valueOf(status.getDescription());
            if (ClientAccess.isRefusal(why) || (shown.isPresent() && why.contains(OUTDATED))) {
                again(shown);
            }
            super.onClose(status, trailers);
        }
    }
}
