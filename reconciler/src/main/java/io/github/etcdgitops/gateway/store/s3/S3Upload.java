package io.github.etcdgitops.gateway.store.s3;

import io.github.etcdgitops.gateway.BackupStore;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.store.call.Buffers;
import io.github.etcdgitops.gateway.store.call.Call;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import software.amazon.awssdk.services.s3.model.CompletedPart;

/// An upload of unknown length. A body that fits into one part is one request. Otherwise threads send full
/// parts, two at a time, while the next one is filled.
public final class S3Upload extends BackupStore.Upload {
    private static final int BUFFERS = 3;

    private final Call call;
    private final S3Creation object;
    private final PartSizes sizes;
    private final InstantSource clock;
    private final Buffers buffers = new Buffers(BUFFERS);
    private final List<FutureTask<CompletedPart>> parts = new ArrayList<>();
    private final List<Thread> senders = new ArrayList<>();
    private Optional<String> upload = Optional.empty();
    private byte[] filling;
    private int filled;
    private boolean completed;
    private boolean closed;
    private volatile Optional<GatewayException> failure = Optional.empty();

    S3Upload(Call call, S3Creation object, PartSizes sizes, InstantSource clock) {
        this.call = call;
        this.object = object;
        this.sizes = sizes;
        this.clock = clock;
        this.filling = taken(sizes.of(1));
    }

    @Override
    public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        int done = 0;
        while (done < length) {
            // A full part is kept until there is more data: it may be the last.
            if (filled == filling.length) {
                send();
                next();
            }
            int count = Math.min(length - done, filling.length - filled);
            System.arraycopy(bytes, offset + done, filling, filled, count);
            filled += count;
            done += count;
        }
    }

    private void next() throws IOException {
        try {
            filling = taken(sizes.of(parts.size() + 1));
            filled = 0;
        } catch (GatewayException e) {
            throw Call.inStream(e);
        }
    }

    private void send() throws IOException {
        requireWell();
        if (parts.size() == PartSizes.MOST) {
            throw Call.inStream(call.refused(Kind.REJECTED, "it is larger than one terabyte"));
        }
        try {
            String id = upload.isPresent() ? upload.get() : object.begin();
            upload = Optional.of(id);
            byte[] part = filling;
            int length = filled;
            int number = parts.size() + 1;
            var task = new FutureTask<>(() -> sent(id, number, part, length));
            parts.add(task);
            senders.removeIf(thread -> !thread.isAlive());
            senders.add(Thread.ofVirtual().name("part " + number).start(task));
        } catch (RuntimeException e) {
            throw Call.inStream(S3Errors.translate(call, e, clock));
        }
    }

    private CompletedPart sent(String id, int number, byte[] part, int length) {
        try {
            if (failure.isPresent()) {
                throw failure.get();
            }
            return object.part(id, number, part, length);
        } catch (RuntimeException e) {
            var translated = S3Errors.translate(call, e, clock);
            failure = failure.or(() -> Optional.of(translated));
            throw translated;
        } finally {
            buffers.give(part);
        }
    }

    private byte[] taken(int size) {
        try {
            return buffers.take(size);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw call.lost("interrupted");
        }
    }

    private void requireWell() throws IOException {
        if (closed) {
            throw new IllegalStateException("closed before it was completed");
        }
        if (failure.isPresent()) {
            throw Call.inStream(failure.get());
        }
    }

    @Override
    public void complete() throws IOException {
        requireWell();
        try {
            if (upload.isEmpty()) {
                object.put(call, filling, filled);
            } else {
                send();
                object.complete(call, upload.get(), acknowledged());
            }
            completed = true;
        } catch (RuntimeException e) {
            throw Call.inStream(S3Errors.translate(call, e, clock));
        } finally {
            close();
        }
    }

    private List<CompletedPart> acknowledged() {
        var done = new ArrayList<CompletedPart>();
        for (var part : parts) {
            try {
                done.add(part.get());
            } catch (ExecutionException e) {
                throw e.getCause() instanceof GatewayException known ? known : new IllegalStateException(e.getCause());
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                throw call.lost("interrupted");
            }
        }
        return done;
    }

    /// Parts that arrive after the upload was aborted would stay, so the senders end first.
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (completed || upload.isEmpty()) {
            return;
        }
        // An interrupted thread still cleans up, and stops afterwards.
        boolean interrupted = Thread.interrupted();
        try {
            for (Thread sender : senders) {
                sender.interrupt();
                sender.join();
            }
            object.abort(upload.get());
        } catch (InterruptedException _) {
            interrupted = true;
        } catch (RuntimeException _) {
            // `abandon` removes it later.
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /// The largest number of buffers in use at once.
    public int buffers() {
        return buffers.peak();
    }
}
