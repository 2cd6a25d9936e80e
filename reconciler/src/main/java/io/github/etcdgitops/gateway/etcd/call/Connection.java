package io.github.etcdgitops.gateway.etcd.call;

import io.grpc.Deadline;
import io.grpc.Status;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2HeadersDecoder;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// One connection of HTTP/2, and the calls on it. The thread that waits for a call does all the work: it
/// opens the connection, sends the frames of each call, and gives each frame that comes to its call. Only
/// one thread uses it.
///
/// A connection that failed is not opened again: each further call fails the same way.
final class Connection implements AutoCloseable {
    private static final int MAX_CONCURRENT_STREAMS = 3;
    private static final int BYTES_OF_A_SETTING = 6;

    /// Until the server says another number.
    private static final int USUALLY_AT_ONCE = 100;

    private final Dial dial;
    private final String scheme;
    private final String authority;
    private final Http2HeadersDecoder decoder = new DefaultHttp2HeadersDecoder(true, Headers.LARGEST);
    private final Outgoing out = new Outgoing();
    private final Deque<UnaryCall<?, ?>> queue = new ArrayDeque<>();
    private final SortedMap<Integer, UnaryCall<?, ?>> open = new TreeMap<>();
    private @Nullable Wire wire;
    private @Nullable Incoming in;
    private @Nullable Status over;
    private @Nullable Status goneAway;
    private boolean settled;
    private long atOnce = USUALLY_AT_ONCE;
    private int nextStream = 1;

    /// Opens the connection that HTTP/2 is spoken over.
    @FunctionalInterface
    interface Dial {
        Wire open(Deadline deadline) throws IOException;
    }

    Connection(Dial dial, String scheme, String authority) {
        this.dial = dial;
        this.scheme = scheme;
        this.authority = authority;
    }

    /// It is sent with the next call that is waited for.
    void add(UnaryCall<?, ?> call) {
        queue.add(call);
    }

    /// Returns when the call is closed.
    void await(UnaryCall<?, ?> call) {
        try {
            while (!call.closed() && over == null) {
                exchange(call.deadline());
            }
        } catch (EOFException e) {
            over = goneAway == null ? Statuses.ofFailure(e) : goneAway;
        } catch (IOException | Http2Exception | RuntimeException e) {
            over = Statuses.ofFailure(e);
        } finally {
            if (!call.closed()) {
                end(over == null ? Status.UNKNOWN : over);
            }
        }
    }

    private void exchange(Deadline deadline) throws IOException, Http2Exception {
        var frames = in;
        if (wire == null || frames == null) {
            wire = dial.open(deadline);
            in = new Incoming(wire);
            out.preface();
            return;
        }
        send();
        if (!frames.ready()) {
            out.flush(wire);
        }
        receive(frames.next(deadline), frames, deadline);
    }

    private void send() {
        var gone = goneAway;
        if (gone != null) {
            queue.forEach(call -> call.close(gone));
            queue.clear();
        }
        while (!queue.isEmpty() && open.size() < atOnce) {
            var call = queue.remove();
            if (!call.closed()) {
                out.request(nextStream, call.headers(scheme, authority), call.message());
                open.put(nextStream, call);
                nextStream += 2;
            }
        }
    }

    private void receive(Frame frame, Incoming frames, Deadline deadline) throws IOException, Http2Exception {
        if (!settled && frame.kind() != Frame.Kind.SETTINGS) {
            throw Statuses.malformed("this is not HTTP/2");
        }
        switch (frame.kind()) {
            case DATA -> data(frame);
            case HEADERS -> headers(frame, frames, deadline);
            case RST_STREAM -> reset(frame);
            case SETTINGS -> settings(frame);
            case PING -> ping(frame);
            case GOAWAY -> goAway(frame.payload());
            case PUSH_PROMISE, CONTINUATION -> throw Statuses.malformed("a frame came that was not to come");
            case PRIORITY, WINDOW_UPDATE, UNKNOWN -> {}
        }
        open.values().removeIf(UnaryCall::closed);
    }

    private void data(Frame frame) {
        var call = open.get(frame.stream());
        if (call != null) {
            call.receiveData(frame.content(), frame.endsStream());
        }
    }

    private void ping(Frame frame) {
        if (frame.payload().remaining() != Long.BYTES) {
            throw Statuses.malformed("a ping has another length");
        }
        if (!frame.acknowledges()) {
            out.acknowledgePing(frame.payload());
        }
    }

    /// Headers of a call that nobody waits for are decoded as well: later ones refer to them.
    private void headers(Frame first, Incoming frames, Deadline deadline) throws IOException, Http2Exception {
        var block = new ByteArrayOutputStream();
        append(block, first.content());
        for (var last = first; !last.endsHeaders(); ) {
            last = frames.next(deadline);
            if (last.kind() != Frame.Kind.CONTINUATION || last.stream() != first.stream()) {
                throw Statuses.malformed("headers were interrupted");
            }
            append(block, last.payload());
        }
        var headers = decoder.decodeHeaders(first.stream(), Unpooled.wrappedBuffer(block.toByteArray()));
        var call = open.get(first.stream());
        if (call != null) {
            call.receiveHeaders(headers, first.endsStream());
        }
    }

    private static void append(ByteArrayOutputStream block, ByteBuffer part) {
        if (block.size() + part.remaining() > 2 * Headers.LARGEST) {
            throw Statuses.malformed("the headers are larger than allowed");
        }
        byte[] bytes = new byte[part.remaining()];
        part.get(bytes);
        block.writeBytes(bytes);
    }

    private void settings(Frame frame) {
        settled = true;
        if (frame.acknowledges()) {
            return;
        }
        var payload = frame.payload();
        while (payload.remaining() >= BYTES_OF_A_SETTING) {
            int name = payload.getShort();
            long value = Frame.number(payload);
            if (name == MAX_CONCURRENT_STREAMS) {
                atOnce = value;
            }
        }
        out.acknowledgeSettings();
    }

    /// A server that refuses a call because there are others at the same time has not looked at it: it is
    /// sent again when they are done.
    private void reset(Frame frame) {
        long error = Frame.number(frame.payload());
        var call = open.remove(frame.stream());
        if (call == null) {
            return;
        }
        if (error == Statuses.REFUSED_STREAM && !open.isEmpty()) {
            atOnce = open.size();
            queue.add(call);
            return;
        }
        call.close(Statuses.ofError("the call was ended", error));
    }

    /// Calls up to the one that is named are still answered.
    private void goAway(ByteBuffer payload) {
        long last = Frame.number(payload) & Integer.MAX_VALUE;
        var status = Statuses.ofError("the connection was ended", Frame.number(payload));
        goneAway = status;
        open.forEach((stream, call) -> {
            if (stream > last) {
                call.close(status);
            }
        });
    }

    private void end(Status status) {
        over = status;
        open.values().forEach(call -> call.close(status));
        queue.forEach(call -> call.close(status));
        open.clear();
        queue.clear();
        close();
    }

    @Override
    public void close() {
        if (wire != null) {
            wire.close();
        }
    }
}
