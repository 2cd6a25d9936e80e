package io.github.etcdgitops.gateway.kube.tunnel;

import io.fabric8.kubernetes.client.http.WebSocket;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// One connection to a pod's port. The first byte of a frame is its channel: 0 is data, 1 is the kubelet's
/// complaint that the port cannot be reached. On each channel the first frame only repeats the port.
///
/// The next frame is asked for when the last one was taken, so a slow reader holds the sender back.
public final class PortStream implements WebSocket.Listener, AutoCloseable {
    private static final byte DATA = 0;
    private static final byte TROUBLE = 1;
    private static final int NORMAL = 1000;

    private static final long LOOK_AGAIN_NANOS = 100_000;

    private final BlockingQueue<Optional<byte[]>> inbound = new LinkedBlockingQueue<>();
    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    private final AtomicBoolean ended = new AtomicBoolean();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final boolean[] greeted = new boolean[2];
    private volatile @Nullable WebSocket socket;

    @Override
    public void onOpen(WebSocket opened) {
        socket = opened;
    }

    /// Called for one frame after the other.
    @Override
    public void onMessage(WebSocket from, ByteBuffer frame) {
        byte channel = frame.hasRemaining() ? frame.get() : -1;
        if (channel != DATA && channel != TROUBLE) {
            from.request();
        } else if (!greeted[channel]) {
            greeted[channel] = true;
            if (greeted[DATA] && greeted[TROUBLE]) {
                ready.complete(null);
            }
            from.request();
        } else if (channel == TROUBLE) {
            // What it says may be anybody's words: that there is trouble is enough.
            end(new IOException("the port cannot be reached"));
            from.request();
        } else {
            var data = new byte[frame.remaining()];
            frame.get(data);
            inbound.add(Optional.of(data));
        }
    }

    @Override
    public void onMessage(WebSocket from, String text) {
        from.request();
    }

    @Override
    public void onClose(WebSocket from, int code, String reason) {
        // The far side is gone already: answering would only fail.
        closed.set(true);
        end(new IOException("closed by the other side"));
    }

    @Override
    public void onError(WebSocket from, Throwable error) {
        closed.set(true);
        end(new IOException("the connection broke"));
    }

    void awaitReady(Duration deadline) throws InterruptedException, ExecutionException, TimeoutException {
        try {
            ready.get(deadline.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            close();
            throw e;
        }
    }

    boolean ended() {
        return ended.get();
    }

    /// The next data; empty at the end.
    Optional<byte[]> next() throws InterruptedException {
        Optional<byte[]> data = inbound.take();
        WebSocket from = socket;
        if (data.isPresent() && from != null) {
            from.request();
        }
        return data;
    }

    /// Waits until what was sent before is on its way: the JDK refuses a frame while another is pending.
    /// False when nothing can be sent any more.
    public boolean send(byte[] data, int length) {
        WebSocket to = socket;
        if (to == null || !idle(to)) {
            return false;
        }
        return to.send(
                ByteBuffer.allocate(length + 1).put(DATA).put(data, 0, length).flip());
    }

    /// Nobody tells when it is. A far side that takes nothing any more is for the caller to give up on: closing
    /// the connection ends the waiting.
    private boolean idle(WebSocket to) {
        while (to.queueSize() > 0 && !ended.get()) {
            LockSupport.parkNanos(LOOK_AGAIN_NANOS);
        }
        return !ended.get();
    }

    private void end(IOException why) {
        ready.completeExceptionally(why);
        if (ended.compareAndSet(false, true)) {
            inbound.add(Optional.empty());
        }
    }

    @Override
    public void close() {
        end(new IOException("closed"));
        WebSocket open = socket;
        if (open != null && closed.compareAndSet(false, true)) {
            open.sendClose(NORMAL, "");
        }
    }
}
