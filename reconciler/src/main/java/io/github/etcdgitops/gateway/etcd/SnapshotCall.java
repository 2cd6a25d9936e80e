package io.github.etcdgitops.gateway.etcd;

import io.etcd.jetcd.api.MaintenanceGrpc;
import io.etcd.jetcd.api.SnapshotRequest;
import io.github.etcdgitops.gateway.EtcdGateway.SnapshotSink;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Detachable;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// One stream of a member's database, from its start to its end.
///
/// Two threads share the work: the network thread receives and removes the HTTP/2 and gRPC framing, and the
/// caller's thread gives the pieces to the sink. Between them wait the requested messages, in the receive
/// buffers, outside the heap: at most AHEAD messages, where etcd's have 32 KiB, and WINDOW bytes that were
/// not requested yet. With 32 messages and 4 MiB it took a fifth longer on a busy machine: each side waits
/// for the other to get a processor.
final class SnapshotCall extends ClientCall.Listener<SnapshotMessage> {
    static final int LARGEST_MESSAGE = 128 << 10;
    static final int WINDOW = 16 << 20;
    private static final int AHEAD = 128;

    private static final MethodDescriptor<SnapshotRequest, SnapshotMessage> METHOD =
            MaintenanceGrpc.getSnapshotMethod().toBuilder(
                            MaintenanceGrpc.getSnapshotMethod().getRequestMarshaller(), new InPlace())
                    .build();

    private final String title;
    private final Duration stall;
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private volatile boolean over;

    /// `title` starts messages. The sink's own time does not count towards `stall`.
    SnapshotCall(String title, Duration stall) {
        this.title = title;
        this.stall = stall;
    }

    /// Throws StatusRuntimeException for errors of the member or the network, GatewayException when nothing
    /// came for too long or the thread is interrupted, and the sink's exceptions. Call it once.
    void run(Channel channel, SnapshotSink sink) throws IOException {
        var call = channel.newCall(METHOD, CallOptions.DEFAULT);
        try {
            call.start(this, new Metadata());
            call.request(AHEAD);
            call.sendMessage(SnapshotRequest.getDefaultInstance());
            call.halfClose();
            deliver(call, sink);
        } finally {
            over = true;
            call.cancel("no longer needed", null);
            discard();
        }
    }

    @Override
    public void onMessage(SnapshotMessage message) {
        events.add(new Event.Arrived(message));
        if (over) {
            discard();
        }
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
        events.add(new Event.Ended(status));
    }

    private void deliver(ClientCall<?, ?> call, SnapshotSink sink) throws IOException {
        int taken = 0;
        for (var arrived = next(); arrived.isPresent(); arrived = next()) {
            try (var message = arrived.get()) {
                for (var piece = message.next(); piece.isPresent(); piece = message.next()) {
                    sink.accept(piece.get());
                }
            }
            if (++taken == AHEAD / 2) {
                // Each request wakes the network's thread, so not every message makes one.
                call.request(taken);
                taken = 0;
            }
        }
    }

    /// Empty at the end.
    private Optional<SnapshotMessage> next() {
        try {
            var event = events.poll(stall.toNanos(), TimeUnit.NANOSECONDS);
            if (event == null) {
                throw gaveUp("no data arrived for " + stall.toMillis()
                        + " ms; check the member's log and the network, then try again");
            }
            return switch (event) {
                case Event.Arrived(var message) -> Optional.of(message);
                case Event.Ended(var status) when status.isOk() -> Optional.empty();
                case Event.Ended(var status) -> throw status.asRuntimeException();
            };
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw gaveUp("it was interrupted");
        }
    }

    private GatewayException gaveUp(String why) {
        return new GatewayException(Kind.TIMEOUT, false, title + ": " + why);
    }

    /// Frees the memory of unread messages.
    private void discard() {
        for (var event = events.poll(); event != null; event = events.poll()) {
            if (event instanceof Event.Arrived(var message)) {
                message.close();
            }
        }
    }

    private sealed interface Event {
        record Arrived(SnapshotMessage message) implements Event {}

        record Ended(Status status) implements Event {}
    }

    /// Keeps a message in its receive buffers.
    private record InPlace() implements MethodDescriptor.Marshaller<SnapshotMessage> {
        @Override
        public SnapshotMessage parse(InputStream stream) {
            return new SnapshotMessage(stream instanceof Detachable received ? received.detach() : stream);
        }

        @Override
        public InputStream stream(SnapshotMessage value) {
            throw new UnsupportedOperationException("snapshots are only received");
        }
    }
}
