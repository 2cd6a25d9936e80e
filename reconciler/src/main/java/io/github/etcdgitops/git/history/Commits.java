package io.github.etcdgitops.git.history;

import io.github.etcdgitops.git.tree.SourceTree;
import java.io.IOException;
import java.io.Serial;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectLoader;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.revwalk.RevCommit;
import org.eclipse.jgit.treewalk.CanonicalTreeParser;
import org.eclipse.jgit.treewalk.EmptyTreeIterator;
import org.eclipse.jgit.treewalk.TreeWalk;
import org.eclipse.jgit.treewalk.filter.AndTreeFilter;
import org.eclipse.jgit.treewalk.filter.PathFilter;
import org.eclipse.jgit.treewalk.filter.TreeFilter;

/// The history in a store, cached: many passages are searched in the same commits.
public final class Commits {
    private record Place(ObjectId commit, String file) {}

    /// Any entry at a path: a readable file or not, a link, a submodule.
    record Entry(ObjectId id, FileMode mode) {}

    private record Change(ObjectId parent, ObjectId commit, String folder) {}

    /// How many documents are searched for passages that come from another file.
    private static final int MOST_LOOKS = 20_000;

    private static final Pattern DOCUMENT = Pattern.compile(".*\\.ya?ml", Pattern.DOTALL);

    private final ObjectReader objects;
    private final int most;
    private final Map<ObjectId, RevCommit> commits = new HashMap<>();
    private final Map<Place, Optional<Entry>> entries = new HashMap<>();
    private final Map<ObjectId, Map<String, Entry>> folders = new Last<>();
    private final Map<Change, List<String>> changes = new Last<>();
    private int looks;

    public Commits(ObjectReader objects) {
        this(objects, MOST_LOOKS);
    }

    public Commits(ObjectReader objects, int most) {
        this.objects = objects;
        this.most = most;
    }

    /// Parsed separately, as in [History].
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
        var at = Optional.of(new Entry(commit.getTree().getId(), FileMode.TREE));
        for (String name : file.split("/")) {
            at = at.isPresent() && FileMode.TREE.equals(at.get().mode())
                    ? Optional.ofNullable(folder(at.get().id()).get(name))
                    : Optional.empty();
        }
        return at.filter(entry -> !FileMode.TREE.equals(entry.mode()));
    }

    /// A folder may have tens of thousands of documents: it is read once for all of them.
    private Map<String, Entry> folder(ObjectId tree) throws IOException {
        var known = folders.get(tree);
        if (known == null) {
            known = new HashMap<>();
            var parser = new CanonicalTreeParser();
            for (parser.reset(objects, tree); !parser.eof(); parser.next(1)) {
                known.put(parser.getEntryPathString(), new Entry(parser.getEntryObjectId(), parser.getEntryFileMode()));
            }
            folders.put(tree, known);
        }
        return known;
    }

    /// Empty for files that no run reads: not a regular file, too large, or not fetched because of its
    /// size.
    Optional<byte[]> content(Entry entry) throws IOException {
        if (!FileMode.REGULAR_FILE.equals(entry.mode()) || !objects.has(entry.id())) {
            return Optional.empty();
        }
        ObjectLoader content = objects.open(entry.id(), Constants.OBJ_BLOB);
        return content.getSize() > SourceTree.LARGEST_FILE ? Optional.empty() : Optional.of(content.getCachedBytes());
    }

    /// Documents in the same folder of ours as `file` that a commit has changed or removed; empty where
    /// they are too many to search.
    Optional<List<String>> changes(RevCommit parent, RevCommit commit, String file) throws IOException {
        int slash = file.indexOf('/');
        var change = new Change(parent.getId(), commit.getId(), slash < 0 ? "" : file.substring(0, slash));
        var known = changes.get(change);
        if (known == null) {
            known = changed(parent, commit, change.folder());
            changes.put(change, known);
        }
        looks += known.size();
        return looks > most ? Optional.empty() : Optional.of(known);
    }

    private List<String> changed(RevCommit parent, RevCommit commit, String folder) throws IOException {
        var changed = new ArrayList<String>();
        try (var walk = new TreeWalk(objects)) {
            walk.setRecursive(true);
            walk.addTree(parent.getTree());
            walk.addTree(commit.getTree());
            TreeFilter inside = folder.isEmpty() ? TreeFilter.ALL : PathFilter.create(folder);
            walk.setFilter(AndTreeFilter.create(inside, TreeFilter.ANY_DIFF));
            while (walk.next()) {
                if (!FileMode.MISSING.equals(walk.getFileMode(0))
                        && DOCUMENT.matcher(walk.getPathString()).matches()) {
                    changed.add(walk.getPathString());
                }
            }
        }
        return changed;
    }

    /// Remembers the last few.
    private static final class Last<K, V> extends LinkedHashMap<K, V> {
        @Serial
        private static final long serialVersionUID = 1L;

        private static final int REMEMBERED = 16;

        Last() {
            super(REMEMBERED, 1, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
            return size() > REMEMBERED;
        }
    }

    /// Everything that a commit has changed or removed; the whole tree where it has no parent. The caller
    /// closes it.
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
