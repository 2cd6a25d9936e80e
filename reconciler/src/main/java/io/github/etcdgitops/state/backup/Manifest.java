package io.github.etcdgitops.state.backup;

import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.value.EtcdId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// What a backup is known to be. Written last and once, so that a backup without one is none. `id` is unique below
/// the ring's prefix. Sizes are bytes; digests are lower-case hexadecimal SHA-256.
public record Manifest(String id, Source source, Content content, Stored stored, String operationId, String tool) {
    public SnapshotContents contents() {
        return new SnapshotContents(source.version(), content.revision(), content.keys(), content.hashes());
    }

    /// Which ring, which member, and when the snapshot was begun and ended.
    public record Source(
            String environment,
            ClusterRef ring,
            EtcdId clusterId,
            String member,
            EtcdVersion version,
            Instant began,
            Instant ended) {}

    /// The snapshot itself, before it was compressed or encrypted. `revision` was reached when it was begun: it holds
    /// at least that. `sha256` covers all of it, the trailer of 32 bytes included, by which etcd proves the rest.
    /// `keys` counts the keys at `revision`, where the member said so. `ring` is empty of a ring without a quorum,
    /// and in older manifests.
    public record Content(
            long size,
            String sha256,
            long revision,
            long term,
            OptionalLong keys,
            List<KvHash> hashes,
            Optional<RingRevision> ring) {
        public Content {
            hashes = List.copyOf(hashes);
        }
    }

    /// What the ring as a whole had when it was asked, by a linearizable read, and how many revisions the member was
    /// behind that at first. The snapshot holds all that was acknowledged before `asked`.
    public record RingRevision(long revision, Instant asked, long behind) {}

    /// The object: `key` below the destination's prefix, and how it was written.
    public record Stored(String key, long size, String sha256, boolean zstd, Optional<String> recipient) {}
}
