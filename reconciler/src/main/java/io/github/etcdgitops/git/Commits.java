package io.github.etcdgitops.git;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectLoader;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.revwalk.RevCommit;
import org.eclipse.jgit.treewalk.EmptyTreeIterator;
import org.eclipse.jgit.treewalk.TreeWalk;
import org.eclipse.jgit.treewalk.filter.AndTreeFilter;
import org.eclipse.jgit.treewalk.filter.PathFilter;
import org.eclipse.jgit.treewalk.filter.TreeFilter;

/// What a store has of a history, remembered: many passages are looked for in the same commits.
final class Commits {
    private record Place(ObjectId commit, String file) {}

    /// What stands at a path, whatever it is: a file that may be read or not, a link, a submodule.
    record Entry(ObjectId id, FileMode mode) {}

    private final ObjectReader objects;
    private final Map<ObjectId, RevCommit> commits = new HashMap<>();
    private final Map<Place, Optional<Entry>> entries = new HashMap<>();

    Commits(ObjectReader objects) {
        this.objects = objects;
    }

    /// Parsed by itself, as in [History].
    Optional<RevCommit> find(ObjectId id) throws IOException {
        RevCommit known = commits.get(id);
        if (known == null && objects.has(id)) {
            known = RevCommit.parse(objects.open(id, Constants.OBJ_COMMIT).getCachedBytes());
            commits.put(id.copy(), known);
        }
        return Optional.ofNullable(known);
    }

    /// Empty where there is nothing, or a folder.
    Optional<Entry> entry(RevCommit commit, String file) throws IOException {
        var place = new Place(commit.getId(), file);
        var known = entries.get(place);
        if (known == null) {
            known = look(commit, file);
            entries.put(place, known);
        }
        return known;
    }

    private Optional<Entry> look(RevCommit commit, String file) throws IOException {
        try (TreeWalk walk = TreeWalk.forPath(objects, file, commit.getTree())) {
            return walk == null || FileMode.TREE.equals(walk.getFileMode(0))
                    ? Optional.empty()
                    : Optional.of(new Entry(walk.getObjectId(0), walk.getFileMode(0)));
        }
    }

    /// Empty of what no run reads: what is no regular file, too large, or was not fetched for its size.
    Optional<byte[]> content(Entry entry) throws IOException {
        if (!FileMode.REGULAR_FILE.equals(entry.mode()) || !objects.has(entry.id())) {
            return Optional.empty();
        }
        ObjectLoader content = objects.open(entry.id(), Constants.OBJ_BLOB);
        return content.getSize() > Remote.LARGEST_FILE ? Optional.empty() : Optional.of(content.getCachedBytes());
    }

    /// Beside `file`: what a commit has changed or removed in the same place of the repository. To be closed.
    TreeWalk changes(RevCommit parent, RevCommit commit, String file) throws IOException {
        int slash = file.indexOf('/');
        TreeFilter folder = slash < 0 ? TreeFilter.ALL : PathFilter.create(file.substring(0, slash));
        var walk = new TreeWalk(objects);
        walk.setRecursive(true);
        walk.addTree(parent.getTree());
        walk.addTree(commit.getTree());
        walk.setFilter(AndTreeFilter.create(folder, TreeFilter.ANY_DIFF));
        return walk;
    }

    /// What a commit has changed or removed anywhere; all of it where it has no parent. To be closed.
    TreeWalk changes(Optional<RevCommit> parent, RevCommit commit) throws IOException {
        var walk = new TreeWalk(objects);
        walk.setRecursive(true);
        if (parent.isPresent()) {
            walk.addTree(parent.get().getTree());
        } else {
            walk.addTree(new EmptyTreeIterator());
        }
        walk.addTree(commit.getTree());
        walk.setFilter(TreeFilter.ANY_DIFF);
        return walk;
    }
}
