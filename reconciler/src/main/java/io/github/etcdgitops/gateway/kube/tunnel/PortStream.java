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
/// error that the port cannot be reached. On each channel the first frame only repeats the port.
///
/// It requests the next frame when the previous one was taken, so a slow reader slows the sender down.
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
            // Its text may come from anywhere: the fact of the error is enough.
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
        // The other side is already gone: an answer would only fail.
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

    /// Waits until earlier data is sent: the JDK refuses a frame while another is pending. False when
    /// nothing can be sent any more.
    public boolean send(byte[] data, int length) {
        WebSocket to = socket;
        if (to == null || !idle(to)) {
            return false;
        }
        return to.send(
                ByteBuffer.allocate(length + 1).put(DATA).put(data, 0, length).flip());
    }

    /// Nothing signals the end of a send. The caller must give up on a receiver that takes nothing: closing
    /// the connection ends the wait.
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
