package io.github.etcdgitops.git;

import java.util.List;

/// Which paths of a repository are ours: single files, and folders (with a `/` at the end) of which the `.yaml` and
/// `.yml` files count.
public record Scope(List<String> paths) {
    public static final Scope STANDARD =
            new Scope(List.of("etcd-gitops.yaml", "clusters/", "policies/", "approvals/", "tombstones/"));

    public Scope {
        paths = List.copyOf(paths);
        for (String path : paths) {
            if (path.isEmpty() || path.startsWith("/") || path.contains("//")) {
                throw new IllegalArgumentException("a path is relative to the repository's root: " + path);
            }
        }
    }

    /// Whether the entry is one of ours, or on the way to one.
    boolean concerns(String path) {
        return paths.stream().anyMatch(p -> p.equals(path) || p.startsWith(path + "/") || isInside(path, p));
    }

    boolean isDocument(String path) {
        return paths.stream()
                .anyMatch(p ->
                        p.equals(path) || (isInside(path, p) && (path.endsWith(".yaml") || path.endsWith(".yml"))));
    }

    private static boolean isInside(String path, String folder) {
        return folder.endsWith("/") && path.startsWith(folder);
    }

    /// For people.
    @Override
    public String toString() {
        return String.join(", ", paths);
    }
}
