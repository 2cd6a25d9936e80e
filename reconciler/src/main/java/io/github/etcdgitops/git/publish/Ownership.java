package io.github.etcdgitops.git.publish;

import java.util.Set;

/// Our paths on a branch: whole files, and folders (without a `/` at the end) with everything in them. They
/// are replaced as a whole; everything else on the branch is not ours.
public record Ownership(Set<String> files, Set<String> folders) {
    public static final Ownership REPORT = new Ownership(Set.of("README.md"), Set.of("latest"));

    public Ownership {
        files = Set.copyOf(files);
        folders = Set.copyOf(folders);
    }

    /// Whether we may write this path.
    public boolean owns(String path) {
        return files.contains(path) || folders.stream().anyMatch(f -> path.startsWith(f + "/"));
    }

    /// Whether the path must be removed to make room for ours: it is ours, or a file in place of our
    /// folder, or the reverse.
    boolean displaces(String path) {
        return owns(path) || folders.contains(path) || files.stream().anyMatch(f -> path.startsWith(f + "/"));
    }
}
