package io.github.etcdgitops.fake;

import io.github.etcdgitops.gateway.BackupStore;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/// A place for backups in memory, for several threads, with faults on demand. Every call of the port counts
/// as one operation, [BackupStore.Upload#complete()] too.
public final class FakeStore implements BackupStore {
    private record Stored(byte[] content, Instant modified) {}

    private final String title;
    private final InstantSource clock;
    private final TreeMap<String, Stored> objects = new TreeMap<>();
    private final List<Part> unfinished = new ArrayList<>();
    private final Set<String> locked = new TreeSet<>();
    private int operations;
    private int failAt = -1;
    private Optional<Kind> failing = Optional.empty();
    private long breakAfter = Long.MAX_VALUE;

    public FakeStore(String title, InstantSource clock) {
        this.title = title;
        this.clock = clock;
    }

    // --- faults, and a look from outside

    /// The n-th operation from now on fails, as the store would say it. A completion that fails has not
    /// happened.
    public synchronized FakeStore failAt(int n, Kind kind) {
        failAt = operations + n;
        failing = Optional.of(kind);
        return this;
    }

    /// Everything fails until [#heal()].
    public synchronized FakeStore failAll(Kind kind) {
        failAt = 0;
        failing = Optional.of(kind);
        return this;
    }

    /// Uploads and downloads break after so many more bytes, once.
    public synchronized FakeStore breakAfter(long bytes) {
        breakAfter = bytes;
        return this;
    }

    public synchronized void heal() {
        failAt = -1;
        failing = Optional.empty();
        breakAfter = Long.MAX_VALUE;
    }

    /// The object can no longer be deleted.
    public synchronized void lock(String key) {
        locked.add(key);
    }

    /// Changes one byte in the middle.
    public synchronized void corrupt(String key) {
        byte[] content = objects.get(key).content().clone();
        content[content.length / 2] ^= 1;
        objects.put(key, new Stored(content, objects.get(key).modified()));
    }

    /// What a person with rights to the place would do.
    public synchronized void put(String key, byte[] content) {
        objects.put(key, new Stored(content.clone(), clock.instant()));
    }

    public synchronized void drop(String key) {
        objects.remove(key);
    }

    public synchronized List<String> keys() {
        return List.copyOf(objects.keySet());
    }

    public synchronized int operations() {
        return operations;
    }

    // --- the port

    @Override
    public String title() {
        return title;
    }

    @Override
    public synchronized Upload create(String key) {
        operation("writing " + key);
        requireKey(key);
        if (objects.containsKey(key)) {
            throw failure(Kind.CONFLICT, "writing " + key, "it already exists");
        }
        var part = new Part(key, clock.instant());
        unfinished.add(part);
        return part;
    }

    @Override
    public void create(String key, byte[] content) {
        try (var upload = create(key)) {
            upload.write(content);
            upload.complete();
        } catch (IOException e) {
            throw (GatewayException) e.getCause();
        }
    }

    @Override
    public synchronized Optional<byte[]> read(String key, int limit) {
        operation("reading " + key);
        requireKey(key);
        if (!objects.containsKey(key)) {
            return Optional.empty();
        }
        byte[] content = objects.get(key).content();
        if (content.length > limit) {
            throw failure(Kind.REJECTED, "reading " + key, "it has more than " + limit + " bytes");
        }
        return Optional.of(content.clone());
    }

    @Override
    public synchronized InputStream open(String key) {
        operation("reading " + key);
        requireKey(key);
        if (!objects.containsKey(key)) {
            throw failure(Kind.NOT_FOUND, "reading " + key, "it does not exist");
        }
        return new FilterInputStream(
                new ByteArrayInputStream(objects.get(key).content().clone())) {
            @Override
            public int read() throws IOException {
                pass("reading " + key, 1);
                return super.read();
            }

            @Override
            public int read(byte[] bytes, int offset, int length) throws IOException {
                int count = super.read(bytes, offset, length);
                pass("reading " + key, Math.max(count, 0));
                return count;
            }
        };
    }

    @Override
    public synchronized void list(String prefix, Consumer<Entry> each) {
        operation("listing " + prefix);
        List.copyOf(objects.entrySet()).stream()
                .filter(e -> e.getKey().startsWith(prefix))
                .map(e -> new Entry(
                        e.getKey(), e.getValue().content().length, e.getValue().modified()))
                .forEach(each);
    }

    @Override
    public synchronized void delete(String key) {
        operation("deleting " + key);
        requireKey(key);
        if (locked.contains(key)) {
            throw failure(Kind.REJECTED, "deleting " + key, "the store locks it");
        }
        objects.remove(key);
    }

    @Override
    public synchronized int abandon(String prefix, Duration age) {
        operation("giving up old uploads");
        Instant before = clock.instant().minus(age);
        var old = unfinished.stream()
                .filter(part -> part.key.startsWith(prefix) && part.begun.isBefore(before))
                .toList();
        unfinished.removeAll(old);
        return old.size();
    }

    @Override
    public void close() {}

    private void operation(String what) {
        operations++;
        if (failing.isPresent() && (failAt == 0 || failAt == operations)) {
            throw failure(failing.get(), what, "a fault was asked for");
        }
    }

    private synchronized void pass(String what, int bytes) throws IOException {
        if (breakAfter == Long.MAX_VALUE) {
            return;
        }
        breakAfter -= bytes;
        if (breakAfter < 0) {
            breakAfter = Long.MAX_VALUE;
            var failure = failure(Kind.UNREACHABLE, what, "the connection broke");
            throw new IOException(failure.getMessage(), failure);
        }
    }

    private GatewayException failure(Kind kind, String what, String why) {
        return new GatewayException(kind, kind == Kind.UNREACHABLE, what + " in " + title + ": " + why);
    }

    private void requireKey(String key) {
        for (String segment : key.split("/", -1)) {
            if (segment.isEmpty() || segment.equals(".") || segment.equals("..") || segment.contains("\\")) {
                throw failure(Kind.REJECTED, "asking for " + key, "that is no key");
            }
        }
    }

    private final class Part extends Upload {
        private final String key;
        private final Instant begun;
        private final ByteArrayOutputStream content = new ByteArrayOutputStream();

        Part(String key, Instant begun) {
            this.key = key;
            this.begun = begun;
        }

        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            pass("writing " + key, length);
            content.write(bytes, offset, length);
        }

        @Override
        public void complete() throws IOException {
            synchronized (FakeStore.this) {
                try {
                    operation("writing " + key);
                    if (!unfinished.remove(this)) {
                        throw failure(Kind.CONFLICT, "writing " + key, "somebody gave this upload up");
                    }
                    if (objects.containsKey(key)) {
                        throw failure(Kind.CONFLICT, "writing " + key, "another one appeared in the meantime");
                    }
                    objects.put(key, new Stored(content.toByteArray(), clock.instant()));
                } catch (GatewayException e) {
                    throw new IOException(e.getMessage(), e);
                }
            }
        }

        @Override
        public void close() {
            synchronized (FakeStore.this) {
                unfinished.remove(this);
            }
        }
    }
}
