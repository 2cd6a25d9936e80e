package io.github.etcdgitops.git.publish;

import java.util.Optional;

/// How a publication ended, where it did not fail.
public sealed interface PublishResult {
    /// The commit is on the branch, after so many tries.
    record Published(String commit, int tries) implements PublishResult {}

    /// The branch has exactly these files already, and got no commit. No `tip`: there is no branch, and nothing to
    /// put on it.
    record Unchanged(Optional<String> tip) implements PublishResult {}
}
