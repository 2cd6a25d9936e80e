package io.github.etcdgitops.git.publish;

import java.util.Optional;

/// The current branch, before we write to it.
public interface BranchView {
    /// The newest commit; empty where there is no such branch yet.
    Optional<String> tip();

    /// A regular file at that commit. Throws [GitException].
    Optional<byte[]> file(String path);
}
