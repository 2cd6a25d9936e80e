package io.github.etcdgitops.gateway.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.gateway.BackupStore;
import io.github.etcdgitops.gateway.BackupStoreContract;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.store.call.ObjectKey;
import io.github.etcdgitops.gateway.store.directory.DirectoryStore;
import io.github.etcdgitops.gateway.store.directory.DirectoryWalk;
import io.github.etcdgitops.gateway.store.directory.Disk;
import io.github.etcdgitops.spec.value.Destination;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryStoreTest extends BackupStoreContract {
    @TempDir
    private Path folder;

    @Override
    protected BackupStore openEmpty() {
        return store(folder, Disk.REAL);
    }

    @Override
    protected BackupStore openAnHourLater() {
        return new DirectoryStore(
                new Destination.Directory(folder.toString(), "backups/"),
                InstantSource.offset(InstantSource.system(), Duration.ofHours(1)),
                Disk.REAL);
    }

    @Override
    protected int part() {
        return 1 << 16;
    }

    private static DirectoryStore store(Path folder, Disk disk) {
        return new DirectoryStore(
                new Destination.Directory(folder.toString(), "backups/"), InstantSource.system(), disk);
    }

    private List<String> files() throws IOException {
        try (var walk = Files.walk(folder)) {
            return walk.filter(f -> !f.equals(folder))
                    .map(f -> folder.relativize(f).toString())
                    .sorted()
                    .toList();
        }
    }

    /// As the root of a volume has `lost+found`. The superuser may look into anything, so that only other users see
    /// the difference in the listing.
    @Test
    void unrequestedFolderMayBeUnreadable() throws IOException {
        store().create("old.db", content(10));
        Path closed = Files.createDirectories(folder.resolve("backups/lost+found/1"));
        Files.write(closed.resolve("old.db"), content(10));
        Files.setPosixFilePermissions(closed.getParent(), Set.of());
        try {
            assertThat(store().list("old.db"))
                    .extracting(BackupStore.Entry::key)
                    .containsExactly("old.db");
        } finally {
            Files.setPosixFilePermissions(closed.getParent(), PosixFilePermissions.fromString("rwx------"));
        }
        var seen = new ArrayList<Path>();
        DirectoryWalk.below(folder.resolve("backups"), f -> !f.endsWith("lost+found"), (file, _) -> seen.add(file));
        assertThat(seen).containsExactly(folder.resolve("backups/old.db"));
    }

    @Test
    void leavesNoFileOfDeletedOrIncompleteObject() throws IOException {
        store().create("ring/a/snapshot", content(10));
        try (var upload = store().create("ring/b/snapshot")) {
            upload.write(content(10));
        }
        assertThat(files()).containsExactly("backups", "backups/ring", "backups/ring/a", "backups/ring/a/snapshot");

        store().delete("ring/a/snapshot");

        assertThat(files()).containsExactly("backups");
    }

    @Test
    void createsNoDirectoryForUnmountedVolume() {
        var missing = store(folder.resolve("missing"), Disk.REAL);

        assertThat(failure(() -> missing.create("a", content(1))))
                .hasMessageContaining("mount")
                .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.NOT_FOUND));
        assertThat(failure(() -> missing.list("")).kind()).isEqualTo(Kind.NOT_FOUND);
        assertThat(folder.resolve("missing")).doesNotExist();
    }

    @Test
    void followsNoSymbolicLink(@TempDir Path outside) throws IOException {
        Files.writeString(outside.resolve("secret"), "secret");
        Files.createDirectories(folder.resolve("backups"));
        Files.createSymbolicLink(folder.resolve("backups/out"), outside);
        Files.createSymbolicLink(folder.resolve("backups/file"), outside.resolve("secret"));

        assertThat(failure(() -> store().create("out/new", content(1))).kind()).isEqualTo(Kind.REJECTED);
        assertThat(failure(() -> store().read("out/secret", 100)).kind()).isEqualTo(Kind.REJECTED);
        assertThat(failure(() -> store().delete("out/secret")).kind()).isEqualTo(Kind.REJECTED);
        assertThat(failure(() -> store().open("file")).kind()).isEqualTo(Kind.NOT_FOUND);
        assertThat(failure(() -> store().list("out/")).kind()).isEqualTo(Kind.REJECTED);
        assertThat(store().list("")).isEmpty();
        assertThat(outside.resolve("secret")).hasContent("secret");
        assertThat(outside.resolve("new")).doesNotExist();
    }

    @Test
    void withoutHardLinksOneWriterOfTwoIsBelievedToo() throws IOException {
        var noLinks = store(folder, new Disk() {
            @Override
            public void link(Path link, Path existing) throws IOException {
                throw new FileSystemException(link.toString(), existing.toString(), "Operation not permitted");
            }
        });

        try (var first = noLinks.create("ring/one");
                var second = noLinks.create("ring/one")) {
            first.write(content(5));
            second.write(content(6));
            second.complete();
            assertThat(streamFailure(first::complete).kind()).isEqualTo(Kind.CONFLICT);
        }

        assertThat(noLinks.read("ring/one", 10))
                .hasValueSatisfying(b -> assertThat(b).isEqualTo(content(6)));
        assertThat(files()).containsExactly("backups", "backups/ring", "backups/ring/one");
    }

    @Test
    void claimLeftByCrashExpires() throws IOException {
        var noLinks = store(folder, new Disk() {
            @Override
            public void link(Path link, Path existing) {
                throw new UnsupportedOperationException();
            }
        });
        noLinks.create("ring/one", content(1));
        var claim = folder.resolve("backups/ring/" + ObjectKey.RESERVED + "0.claim");
        Files.createFile(claim);

        try (var later = openAnHourLater()) {
            assertThat(later.abandon("ring/", Duration.ofMinutes(30))).isEqualTo(1);
        }

        assertThat(claim).doesNotExist();
        assertThat(store().list("")).hasSize(1);
    }

    /// A disk that takes so many bytes, for all files together.
    private static final class Small implements Disk {
        private long free;

        Small(long free) {
            this.free = free;
        }

        @Override
        public OutputStream create(Path file) throws IOException {
            return new FilterOutputStream(Disk.REAL.create(file)) {
                @Override
                public void write(byte[] bytes, int offset, int length) throws IOException {
                    if (length > free) {
                        throw new IOException("No space left on device");
                    }
                    free -= length;
                    out.write(bytes, offset, length);
                }
            };
        }

        @Override
        public long free(Path path) {
            return free;
        }
    }

    @Test
    void reportsFullVolumeAndLeavesNothing() throws IOException {
        var small = store(folder, new Small(100_000));
        small.create("ring/kept", content(10));

        var full = streamFailure(() -> {
            try (var upload = small.create("other/large")) {
                for (int i = 0; i < 100; i++) {
                    upload.write(content(8192));
                }
            }
        });

        assertThat(full.kind()).isEqualTo(Kind.REJECTED);
        assertThat(full).hasMessageContaining("is full: 1686 bytes are free in " + folder);
        assertThat(files()).containsExactly("backups", "backups/ring", "backups/ring/kept");
    }
}
