package io.github.etcdgitops.git;

import io.github.etcdgitops.validation.Violation;
import java.util.List;
import java.util.SortedMap;

/// The documents of a repository at one commit: paths with `/`, relative to the root, and the raw bytes of each.
/// `violations` names what was refused by its name, kind or size (symbolic links, paths out of the tree, …).
/// `digest` is a hash over paths and contents of what was read, so that a commit that touches nothing of ours changes
/// nothing.
public record SourceTree(
        String commit, SortedMap<String, byte[]> documents, List<Violation> violations, String digest) {}
