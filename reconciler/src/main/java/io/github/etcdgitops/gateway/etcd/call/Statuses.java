package io.github.etcdgitops.gateway.etcd.call;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.netty.handler.codec.http2.Http2Exception;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// What ended a call, as a gRPC status. A test holds it to what gRPC's own channel makes of the same.
final class Statuses {
    /// By the number of the error in HTTP/2.
    private static final List<Status> OF_ERRORS = List.of(
            Status.UNAVAILABLE, // NO_ERROR
            Status.INTERNAL, // PROTOCOL_ERROR
            Status.INTERNAL, // INTERNAL_ERROR
            Status.INTERNAL, // FLOW_CONTROL_ERROR
            Status.INTERNAL, // SETTINGS_TIMEOUT
            Status.INTERNAL, // STREAM_CLOSED
            Status.INTERNAL, // FRAME_SIZE_ERROR
            Status.UNAVAILABLE, // REFUSED_STREAM
            Status.CANCELLED, // CANCEL
            Status.INTERNAL, // COMPRESSION_ERROR
            Status.INTERNAL, // CONNECT_ERROR
            Status.RESOURCE_EXHAUSTED, // ENHANCE_YOUR_CALM
            Status.PERMISSION_DENIED, // INADEQUATE_SECURITY
            Status.UNKNOWN); // HTTP_1_1_REQUIRED

    static final long REFUSED_STREAM = 7;

    private Statuses() {}

    /// Of an answer that breaks HTTP/2 or gRPC.
    static StatusRuntimeException malformed(String how) {
        return Status.INTERNAL.withDescription(how).asRuntimeException();
    }

    static Status ofError(String what, long error) {
        var status = error < OF_ERRORS.size() ? OF_ERRORS.get((int) error) : Status.INTERNAL;
        return status.withDescription(what + " by the server, HTTP/2 error " + error);
    }

    /// Of an answer that is not gRPC.
    static Status ofHttp(int code) {
        var status = switch (code) {
            case 400, 431 -> Status.INTERNAL;
            case 401 -> Status.UNAUTHENTICATED;
            case 403 -> Status.PERMISSION_DENIED;
            case 404 -> Status.UNIMPLEMENTED;
            case 429, 502, 503, 504 -> Status.UNAVAILABLE;
            default -> code >= 100 && code < 200 ? Status.INTERNAL : Status.UNKNOWN;
        };
        return status.withDescription("the answer is not gRPC, HTTP status " + code);
    }

    /// `message` is percent-encoded, as gRPC does it.
    static Status ofTrailers(CharSequence code, CharSequence message) {
        boolean number = !code.isEmpty() && code.length() <= 2 && code.chars().allMatch(c -> c >= '0' && c <= '9');
        var status = number ? Status.fromCodeValue(Integer.parseInt(code, 0, code.length(), 10)) : Status.UNKNOWN;
        return status.withDescription(decoded(message));
    }

    /// On the thread that made the call.
    static Status ofFailure(Throwable failure) {
        if (Thread.currentThread().isInterrupted()) {
            return Status.CANCELLED.withDescription("interrupted").withCause(failure);
        }
        return switch (failure) {
            case StatusRuntimeException known -> known.getStatus();
            case SocketTimeoutException _ -> Status.DEADLINE_EXCEEDED;
            case UnresolvedAddressException unresolved -> Status.UNAVAILABLE.withCause(unresolved);
            case Http2Exception malformed -> Status.INTERNAL.withCause(malformed);
            case IOException lost -> Status.UNAVAILABLE.withCause(lost);
            default -> Status.UNKNOWN.withCause(failure);
        };
    }

    private static String decoded(CharSequence message) {
        var bytes = new ByteArrayOutputStream(message.length());
        for (int i = 0; i < message.length(); i++) {
            char c = message.charAt(i);
            int high = i + 2 < message.length() ? Character.digit(message.charAt(i + 1), 16) : -1;
            int low = high < 0 ? -1 : Character.digit(message.charAt(i + 2), 16);
            boolean encoded = c == '%' && low >= 0;
            bytes.write(encoded ? high << 4 | low : c);
            i += encoded ? 2 : 0;
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
