package io.github.etcdgitops.state.journal;

import io.github.etcdgitops.state.backup.SnapshotContents;
import java.util.Optional;

/// The snapshot that a restored ring starts from.
///
/// `request` names who asked for it, `from` the object, `backup` its ID where it is one of ours. `size` and
/// `sha256` describe the restored snapshot; it was verified before the journal was opened. `contents` are
/// the expected contents, where a manifest existed: they are compared even if the manifest is gone.
public record SnapshotOrigin(
        String request,
        String from,
        Optional<String> backup,
        long size,
        String sha256,
        Optional<Long> bumpRevision,
        Optional<SnapshotContents> contents)
        implements IntentMatter {}
