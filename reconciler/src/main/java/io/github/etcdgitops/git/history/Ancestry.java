package io.github.etcdgitops.git.history;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.revwalk.RevCommit;

/// Searches for one commit among the ancestors of another, with as little of the history as possible.
public final class Ancestry {
    /// Far more than there are between two runs.
    public static final int MOST = 10_000;

    /// How many commits are fetched, from one attempt to the next.
    public static final List<Integer> DEPTHS = List.of(50, 250, 1_000, 4_000, MOST);

    private final History history;
    private final ObjectId known;
    private final ObjectId tip;
    private final Map<ObjectId, List<ObjectId>> parents = new HashMap<>();

    public Ancestry(History history, ObjectId known, ObjectId tip) {
        this.history = history;
        this.known = known;
        this.tip = tip;
    }

    public Lineage find(int most) throws IOException {
        Optional<Lineage> found = look(most);
        for (int i = 0; found.isEmpty() && i < DEPTHS.size(); i++) {
            int depth = Math.min(DEPTHS.get(i), most);
            history.deepen(depth);
            found = look(most);
            if (depth == most) {
                break;
            }
        }
        return found.orElseGet(() -> new Lineage.Unknown(most));
    }

    /// Empty where the cache has not enough history to decide.
    private Optional<Lineage> look(int most) throws IOException {
        Seen old = walk(known, Set.of(), most);
        Seen reached = walk(tip, old.commits(), most);
        if (!reached.met().contains(known)) {
            return reached.whole() ? Optional.of(new Lineage.Rewritten()) : Optional.empty();
        }
        return since(old);
    }

    /// The first parents that the known commit does not have.
    private Optional<Lineage> since(Seen old) throws IOException {
        var since = new ArrayList<String>();
        ObjectId at = tip;
        while (!old.commits().contains(at)) {
            Optional<List<ObjectId>> up = parents(at);
            if (up.isEmpty()) {
                return Optional.empty();
            }
            since.add(at.name());
            if (up.get().isEmpty()) {
                // A separate root: all of this line is new, if nothing of the old one is missing.
                return old.whole() ? Optional.of(new Lineage.Descends(since)) : Optional.empty();
            }
            at = up.get().getFirst();
        }
        return Optional.of(new Lineage.Descends(since));
    }

    /// `met` are those of `end` that a walk reached; it stopped there. Not `whole` where commits are
    /// missing, or there are too many.
    private record Seen(Set<ObjectId> commits, Set<ObjectId> met, boolean whole) {}

    private Seen walk(ObjectId start, Set<ObjectId> end, int most) throws IOException {
        var seen = new HashSet<ObjectId>();
        var met = new HashSet<ObjectId>();
        var next = new ArrayDeque<>(List.of(start));
        boolean whole = true;
        while (!next.isEmpty()) {
            ObjectId at = next.remove();
            if (end.contains(at)) {
                met.add(at);
                continue;
            }
            if (seen.contains(at)) {
                continue;
            }
            Optional<List<ObjectId>> up = parents(at);
            if (up.isEmpty() || seen.size() >= most) {
                whole = false;
                if (at.equals(start)) {
                    seen.add(at);
                }
                continue;
            }
            seen.add(at);
            next.addAll(up.get());
        }
        return new Seen(seen, met, whole);
    }

    /// Empty where the commit is not in the cache.
    private Optional<List<ObjectId>> parents(ObjectId id) throws IOException {
        List<ObjectId> known = parents.get(id);
        if (known != null) {
            return Optional.of(known);
        }
        Optional<RevCommit> commit = history.find(id);
        if (commit.isEmpty()) {
            return Optional.empty();
        }
        var ids = new ArrayList<ObjectId>();
        for (RevCommit parent : commit.get().getParents()) {
            ids.add(parent.getId());
        }
        parents.put(id.copy(), List.copyOf(ids));
        return Optional.of(List.copyOf(ids));
    }
}
