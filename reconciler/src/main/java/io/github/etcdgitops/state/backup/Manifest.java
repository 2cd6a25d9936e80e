package io.github.etcdgitops.state.backup;

import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.value.EtcdId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// The facts about a backup. Written last and once, so a backup without a manifest does not count. `id` is
/// unique below the ring's prefix. Sizes are bytes; digests are lower-case hexadecimal SHA-256.
public record Manifest(String id, Source source, Content content, Stored stored, String operationId, String tool) {
    public SnapshotContents contents() {
        return new SnapshotContents(source.version(), content.revision(), content.keys(), content.hashes());
    }

    /// Which ring, which member, and when the snapshot started and ended.
    public record Source(
            String environment,
            ClusterRef ring,
            EtcdId clusterId,
            String member,
            EtcdVersion version,
            Instant began,
            Instant ended) {}

    /// The snapshot itself, before compression and encryption. The ring had reached `revision` when it
    /// started: it holds at least that. `sha256` covers all of it, including the trailer of 32 bytes with
    /// which etcd proves the rest. `keys` counts the keys at `revision`, where the member reported it.
    /// `ring` is empty for a ring without quorum, and in older manifests.
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

    /// The revision of the ring as a whole when it was asked, by a linearizable read, and how many
    /// revisions the member was behind it at first. The snapshot holds everything acknowledged before
    /// `asked`.
    public record RingRevision(long revision, Instant asked, long behind) {}

    /// The stored object: `key` below the destination's prefix, and how it was written.
    public record Stored(String key, long size, String sha256, boolean zstd, Optional<String> recipient) {}
}
