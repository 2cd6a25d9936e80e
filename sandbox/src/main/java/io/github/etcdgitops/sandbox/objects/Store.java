package io.github.etcdgitops.sandbox.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The objects, the number of the last write, and what the latest writes were. Every write has a number of
/// its own, one more than the last, so the history needs no search.
///
/// Objects in here are never changed: a write puts another one in their place.
public final class Store {
    private static final Comparator<Key> ORDER =
            Comparator.comparing(Key::resource).thenComparing(Key::namespace).thenComparing(Key::name);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition written = lock.newCondition();
    private final TreeMap<Key, ObjectNode> objects = new TreeMap<>(ORDER);
    private final @Nullable Event[] history;
    private long first = 1;
    private long latest = 1;

    record Key(Resource resource, String namespace, String name) {}

    private record Event(Key key, Watch.Change change) {}

    Store(int kept) {
        this.history = new Event[kept];
    }

    /// What is done in here is seen by others all at once.
    <T> T locked(Supplier<T> work) {
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }

    Store copy() {
        return locked(() -> {
            var copy = new Store(1);
            copy.objects.putAll(objects);
            copy.first = latest;
            copy.latest = latest;
            return copy;
        });
    }

    @Nullable
    ObjectNode get(Key key) {
        return locked(() -> objects.get(key));
    }

    List<ObjectNode> list(Resource resource, String namespace) {
        return locked(() -> {
            var found = new ArrayList<ObjectNode>();
            var from = objects.tailMap(new Key(resource, namespace, ""));
            for (var entry : from.entrySet()) {
                Key key = entry.getKey();
                if (key.resource() != resource
                        || !(namespace.isEmpty() || key.namespace().equals(namespace))) {
                    break;
                }
                found.add(entry.getValue());
            }
            return found;
        });
    }

    long latest() {
        return locked(() -> latest);
    }

    /// Keeps `object`, which belongs to the store from now on.
    void put(Key key, ObjectNode object) {
        ObjectNode before = objects.put(key, numbered(object));
        append(key, before == null ? Watch.Type.ADDED : Watch.Type.MODIFIED, object, before);
    }

    void remove(Key key) {
        ObjectNode before = objects.remove(key);
        if (before != null) {
            append(key, Watch.Type.DELETED, numbered(before.deepCopy()), before);
        }
    }

    private ObjectNode numbered(ObjectNode object) {
        Meta.of(object).put("resourceVersion", Long.toString(latest + 1));
        return object;
    }

    private void append(Key key, Watch.Type type, ObjectNode object, @Nullable ObjectNode before) {
        latest++;
        var change = new Watch.Change(type, object, Optional.ofNullable(before), latest);
        history[slot(latest)] = new Event(key, change);
        first = Math.max(first, latest - history.length);
        written.signalAll();
    }

    private int slot(long number) {
        return (int) (number % history.length);
    }

    /// The next change that is of interest to that reader.
    Optional<Watch.Change> next(Cursor cursor, Duration atMost) throws InterruptedException {
        long nanos = atMost.toNanos();
        lock.lockInterruptibly();
        try {
            while (true) {
                if (cursor.closed) {
                    return Optional.empty();
                }
                if (cursor.after < first) {
                    throw expired(cursor.after);
                }
                while (cursor.after < latest) {
                    cursor.after++;
                    Event event = history[slot(cursor.after)];
                    if (event != null && cursor.wants(event.key())) {
                        return Optional.of(event.change());
                    }
                }
                if (nanos <= 0) {
                    return Optional.empty();
                }
                nanos = written.awaitNanos(nanos);
            }
        } finally {
            lock.unlock();
        }
    }

    void wake(Cursor cursor) {
        locked(() -> {
            cursor.closed = true;
            written.signalAll();
            return cursor;
        });
    }

    Cursor cursor(Resource resource, String namespace, long after) {
        return locked(() -> {
            if (after > 0 && after < first) {
                throw expired(after);
            }
            return new Cursor(resource, namespace, after > 0 ? after : latest);
        });
    }

    private Refusal expired(long wanted) {
        return new Refusal(410, "Expired", "too old resource version: " + wanted + " (" + first + ")");
    }

    /// How far one reader got. Used under the store's lock alone.
    static final class Cursor {
        private final Resource resource;
        private final String namespace;
        private long after;
        private boolean closed;

        private Cursor(Resource resource, String namespace, long after) {
            this.resource = resource;
            this.namespace = namespace;
            this.after = after;
        }

        private boolean wants(Key key) {
            return key.resource() == resource
                    && (namespace.isEmpty() || key.namespace().equals(namespace));
        }
    }
}
