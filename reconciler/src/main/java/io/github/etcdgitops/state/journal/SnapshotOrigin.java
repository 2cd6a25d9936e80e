package io.github.etcdgitops.state.journal;

import io.github.etcdgitops.state.backup.SnapshotContents;
import java.util.Optional;

/// The snapshot that a restored ring begins with.
///
/// `request` names who asked for it, `from` the object, `backup` its id where it is one of ours.
/// `size` and `sha256` are those of the snapshot as it is restored; it was verified before the
/// journal was opened. `contents` is what must come out of it, where there was a manifest: whatever
/// becomes of that, it is compared.
public record SnapshotOrigin(
        String request,
        String from,
        Optional<String> backup,
        long size,
        String sha256,
        Optional<Long> bumpRevision,
        Optional<SnapshotContents> contents)
        implements IntentMatter {}
