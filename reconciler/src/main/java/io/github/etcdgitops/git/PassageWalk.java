package io.github.etcdgitops.git;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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

/// Goes back from a commit to those that made a passage mean what it means. Lines tell less: whoever writes the same
/// in another way would be taken for its author, and whoever takes lines away for nobody.
///
/// A merge is followed to the side that it took the passage from. It has written itself what neither side has.
final class PassageWalk {
    private static final long LARGEST = 1L << 20;

    /// The commits that wrote it; or why nobody can tell, and the commit at which what is here of the history ends.
    sealed interface End {
        record Found(Set<RevCommit> commits) implements End {}

        record CutOff(ObjectId commit) implements End {}

        record TooLong() implements End {}

        record NotThere() implements End {}
    }

    /// Where the passage stands in a commit, and what it means there.
    private record At(RevCommit commit, String file, Object meaning) {}

    private record Seen(ObjectId commit, String file) {}

    private final ObjectReader objects;
    private final Reading reading;
    private final boolean sinceItsBeginning;
    private final Map<ObjectId, RevCommit> commits = new HashMap<>();
    private final Set<Seen> seen = new HashSet<>();
    private final Deque<At> next = new ArrayDeque<>();
    private final Set<RevCommit> wrote = new LinkedHashSet<>();

    PassageWalk(ObjectReader objects, Reading reading, boolean sinceItsBeginning) {
        this.objects = objects;
        this.reading = reading;
        this.sinceItsBeginning = sinceItsBeginning;
    }

    End from(ObjectId tip, String file, int most) throws IOException {
        RevCommit commit = commit(tip).orElseThrow(() -> new IOException("a commit is gone from the cache"));
        var start = meaning(commit, file);
        if (start.isEmpty()) {
            return new End.NotThere();
        }
        follow(new At(commit, file, start.get()));
        while (!next.isEmpty()) {
            if (seen.size() > most) {
                return new End.TooLong();
            }
            At at = next.remove();
            var parents = new ArrayList<RevCommit>();
            for (RevCommit parent : at.commit().getParents()) {
                var found = commit(parent.getId());
                if (found.isEmpty()) {
                    return new End.CutOff(at.commit().getId());
                }
                parents.add(found.get());
            }
            visit(at, parents);
        }
        return new End.Found(wrote);
    }

    private void visit(At at, List<RevCommit> parents) throws IOException {
        var before = new ArrayList<At>();
        for (RevCommit parent : parents) {
            var there = before(at, parent);
            if (there.isPresent() && there.get().meaning().equals(at.meaning())) {
                follow(there.get());
                return;
            }
            there.ifPresent(before::add);
        }
        if (before.isEmpty() && reading.isNothing(at.meaning())) {
            return;
        }
        boolean merged = parents.size() > 1 && before.size() == parents.size();
        if (!merged
                || !reading.isMadeOf(
                        at.meaning(), before.stream().map(At::meaning).toList())) {
            wrote.add(at.commit());
        }
        if (merged || sinceItsBeginning) {
            before.forEach(this::follow);
        }
    }

    private void follow(At at) {
        if (seen.add(new Seen(at.commit().getId(), at.file()))) {
            next.add(at);
        }
    }

    /// The same passage in a parent: in the file of the same name, or in one that the commit has changed or removed.
    private Optional<At> before(At at, RevCommit parent) throws IOException {
        var blob = blob(parent, at.file());
        if (blob.isPresent() && blob.equals(blob(at.commit(), at.file()))) {
            return Optional.of(new At(parent, at.file(), at.meaning()));
        }
        var same = meaning(parent, at.file()).map(meaning -> new At(parent, at.file(), meaning));
        var found = same.isPresent() ? same : elsewhere(at, parent);
        return found.isPresent() ? found : instead(at, parent);
    }

    private Optional<At> instead(At at, RevCommit parent) throws IOException {
        var now = content(blob(at.commit(), at.file()));
        var then = content(blob(parent, at.file()));
        return now.isEmpty() || then.isEmpty()
                ? Optional.empty()
                : reading.instead(now.get(), then.get()).map(meaning -> new At(parent, at.file(), meaning));
    }

    private Optional<At> elsewhere(At at, RevCommit parent) throws IOException {
        int slash = at.file().indexOf('/');
        TreeFilter folder =
                slash < 0 ? TreeFilter.ALL : PathFilter.create(at.file().substring(0, slash));
        try (var walk = new TreeWalk(objects)) {
            walk.setRecursive(true);
            walk.addTree(parent.getTree());
            walk.addTree(at.commit().getTree());
            walk.setFilter(AndTreeFilter.create(folder, TreeFilter.ANY_DIFF));
            while (walk.next()) {
                String file = walk.getPathString();
                boolean document = FileMode.REGULAR_FILE.equals(walk.getFileMode(0)) && file.matches(".*\\.ya?ml");
                var found =
                        document ? content(Optional.of(walk.getObjectId(0))).flatMap(reading::in) : Optional.empty();
                if (found.isPresent()) {
                    return Optional.of(new At(parent, file, found.get()));
                }
            }
        }
        return Optional.empty();
    }

    private Optional<Object> meaning(RevCommit commit, String file) throws IOException {
        return content(blob(commit, file)).flatMap(reading::in);
    }

    /// Files that are too large are read by nobody.
    private Optional<byte[]> content(Optional<ObjectId> blob) throws IOException {
        if (blob.isEmpty()) {
            return Optional.empty();
        }
        ObjectLoader content = objects.open(blob.get(), Constants.OBJ_BLOB);
        return content.getSize() > LARGEST ? Optional.empty() : Optional.of(content.getCachedBytes());
    }

    private Optional<ObjectId> blob(RevCommit commit, String file) throws IOException {
        try (TreeWalk walk = TreeWalk.forPath(objects, file, commit.getTree())) {
            return walk == null || !FileMode.REGULAR_FILE.equals(walk.getFileMode(0))
                    ? Optional.empty()
                    : Optional.of(walk.getObjectId(0));
        }
    }

    /// Parsed by itself, as in [History].
    private Optional<RevCommit> commit(ObjectId id) throws IOException {
        RevCommit known = commits.get(id);
        if (known == null && objects.has(id)) {
            known = RevCommit.parse(objects.open(id, Constants.OBJ_COMMIT).getCachedBytes());
            commits.put(id.copy(), known);
        }
        return Optional.ofNullable(known);
    }
}
