package io.github.etcdgitops.gateway.etcd.call;

import io.grpc.Status;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;

/// What one call receives: headers, messages, and headers again with the status. Throws
/// StatusRuntimeException for what gRPC's own channel refuses.
///
/// No more is held than one message of the largest size, and for a larger one nothing at all.
final class Reply {
    private static final int PREFIX = 5;
    private static final String CONTENT_TYPE = "application/grpc";

    private final int largest;
    private final Consumer<InputStream> messages;
    private final ByteBuffer prefix = ByteBuffer.allocate(PREFIX);
    private final ByteArrayOutputStream message = new ByteArrayOutputStream();
    private boolean begun;

    /// `messages` receives each message that is complete.
    Reply(int largest, Consumer<InputStream> messages) {
        this.largest = largest;
        this.messages = messages;
    }

    /// Returns the server's status with the last headers.
    Optional<Status> headers(Http2Headers headers, boolean last) {
        if (begun && !last) {
            throw Statuses.malformed("headers came twice");
        }
        if (!begun) {
            int code = code(headers);
            if (!last && code >= 100 && code < 200) {
                return Optional.empty();
            }
            checkContentType(headers, code);
            begun = true;
        }
        return last ? Optional.of(status(headers)) : Optional.empty();
    }

    void data(ByteBuffer data, boolean last) {
        if (!begun) {
            throw Statuses.malformed("data came before headers");
        }
        while (data.hasRemaining()) {
            take(data);
        }
        if (last) {
            throw Statuses.malformed("the answer ended without a status");
        }
    }

    private void take(ByteBuffer data) {
        while (prefix.hasRemaining() && data.hasRemaining()) {
            prefix.put(data.get());
        }
        if (prefix.hasRemaining()) {
            return;
        }
        int length = length();
        byte[] part = new byte[Math.min(data.remaining(), length - message.size())];
        data.get(part);
        message.writeBytes(part);
        if (message.size() == length) {
            prefix.clear();
            byte[] whole = message.toByteArray();
            message.reset();
            deliver(whole);
        }
    }

    private int length() {
        if (prefix.get(0) != 0) {
            throw Statuses.malformed("the message is compressed, which was not offered");
        }
        int length = prefix.getInt(1);
        if (length < 0 || length > largest) {
            throw Status.RESOURCE_EXHAUSTED
                    .withDescription("the message is larger than " + largest + " bytes")
                    .asRuntimeException();
        }
        return length;
    }

    private void deliver(byte[] whole) {
        try {
            messages.accept(new ByteArrayInputStream(whole));
        } catch (RuntimeException e) {
            throw Status.CANCELLED
                    .withDescription("the message cannot be read")
                    .withCause(e)
                    .asRuntimeException();
        }
    }

    private Status status(Http2Headers trailers) {
        var code = trailers.get("grpc-status");
        if (code == null) {
            return Status.UNKNOWN.withDescription("the answer has no gRPC status");
        }
        var text = trailers.get("grpc-message");
        var status = Statuses.ofTrailers(code, text == null ? "" : text);
        if (status.isOk() && (prefix.position() > 0)) {
            throw Statuses.malformed("the answer ended within a message");
        }
        return status;
    }

    private static int code(Http2Headers headers) {
        var status = headers.status();
        if (status == null || status.length() != 3 || !status.chars().allMatch(Character::isDigit)) {
            throw Statuses.malformed("the answer has no HTTP status");
        }
        return Integer.parseInt(status, 0, 3, 10);
    }

    private static void checkContentType(Http2Headers headers, int code) {
        var type = headers.get("content-type");
        var text = type == null ? "" : type.toString().toLowerCase(Locale.ROOT);
        boolean grpc = text.startsWith(CONTENT_TYPE)
                && (text.length() == CONTENT_TYPE.length() || "+;".indexOf(text.charAt(CONTENT_TYPE.length())) >= 0);
        if (!grpc) {
            throw Statuses.ofHttp(code).asRuntimeException();
        }
    }
}
