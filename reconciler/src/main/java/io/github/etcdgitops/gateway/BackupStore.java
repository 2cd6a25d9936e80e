package io.github.etcdgitops.gateway;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/// One location of backups, as objects by key; keys are relative to the destination's prefix and use `/`.
/// Every method throws [GatewayException]: UNREACHABLE where another try may help, UNAUTHORIZED for
/// credentials and rights, NOT_FOUND for a missing bucket or object, CONFLICT where a create-only write
/// finds an existing one, REJECTED for the rest (no space left, a quota). Messages name the location and
/// the remedy and no secret.
///
/// Safe for several threads; an [Upload] is for one.
public interface BackupStore extends AutoCloseable {
    /// The location in one line, for people.
    String title();

    /// Starts an object that does not exist yet. It becomes visible under the key only when
    /// [Upload#complete()] returns.
    Upload create(String key);

    /// Writes a small object that does not exist yet.
    void create(String key, byte[] content);

    /// A small object; empty when there is none. More than `limit` bytes are REJECTED.
    Optional<byte[]> read(String key, int limit);

    /// Streams an object from its beginning. Reading throws IOException when the connection breaks.
    InputStream open(String key);

    /// How many objects one backup may have: a few, and two for each drill.
    int MOST_OF_ONE_BACKUP = 10_000;

    /// Every object below the prefix, in no order, read page by page. Calls `each` for every object, which
    /// may throw to stop: there may be any number of them.
    void list(String prefix, Consumer<Entry> each);

    /// The few objects below the prefix of one backup.
    default List<Entry> list(String prefix) {
        var entries = new ArrayList<Entry>();
        list(prefix, upTo(MOST_OF_ONE_BACKUP, prefix, entries::add));
        return entries;
    }

    /// Refuses (REJECTED) every object beyond this number.
    default Consumer<Entry> upTo(int most, String prefix, Consumer<Entry> each) {
        var count = new AtomicInteger();
        return entry -> {
            if (count.incrementAndGet() > most) {
                throw new GatewayException(
                        GatewayException.Kind.REJECTED,
                        false,
                        "listing " + title() + prefix + ": there are more than " + most
                                + " objects. Give the policy its own prefix (spec.destination), or remove what is"
                                + " not needed");
            }
            each.accept(entry);
        };
    }

    /// Deletes an object; a missing one is no error. REJECTED where the store holds it under a lock.
    void delete(String key);

    /// Deletes the parts of earlier uploads below the prefix that are unfinished for longer than `age`:
    /// they are invisible and cost money. Returns how many.
    int abandon(String prefix, Duration age);

    @Override
    void close();

    record Entry(String key, long size, Instant modified) {}

    /// An object being written. Closing it before completion leaves nothing behind. A write throws
    /// IOException with a [GatewayException] as its cause.
    abstract class Upload extends OutputStream {
        /// Makes the object visible, create-only: CONFLICT when another one of this key has appeared since.
        public abstract void complete() throws IOException;

        @Override
        public abstract void close();
    }
}
