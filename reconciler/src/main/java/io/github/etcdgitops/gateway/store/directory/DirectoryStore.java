package io.github.etcdgitops.gateway.store.directory;

import io.github.etcdgitops.gateway.BackupStore;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.store.call.Call;
import io.github.etcdgitops.gateway.store.call.ObjectKey;
import io.github.etcdgitops.gateway.store.call.StoredStream;
import io.github.etcdgitops.spec.value.Destination;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/// Objects as files below a directory. An object appears by a hard link from a finished, synced temporary
/// file beside it, which fails where the name exists: that is atomic and create-only on every local and
/// network file system with hard links. See [DirectoryUpload] for the others.
///
/// The directory itself is never created: where a volume is not mounted, backups would go to the
/// container's own disk.
public final class DirectoryStore implements BackupStore {
    private final Path root;
    private final Path base;
    private final String title;
    private final InstantSource clock;
    private final Disk disk;

    public DirectoryStore(Destination.Directory destination, InstantSource clock, Disk disk) {
        this.root = Path.of(destination.path()).toAbsolutePath().normalize();
        this.base = root.resolve(ObjectKey.requirePrefix(destination.prefix()));
        this.title = destination.title();
        this.clock = clock;
        this.disk = disk;
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public Upload create(String key) {
        var call = Call.changing("writing " + key + " to " + title);
        Path target = path(call, key);
        try {
            if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
                throw call.refused(Kind.CONFLICT, "it already exists");
            }
            return new DirectoryUpload(call, target, root, base, disk);
        } catch (IOException e) {
            throw DirectoryErrors.translate(call, root, e, disk);
        }
    }

    @Override
    public void create(String key, byte[] content) {
        try (var upload = create(key)) {
            upload.write(content);
            upload.complete();
        } catch (IOException e) {
            throw Call.cause(e);
        }
    }

    @Override
    public Optional<byte[]> read(String key, int limit) {
        var call = Call.reading("reading " + key + " from " + title);
        Path file = path(call, key);
        try (var in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            byte[] bytes = in.readNBytes(limit + 1);
            if (bytes.length > limit) {
                throw call.refused(Kind.REJECTED, "it has more than the " + limit + " expected bytes");
            }
            return Optional.of(bytes);
        } catch (NoSuchFileException _) {
            return Optional.empty();
        } catch (IOException e) {
            throw DirectoryErrors.translate(call, root, e, disk);
        }
    }

    @Override
    public InputStream open(String key) {
        var call = Call.reading("reading " + key + " from " + title);
        Path file = path(call, key);
        try {
            var attributes = Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            if (!attributes.isRegularFile()) {
                throw call.refused(Kind.NOT_FOUND, "something with this name exists and is not a file");
            }
            var in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS);
            return new StoredStream(
                    in, call, attributes.size(), () -> closed(in), _ -> "the volume no longer returned its content");
        } catch (IOException e) {
            throw DirectoryErrors.translate(call, root, e, disk);
        }
    }

    private static void closed(InputStream in) {
        try {
            in.close();
        } catch (IOException _) {
            // It was only read.
        }
    }

    @Override
    public void list(String prefix, Consumer<Entry> each) {
        var call = Call.reading("listing " + title + prefix);
        requireRoot(call);
        walk(call, prefix, (file, attributes) -> {
            String key = key(file);
            if (key.startsWith(prefix) && !file.getFileName().toString().startsWith(ObjectKey.RESERVED)) {
                each.accept(new Entry(
                        key, attributes.size(), attributes.lastModifiedTime().toInstant()));
            }
        });
    }

    @Override
    public void delete(String key) {
        var call = Call.changing("deleting " + key + " from " + title);
        Path file = path(call, key);
        try {
            Files.deleteIfExists(file);
            DirectoryUpload.removeEmptyParents(file, base);
        } catch (IOException e) {
            throw DirectoryErrors.translate(call, root, e, disk);
        }
    }

    @Override
    public int abandon(String prefix, Duration age) {
        var call = Call.changing("giving up old uploads in " + title + prefix);
        requireRoot(call);
        Instant before = clock.instant().minus(age);
        var old = new ArrayList<Path>();
        walk(call, prefix, (file, attributes) -> {
            boolean part = file.getFileName().toString().startsWith(ObjectKey.RESERVED);
            if (part && attributes.lastModifiedTime().toInstant().isBefore(before)) {
                old.add(file);
            }
        });
        try {
            for (Path file : old) {
                Files.deleteIfExists(file);
                DirectoryUpload.removeEmptyParents(file, base);
            }
        } catch (IOException e) {
            throw DirectoryErrors.translate(call, root, e, disk);
        }
        return old.size();
    }

    private void walk(Call call, String prefix, DirectoryWalk.Found found) {
        Path start = base.resolve(prefix.substring(0, prefix.lastIndexOf('/') + 1));
        if (!start.normalize().startsWith(base)) {
            throw call.refused(Kind.REJECTED, "the prefix leads out of the directory");
        }
        requireInside(call, start);
        try {
            DirectoryWalk.below(start, folder -> (key(folder) + "/").startsWith(prefix), found);
        } catch (NoSuchFileException _) {
            // Nothing was ever written there.
        } catch (IOException e) {
            throw DirectoryErrors.translate(call, root, e, disk);
        }
    }

    private String key(Path file) {
        return base.relativize(file).toString();
    }

    /// The file of a key. A symbolic link on its path may stay inside the directory, and must not lead out
    /// of it.
    private Path path(Call call, String key) {
        ObjectKey.require(key);
        requireRoot(call);
        Path file = base.resolve(key);
        requireInside(call, Objects.requireNonNull(file.getParent()));
        return file;
    }

    private void requireRoot(Call call) {
        if (!Files.isDirectory(root)) {
            throw call.refused(
                    Kind.NOT_FOUND, "there is no directory " + root + "; mount the volume there, or correct the path");
        }
    }

    private void requireInside(Call call, Path directory) {
        try {
            for (Path existing = directory; existing != null; existing = existing.getParent()) {
                if (!Files.exists(existing, LinkOption.NOFOLLOW_LINKS)) {
                    continue;
                }
                Path limit = Files.exists(base) ? base : root;
                if (!existing.toRealPath().startsWith(limit.toRealPath())) {
                    throw call.refused(Kind.REJECTED, "a symbolic link leads out of the directory; remove it");
                }
                return;
            }
        } catch (IOException e) {
            throw DirectoryErrors.translate(call, root, e, disk);
        }
    }

    @Override
    public void close() {}
}
