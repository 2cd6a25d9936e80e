package io.github.etcdgitops.git.publish;

import java.util.Set;

/// The paths of a branch that are ours: whole files, and folders (without a `/` at the end) with all that is in them.
/// They are replaced as a whole; everything else on the branch is somebody else's.
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

    /// Whether the path must go for ours to be there: ours, or a file where our folder is, or the other way round.
    boolean displaces(String path) {
        return owns(path) || folders.contains(path) || files.stream().anyMatch(f -> path.startsWith(f + "/"));
    }
}
