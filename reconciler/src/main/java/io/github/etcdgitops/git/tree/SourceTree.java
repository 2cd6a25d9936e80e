package io.github.etcdgitops.git.tree;

import io.github.etcdgitops.validation.Violation;
import java.util.List;
import java.util.SortedMap;

/// The documents of a repository at one commit: paths with `/`, relative to the root, and the raw bytes of
/// each. `violations` names what was refused because of its name, kind or size (symbolic links, paths out
/// of the tree, …). `digest` is a hash over the paths and contents read, so that a commit without changes
/// to our files changes nothing. `large` are files beside the documents that exceed the fetch limit, the
/// first few.
public record SourceTree(
        String commit,
        SortedMap<String, byte[]> documents,
        List<Violation> violations,
        List<String> large,
        String digest) {
    /// A file with more bytes is never read.
    public static final long LARGEST_FILE = 1L << 20;

    public SourceTree {
        large = List.copyOf(large);
    }

    /// Without large files.
    public SourceTree(String commit, SortedMap<String, byte[]> documents, List<Violation> violations, String digest) {
        this(commit, documents, violations, List.of(), digest);
    }
}
