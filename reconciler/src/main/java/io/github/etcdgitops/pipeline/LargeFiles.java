package io.github.etcdgitops.pipeline;

import io.github.etcdgitops.git.tree.SourceTree;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Finding.Level;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.spec.DesiredState;
import java.util.List;
import java.util.Optional;

/// Files in the document folders that are too large for a document.
final class LargeFiles {
    private LargeFiles() {}

    static Optional<Finding> in(DesiredState desired) {
        List<String> large = desired.refused().large();
        return large.isEmpty()
                ? Optional.empty()
                : Optional.of(new Finding(
                        Level.WARNING,
                        FindingCode.LARGE_FILES,
                        "files of more than " + SourceTree.LARGEST_FILE + " bytes are among the documents: "
                                + String.join(", ", large) + ". They are not read, but some Git servers send them"
                                + " with each new commit. Keep them in another repository"));
    }
}
