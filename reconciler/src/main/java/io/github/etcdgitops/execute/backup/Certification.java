package io.github.etcdgitops.execute.backup;

import io.github.etcdgitops.backup.ManifestFile;
import io.github.etcdgitops.execute.Hashes;
import io.github.etcdgitops.execute.Sources;
import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.gateway.BackupStore;
import io.github.etcdgitops.gateway.EtcdGateway.KeyHash;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.state.backup.BackupKey;
import io.github.etcdgitops.state.backup.KvHash;
import io.github.etcdgitops.state.backup.Manifest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Verifies a saved snapshot and writes its manifest.
final class Certification {
    private static final int ATTEMPTS = 4;

    /// A compaction, and changes that one member has not applied yet, reach the others within moments.
    private static final Duration BETWEEN = Duration.ofMillis(500);

    private final StepContext context;
    private final BackupStore store;
    private final Hashes members;

    Certification(StepContext context, BackupStore store) {
        this.context = context;
        this.store = store;
        this.members = new Hashes(context);
    }

    /// Why the snapshot is not certified; empty when its manifest is written.
    Optional<String> certify(SavedSnapshot saved, String operationId, String tool) {
        var hashes = new ArrayList<KvHash>();
        var refused = refusal(saved, hashes);
        if (refused.isPresent()) {
            return refused;
        }
        byte[] manifest = ManifestFile.write(manifest(saved, hashes, operationId, tool));
        String key = saved.key().file(BackupKey.MANIFEST);
        context.keepLease();
        store.create(key, manifest);
        boolean same = store.read(key, ManifestFile.LIMIT)
                .filter(read -> Arrays.equals(read, manifest))
                .isPresent();
        if (!same) {
            store.delete(key);
            return Optional.of("the manifest read back from " + store.title() + " is not the one that was written");
        }
        return Optional.empty();
    }

    /// Nothing that counts is written yet: every problem here is a refusal.
    private Optional<String> refusal(SavedSnapshot saved, List<KvHash> hashes) {
        try {
            return compare(saved, hashes).or(() -> otherSize(saved));
        } catch (GatewayException e) {
            return Optional.of("the stored backup could not be verified: " + e.getMessage());
        }
    }

    private Manifest manifest(SavedSnapshot saved, List<KvHash> hashes, String operationId, String tool) {
        var status = saved.member().status().optional().orElseThrow();
        var source = new Manifest.Source(
                saved.key().environment(),
                context.ref(),
                saved.key().clusterId(),
                members.name(saved.member()),
                status.version(),
                saved.times().began(),
                saved.times().ended());
        var snapshot = saved.written().snapshot();
        var content = new Manifest.Content(
                snapshot.size(),
                snapshot.sha256(),
                saved.before().revision(),
                status.term(),
                saved.keys(),
                hashes,
                saved.ring());
        return new Manifest(saved.key().id(), source, content, saved.written().stored(), operationId, tool);
    }

    /// Compares with the size that the store reports, which may differ from what we sent.
    private Optional<String> otherSize(SavedSnapshot saved) {
        var stored = saved.written().stored();
        var size = store.list(saved.key().prefix()).stream()
                .filter(e -> e.key().equals(stored.key()))
                .map(BackupStore.Entry::size)
                .findFirst();
        if (size.isEmpty()) {
            return Optional.of(store.title() + " does not list " + stored.key() + ", which was just written");
        }
        return size.get() == stored.size()
                ? Optional.empty()
                : Optional.of(store.title() + " lists " + stored.key() + " with " + size.get() + " bytes; "
                        + stored.size() + " were written");
    }

    /// Asks another member for its hash at the same revision. Members give equal hashes only when they have
    /// compacted alike, and a compaction reaches them one after the other. If the compactions differ, the
    /// question is repeated; if the revision is compacted in the meantime, the answer proves nothing. If a
    /// member cannot be asked, the next one is. Two different hashes of one revision and one compaction are
    /// corruption.
    private Optional<String> compare(SavedSnapshot saved, List<KvHash> hashes) {
        var own = saved.before();
        var source = members.name(saved.member());
        var others = Sources.othersThan(saved.member().id(), context.state());
        if (others.isEmpty()) {
            hashes.add(hash(own, List.of(source)));
            return Optional.empty();
        }
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            var other = others.get(attempt % others.size());
            var theirs = members.ask(other, own.revision());
            if (theirs.isPresent() && theirs.get().compactRevision() == own.compactRevision()) {
                if (theirs.get().hash() != own.hash()) {
                    return Optional.of("members disagree on the data at revision " + own.revision() + ": " + source
                            + " has the hash " + own.hash() + ", " + members.name(other) + " has "
                            + theirs.get().hash() + ". One of them is corrupt, so no backup is made");
                }
                hashes.add(hash(own, List.of(source, members.name(other))));
                return Optional.empty();
            }
            hashes.add(hash(own, List.of(source)));
            var again = members.ask(saved.member(), own.revision()).or(() -> members.ask(saved.member(), 0));
            if (again.isEmpty()) {
                break;
            }
            own = again.get();
            context.pass(BETWEEN);
        }
        return Optional.empty();
    }

    private static KvHash hash(KeyHash own, List<String> members) {
        return new KvHash(own.revision(), own.compactRevision(), own.hash(), members);
    }
}
