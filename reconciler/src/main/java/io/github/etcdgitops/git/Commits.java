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
import org.eclipse.jgit.treewalk.TreeWalk;
import org.eclipse.jgit.treewalk.filter.AndTreeFilter;
import org.eclipse.jgit.treewalk.filter.PathFilter;
import org.eclipse.jgit.treewalk.filter.TreeFilter;

/// What a store has of a history, remembered: many passages are looked for in the same commits.
final class Commits {
    private record Place(ObjectId commit, String file) {}

    private final ObjectReader objects;
    private final Map<ObjectId, RevCommit> commits = new HashMap<>();
    private final Map<Place, Optional<ObjectId>> blobs = new HashMap<>();

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

    /// The file in a commit, if it is one.
    Optional<ObjectId> blob(RevCommit commit, String file) throws IOException {
        var place = new Place(commit.getId(), file);
        var known = blobs.get(place);
        if (known == null) {
            known = look(commit, file);
            blobs.put(place, known);
        }
        return known;
    }

    private Optional<ObjectId> look(RevCommit commit, String file) throws IOException {
        try (TreeWalk walk = TreeWalk.forPath(objects, file, commit.getTree())) {
            return walk == null || !FileMode.REGULAR_FILE.equals(walk.getFileMode(0))
                    ? Optional.empty()
                    : Optional.of(walk.getObjectId(0));
        }
    }

    /// Files that are too large are read by nobody, and were not fetched where the server could leave them out.
    Optional<byte[]> content(Optional<ObjectId> blob) throws IOException {
        if (blob.isEmpty() || !objects.has(blob.get())) {
            return Optional.empty();
        }
        ObjectLoader content = objects.open(blob.get(), Constants.OBJ_BLOB);
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
}
