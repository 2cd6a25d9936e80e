package io.github.etcdgitops.gateway.etcd.call;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Deadline;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One request and its answer. Waiting for the answer is a task for the call's executor: that of a blocking
/// stub runs it on the caller's thread.
final class UnaryCall<Q, A> extends ClientCall<Q, A> {
    private static final int PREFIX = 5;

    /// It is sent in one frame.
    private static final int LARGEST_REQUEST = Frame.LARGEST - PREFIX;

    /// For a call without a deadline of its own.
    private static final long LONGEST_HOURS = 24;

    private final Consumer<UnaryCall<?, ?>> queue;
    private final Consumer<UnaryCall<?, ?>> waiting;
    private final MethodDescriptor<Q, A> method;
    private final CallOptions options;
    private final Deadline deadline;
    private final Reply reply;
    private Metadata headers = new Metadata();
    private byte[] message = new byte[0];
    private @Nullable Listener<A> listener;
    private boolean closed;

    /// `queue` takes the call with its request; `waiting` returns when the call is closed.
    UnaryCall(
            Consumer<UnaryCall<?, ?>> queue,
            Consumer<UnaryCall<?, ?>> waiting,
            MethodDescriptor<Q, A> method,
            CallOptions options,
            int largestAnswer) {
        this.queue = queue;
        this.waiting = waiting;
        this.method = method;
        this.options = options;
        this.deadline = Optional.ofNullable(options.getDeadline())
                .orElseGet(() -> Deadline.after(LONGEST_HOURS, TimeUnit.HOURS));
        this.reply = new Reply(largestAnswer, this::deliver);
    }

    @Override
    public void start(Listener<A> answers, Metadata metadata) {
        this.listener = answers;
        this.headers = metadata;
    }

    @Override
    public void request(int messages) {
        // There is one, and it is taken as it comes.
    }

    @Override
    public void sendMessage(Q request) {
        try (InputStream stream = method.streamRequest(request)) {
            byte[] content = stream.readNBytes(LARGEST_REQUEST + 1);
            if (content.length > LARGEST_REQUEST) {
                throw Status.RESOURCE_EXHAUSTED
                        .withDescription("the request is larger than " + LARGEST_REQUEST + " bytes")
                        .asRuntimeException();
            }
            message = ByteBuffer.allocate(PREFIX + content.length)
                    .put((byte) 0)
                    .putInt(content.length)
                    .put(content)
                    .array();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void halfClose() {
        queue.accept(this);
        Runnable task = () -> waiting.accept(this);
        Optional.ofNullable(options.getExecutor()).ifPresentOrElse(e -> e.execute(task), task);
    }

    @Override
    public void cancel(@Nullable String why, @Nullable Throwable cause) {
        close(Status.CANCELLED.withDescription(why).withCause(cause));
    }

    Deadline deadline() {
        return deadline;
    }

    boolean closed() {
        return closed;
    }

    byte[] headers(String scheme, String authority) {
        return Headers.ofRequest(scheme, authority, method.getFullMethodName(), deadline, headers)
                .block();
    }

    byte[] message() {
        return message;
    }

    void receiveHeaders(Http2Headers received, boolean last) {
        receive(() -> reply.headers(received, last).ifPresent(this::close));
    }

    void receiveData(ByteBuffer data, boolean last) {
        receive(() -> reply.data(data, last));
    }

    private void receive(Runnable part) {
        try {
            if (!closed) {
                part.run();
            }
        } catch (StatusRuntimeException e) {
            close(e.getStatus());
        }
    }

    private void deliver(InputStream received) {
        if (listener != null) {
            listener.onMessage(method.parseResponse(received));
        }
    }

    /// Only the first time counts.
    void close(Status status) {
        if (!closed) {
            closed = true;
            if (listener != null) {
                listener.onClose(status, new Metadata());
            }
        }
    }
}
