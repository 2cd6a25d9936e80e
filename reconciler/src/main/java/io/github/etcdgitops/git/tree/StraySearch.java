package io.github.etcdgitops.git.tree;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Searches for documents of ours that are not read: in other folders, and under similar names. It has a
/// limit, because a repository may have any number of other files: the rest is not reported.
final class StraySearch {
    private static final int MOST_ENTRIES = 200_000;
    private static final int MOST_FILES = 20_000;
    private static final long MOST_BYTES = 128L << 20;

    /// Handles a file that may be ours. The content is empty where it is too large for a document.
    @FunctionalInterface
    interface Found {
        boolean take(String path, Optional<byte[]> content);
    }

    private final Scope scope;
    private final TreeLimits limits;
    private final Found found;
    private int entries;
    private int files;
    private long bytes;

    StraySearch(Scope scope, TreeLimits limits, Found found) {
        this.scope = scope;
        this.limits = limits;
        this.found = found;
    }

    /// A file in one of our folders, with a name similar to that of a document.
    boolean inside(TreeEntry.File file, String path) throws IOException {
        if (scope.ours().isEmpty()) {
            return true;
        }
        return file.content().size() > limits.fileBytes() ? found.take(path, Optional.empty()) : look(file, path);
    }

    /// Everything outside our folders.
    void elsewhere(TreeEntry.Inside root) throws IOException {
        if (scope.ours().isPresent()) {
            search(root, "", 0);
        }
    }

    private boolean search(TreeEntry.Inside folder, String above, int depth) throws IOException {
        List<TreeEntry> inside = list(folder);
        if (inside.stream().anyMatch(entry -> entry.name().equals(Scope.IGNORE))) {
            return true;
        }
        for (TreeEntry entry : inside) {
            String path = above + UnsafeNames.shown(entry.name());
            boolean more = !scope.searches(path) || scope.resembles(path) || visit(entry, path, depth);
            if (!more || entries > MOST_ENTRIES) {
                return false;
            }
        }
        return true;
    }

    private boolean visit(TreeEntry entry, String path, int depth) throws IOException {
        return switch (entry) {
            case TreeEntry.Folder folder ->
                depth + 1 >= limits.depth() || search(folder.inside(), path + "/", depth + 1);
            case TreeEntry.File file
            when Scope.isYamlLike(path) && file.content().size() <= limits.fileBytes() -> look(file, path);
            case TreeEntry.File _, TreeEntry.Other _ -> true;
        };
    }

    /// An unreadable folder is skipped.
    private List<TreeEntry> list(TreeEntry.Inside folder) throws IOException {
        var listed = new ArrayList<TreeEntry>();
        var inside = folder.entries();
        while (inside.isPresent() && inside.get().hasNext() && ++entries <= MOST_ENTRIES) {
            listed.add(inside.get().next());
        }
        return listed;
    }

    private boolean look(TreeEntry.File file, String path) throws IOException {
        if (++files > MOST_FILES || bytes > MOST_BYTES) {
            return false;
        }
        var content = file.content().read((int) limits.fileBytes());
        bytes += content.map(c -> c.length).orElse(0);
        return content.isEmpty() || found.take(path, content);
    }
}
