package io.github.etcdgitops.ring;

import io.github.etcdgitops.spec.value.Destination;
import io.github.etcdgitops.state.backup.BackupKey;
import io.github.etcdgitops.state.backup.Manifest;
import io.github.etcdgitops.state.backup.SnapshotContents;
import io.github.etcdgitops.state.journal.SnapshotOrigin;
import io.github.etcdgitops.state.underway.Recovery;
import java.util.Optional;

/// A new ring to fill with data: who asked for it, from which source, and by how much its revision is
/// raised.
public record RestoreOrder(String request, Source source, Optional<Long> bumpRevision) {
    public sealed interface Source {
        /// `s3://bucket/prefix/key`.
        String from();

        /// For people.
        default String title() {
            return from();
        }

        /// The size of the restored snapshot, in bytes.
        long size();

        /// The data is already in the volume. Its source may no longer exist.
        record Loaded(SnapshotOrigin origin) implements Source {
            @Override
            public String from() {
                return origin.from();
            }

            @Override
            public long size() {
                return origin.size();
            }
        }
    }

    /// Where the snapshot is stored: `key` is relative to `place`.
    public sealed interface Stored extends Source {
        Destination place();

        String key();

        @Override
        default String from() {
            return place().title() + key();
        }

        @Override
        default String title() {
            return place().title();
        }

        /// One of our backups: its manifest states the expected contents.
        record Certified(Destination place, BackupKey backup, Manifest manifest) implements Stored {
            @Override
            public String key() {
                return manifest.stored().key();
            }

            @Override
            public long size() {
                return manifest.content().size();
            }
        }

        /// An object of which only the size is known: its own trailer must prove it.
        record Bare(Destination place, String key, long size) implements Stored {}
    }

    public String from() {
        return source.from();
    }

    public Optional<String> backup() {
        return switch (source) {
            case Stored.Certified(var unused, BackupKey backup, var alsoUnused) -> Optional.of(backup.id());
            case Stored.Bare _ -> Optional.empty();
            case Source.Loaded(SnapshotOrigin origin) -> origin.backup();
        };
    }

    /// Who asks for it, for people.
    public String asker() {
        return Recovery.asker(request);
    }

    /// Whether it is the rest of a ring that has lost its quorum.
    public boolean recovers() {
        return Recovery.is(request);
    }

    /// The expected contents, where a manifest states them.
    public Optional<SnapshotContents> contents() {
        return switch (source) {
            case Stored.Certified(var unused, var alsoUnused, Manifest manifest) -> Optional.of(manifest.contents());
            case Stored.Bare _ -> Optional.empty();
            case Source.Loaded(SnapshotOrigin origin) -> origin.contents();
        };
    }

    /// Whether a journal that was opened for `origin` belongs to this order. The content of a bare object
    /// is unknown until it is read.
    public boolean isOf(SnapshotOrigin origin) {
        boolean sameContent = switch (source) {
            case Stored.Certified(var unused, var alsoUnused, Manifest manifest) ->
                manifest.content().sha256().equals(origin.sha256());
            case Stored.Bare(var unused, var alsoUnused, long size) -> size == origin.size();
            case Source.Loaded(SnapshotOrigin own) -> own.equals(origin);
        };
        return sameContent
                && origin.request().equals(request)
                && origin.from().equals(from())
                && origin.bumpRevision().equals(bumpRevision);
    }

    /// `size` and `sha256` describe the restored snapshot.
    public SnapshotOrigin origin(long size, String sha256) {
        return new SnapshotOrigin(request, from(), backup(), size, sha256, bumpRevision, contents());
    }
}
