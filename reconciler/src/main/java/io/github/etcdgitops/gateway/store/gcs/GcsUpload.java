package io.github.etcdgitops.gateway.store.gcs;

import io.github.etcdgitops.gateway.BackupStore;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.store.call.Buffers;
import io.github.etcdgitops.gateway.store.call.Call;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

/// A resumable upload of unknown length. Chunks go one after the other, each on a thread of its own while
/// the next is filled.
public final class GcsUpload extends BackupStore.Upload {
    private static final int BUFFERS = 2;

    private final Call call;
    private final GcsSession session;
    private final Consumer<String> drop;
    private final int chunk;
    private final Buffers buffers = new Buffers(BUFFERS);
    private final CRC32C checksum = new CRC32C();
    private Optional<FutureTask<Optional<GcsSession.Finished>>> sending = Optional.empty();
    private byte[] filling;
    private int filled;
    private long sent;
    private boolean completed;
    private boolean closed;

    /// `drop` deletes a generation of the object that came out damaged.
    GcsUpload(Call call, GcsApi api, URI session, Consumer<String> drop, int chunk) {
        this.call = call;
        this.session = new GcsSession(call, api, session);
        this.drop = drop;
        this.chunk = chunk;
        this.filling = taken();
    }

    @Override
    public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        try {
            int done = 0;
            while (done < length) {
                // A full chunk is kept until there is more: the last one tells the length of the whole.
                if (filled == chunk) {
                    send(OptionalLong.empty());
                    filling = taken();
                }
                int count = Math.min(length - done, chunk - filled);
                System.arraycopy(bytes, offset + done, filling, filled, count);
                filled += count;
                done += count;
            }
            checksum.update(bytes, offset, length);
        } catch (GatewayException e) {
            throw Call.inStream(e);
        }
    }

    private void send(OptionalLong total) {
        requireOpen();
        acknowledged();
        byte[] content = filling;
        int length = filled;
        long from = sent;
        var task = new FutureTask<>(() -> {
            try {
                return session.put(content, length, from, total);
            } finally {
                buffers.give(content);
            }
        });
        sending = Optional.of(task);
        sent += length;
        filled = 0;
        Thread.ofVirtual().name("chunk at " + from).start(task);
    }

    /// What came of the chunk before.
    private Optional<GcsSession.Finished> acknowledged() {
        if (sending.isEmpty()) {
            return Optional.empty();
        }
        try {
            return sending.get().get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof GatewayException known ? known : new IllegalStateException(e.getCause());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw call.lost("interrupted");
        }
    }

    private byte[] taken() {
        try {
            return buffers.take(chunk);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw call.lost("interrupted");
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("closed before it was completed");
        }
    }

    @Override
    public void complete() throws IOException {
        try {
            send(OptionalLong.of(sent + filled));
            var finished = acknowledged()
                    .orElseThrow(() -> call.lost("the store wants more than there is; the upload is broken"));
            completed = true;
            if (!finished.matches(sent, checksum)) {
                drop.accept(finished.generation());
                throw call.lost("it was damaged on the way, and deleted again; try again");
            }
        } catch (GatewayException e) {
            throw Call.inStream(e);
        } finally {
            close();
        }
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (completed) {
            return;
        }
        sending.ifPresent(task -> task.cancel(true));
        session.cancel();
    }

    /// How many buffers there ever were at once.
    public int buffers() {
        return buffers.peak();
    }
}
