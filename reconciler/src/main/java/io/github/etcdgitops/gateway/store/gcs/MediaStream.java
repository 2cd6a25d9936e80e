package io.github.etcdgitops.gateway.store.gcs;

import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// The body of an answer as a stream that does not wait for ever: the JDK's own does where a connection
/// stays open and nothing comes. What was not asked for is not sent, so that little is held.
final class MediaStream extends InputStream implements HttpResponse.BodySubscriber<InputStream> {
    private sealed interface Signal {
        record Bytes(List<ByteBuffer> buffers) implements Signal {}

        record Broken(Throwable cause) implements Signal {}

        record End() implements Signal {}
    }

    private final Duration patience;
    private final BlockingQueue<Signal> signals = new LinkedBlockingQueue<>();
    private final CompletableFuture<Flow.Subscription> subscription = new CompletableFuture<>();
    private final Deque<ByteBuffer> ready = new ArrayDeque<>();
    private boolean ended;

    MediaStream(Duration patience) {
        this.patience = patience;
    }

    @Override
    public CompletionStage<InputStream> getBody() {
        return CompletableFuture.completedFuture(this);
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        subscription.complete(given);
        given.request(2);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        signals.add(new Signal.Bytes(buffers));
    }

    @Override
    public void onError(Throwable cause) {
        signals.add(new Signal.Broken(cause));
    }

    @Override
    public void onComplete() {
        signals.add(new Signal.End());
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        while (!ended && (ready.isEmpty() || !ready.peek().hasRemaining())) {
            ready.poll();
            if (ready.isEmpty()) {
                await();
            }
        }
        var buffer = ready.peek();
        if (buffer == null) {
            return -1;
        }
        int count = Math.min(length, buffer.remaining());
        buffer.get(bytes, offset, count);
        return count;
    }

    private void await() throws IOException {
        Signal signal;
        try {
            signal = signals.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        switch (signal) {
            case null -> {
                close();
                throw new SocketTimeoutException("nothing came in " + patience);
            }
            case Signal.Bytes(var buffers) -> {
                ready.addAll(buffers);
                subscription.join().request(1);
            }
            case Signal.Broken(var cause) -> throw new IOException("the connection broke", cause);
            case Signal.End() -> ended = true;
        }
    }

    @Override
    public void close() {
        if (subscription.isDone()) {
            subscription.join().cancel();
        }
    }
}
