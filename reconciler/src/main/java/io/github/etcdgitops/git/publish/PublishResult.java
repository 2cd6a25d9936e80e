package io.github.etcdgitops.git.publish;

import java.util.Optional;

/// The result of a publication that did not fail.
public sealed interface PublishResult {
    /// The commit is on the branch, after `tries` attempts.
    record Published(String commit, int tries) implements PublishResult {}

    /// The branch already has exactly these files, and got no commit. Without `tip`, there is no branch,
    /// and nothing to put on it.
    record Unchanged(Optional<String> tip) implements PublishResult {}
}
