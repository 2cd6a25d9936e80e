package io.github.etcdgitops.gateway.kube.tunnel;

import io.fabric8.kubernetes.client.http.WebSocket;
import io.fabric8.kubernetes.client.http.WebSocketHandshakeException;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.gateway.access.ServiceAccount;
import io.github.etcdgitops.gateway.kube.api.Errors;
import io.github.etcdgitops.gateway.kube.api.Impersonation;
import io.github.etcdgitops.gateway.kube.api.KubeConnection;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Opens streams to one port of one pod: the WebSocket form of `pods/portforward`, which every API server
/// since 1.5 has.
final class PortStreams {
    private static final String PROTOCOL = "v4.channel.k8s.io";
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;

    private final KubeConnection connection;
    private final URI uri;
    private final String target;
    private final Duration deadline;
    private final Optional<ServiceAccount> account;

    PortStreams(KubeConnection connection, MemberAccess.Pod pod, int port) {
        this.connection = connection;
        this.target = "port-forward to " + pod + ":" + port;
        this.account = connection.rings().account(pod.ring());
        this.deadline = connection.settings().connectTimeout();
        String master = connection.url().replaceAll("/+$", "");
        this.uri = WebSocket.toWebSocketUri(URI.create(master + "/api/v1/namespaces/" + pod.namespace() + "/pods/"
                + pod.name() + "/portforward?ports=" + port));
    }

    /// Returns when the kubelet has answered for the pod; the first data shows whether something listens on
    /// the port.
    PortStream connect() {
        var stream = new PortStream();
        var request = connection
                .http()
                .newWebSocketBuilder()
                .uri(uri)
                .subprotocol(PROTOCOL)
                .connectTimeout(deadline.toMillis(), TimeUnit.MILLISECONDS);
        account.ifPresent(a -> request.header(Impersonation.USER, a.user()));
        CompletableFuture<WebSocket> opening = request.buildAsync(stream);
        try {
            opening.get(deadline.toMillis(), TimeUnit.MILLISECONDS);
            stream.awaitReady(deadline);
            return stream;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw failed(opening, stream, Kind.UNREACHABLE, "interrupted");
        } catch (TimeoutException _) {
            throw failed(opening, stream, Kind.UNREACHABLE, "no answer in time");
        } catch (ExecutionException e) {
            throw refused(opening, stream, e);
        }
    }

    private GatewayException refused(
            CompletableFuture<WebSocket> opening, PortStream stream, ExecutionException thrown) {
        Throwable cause = Errors.root(thrown);
        if (cause instanceof WebSocketHandshakeException handshake) {
            int code = handshake.getResponse().code();
            boolean denied = code == UNAUTHORIZED || code == FORBIDDEN;
            return failed(opening, stream, denied ? Kind.UNAUTHORIZED : Kind.UNREACHABLE, "HTTP " + code + who(code));
        }
        return failed(opening, stream, Kind.UNREACHABLE, cause.getClass().getSimpleName());
    }

    private String who(int code) {
        return code == FORBIDDEN
                ? account.map(a -> ", " + Impersonation.mayNot(a)).orElse("")
                : "";
    }

    private GatewayException failed(CompletableFuture<WebSocket> opening, PortStream stream, Kind kind, String why) {
        // A socket that opens too late must be closed.
        var _ = opening.thenAccept(_ -> stream.close());
        return new GatewayException(kind, false, target + ": " + why);
    }
}
