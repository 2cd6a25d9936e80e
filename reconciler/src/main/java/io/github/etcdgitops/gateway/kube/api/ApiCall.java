package io.github.etcdgitops.gateway.kube.api;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.spec.value.WireName;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLHandshakeException;

/// One request as messages name it, and the meaning of its failure. Messages contain our own words and the
/// status code: a server's body may quote the object, and the object may hold a secret.
public record ApiCall(Verb verb, String target) {
    public enum Verb implements WireName {
        GET(false),
        LIST(false),
        CREATE(true),
        UPDATE(true),
        DELETE(true);

        private final boolean write;

        Verb(boolean write) {
            this.write = write;
        }

        boolean write() {
            return write;
        }

        @Override
        public String toString() {
            return wire();
        }

        @Override
        public String wire() {
            return switch (this) {
                case GET -> "get";
                case LIST -> "list";
                case CREATE -> "create";
                case UPDATE -> "update";
                case DELETE -> "delete";
            };
        }
    }

    public static ApiCall of(Verb verb, ObjectKind kind, String namespace, String name) {
        return new ApiCall(verb, kind.kind() + " " + (namespace.isEmpty() ? name : namespace + "/" + name));
    }

    /// The server answered with an error. Only a request that was refused at entry certainly had no effect.
    GatewayException answered(int code) {
        boolean mayHaveHappened = verb.write() && code >= 500;
        return new GatewayException(kindOf(code), mayHaveHappened, this + ": HTTP " + code + ", " + words(code));
    }

    public GatewayException failed(Kind kind, String why) {
        return new GatewayException(kind, false, this + ": " + why);
    }

    /// No answer came. A write that was never sent cannot have happened; any other may have.
    GatewayException lost(Throwable cause) {
        boolean neverSent = neverSent(cause);
        boolean late = cause instanceof HttpTimeoutException || cause instanceof TimeoutException;
        return new GatewayException(
                late ? Kind.TIMEOUT : Kind.UNREACHABLE,
                verb.write() && !neverSent,
                this + ": " + (late ? "no answer in time" : "the API server cannot be reached") + " ("
                        + cause.getClass().getSimpleName() + ")");
    }

    private static boolean neverSent(Throwable cause) {
        return cause instanceof ConnectException
                || cause instanceof NoRouteToHostException
                || cause instanceof HttpConnectTimeoutException
                || cause instanceof UnknownHostException
                || cause instanceof SSLHandshakeException;
    }

    private static Kind kindOf(int code) {
        return switch (code) {
            case 401, 403 -> Kind.UNAUTHORIZED;
            case 404 -> Kind.NOT_FOUND;
            case 409, 410, 412 -> Kind.CONFLICT;
            case 408, 504 -> Kind.TIMEOUT;
            case 429 -> Kind.UNREACHABLE;
            default -> code >= 500 ? Kind.UNREACHABLE : Kind.REJECTED;
        };
    }

    private static String words(int code) {
        return switch (code) {
            case 401 -> "the credentials were not accepted";
            case 403 -> "not allowed for this identity, or forbidden by admission";
            case 404 -> "not found";
            case 409, 412 -> "another client changed or created it in the meantime";
            case 410 -> "the requested data has expired";
            case 422 -> "the server rejected the object as invalid";
            case 429 -> "the server asks for fewer requests";
            default -> code >= 500 ? "internal server error" : "the server refused the request";
        };
    }

    @Override
    public String toString() {
        return verb + " " + target;
    }
}
