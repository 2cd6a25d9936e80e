package io.github.etcdgitops.git.history;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.revwalk.RevCommit;

/// The commits that have changed some files since an earlier one, including changes that were reverted. A
/// merge is one of them where it has a file in a form that neither the earlier commit nor any commit since
/// has made.
public final class Touched {
    private final Commits history;
    private final Predicate<String> files;
    private final int most;
    private final Set<RevCommit> wrote = new LinkedHashSet<>();
    private final Map<String, Set<Optional<Commits.Entry>>> made = new HashMap<>();
    private final List<RevCommit> merges = new ArrayList<>();

    public Touched(Commits history, Predicate<String> files, int most) {
        this.history = history;
        this.files = files;
        this.most = most;
    }

    /// Empty where the history ends too early, or is too long.
    public Optional<Set<RevCommit>> between(ObjectId earlier, ObjectId tip) throws IOException {
        var known = history.find(earlier);
        if (known.isEmpty()) {
            return Optional.empty();
        }
        var before = ancestors(known.get());
        var seen = new HashSet<ObjectId>();
        var next = new ArrayDeque<>(List.of(tip));
        while (!next.isEmpty()) {
            ObjectId at = next.remove();
            if (before.contains(at) || !seen.add(at)) {
                continue;
            }
            var parents = parents(at);
            if (parents.isEmpty() || seen.size() > most) {
                return Optional.empty();
            }
            visit(history.find(at).orElseThrow(), parents.get());
            parents.get().forEach(parent -> next.add(parent.getId()));
        }
        for (RevCommit merge : merges) {
            judge(merge, known.get());
        }
        return Optional.of(wrote);
    }

    /// As far as they are available.
    private Set<ObjectId> ancestors(RevCommit commit) throws IOException {
        var seen = new HashSet<ObjectId>();
        var next = new ArrayDeque<ObjectId>(List.of(commit.getId()));
        while (!next.isEmpty() && seen.size() <= most) {
            var found = history.find(next.remove());
            if (found.isPresent() && seen.add(found.get().getId())) {
                for (RevCommit parent : found.get().getParents()) {
                    next.add(parent.getId());
                }
            }
        }
        return seen;
    }

    /// Empty where one of them, or the commit itself, is not available.
    private Optional<List<RevCommit>> parents(ObjectId id) throws IOException {
        var commit = history.find(id);
        if (commit.isEmpty()) {
            return Optional.empty();
        }
        var parents = new ArrayList<RevCommit>();
        for (RevCommit parent : commit.get().getParents()) {
            var found = history.find(parent.getId());
            if (found.isEmpty()) {
                return Optional.empty();
            }
            parents.add(found.get());
        }
        return Optional.of(parents);
    }

    private void visit(RevCommit commit, List<RevCommit> parents) throws IOException {
        if (parents.size() > 1) {
            merges.add(commit);
            return;
        }
        for (String file : changed(parents.stream().findFirst(), commit)) {
            wrote.add(commit);
            made.computeIfAbsent(file, _ -> new HashSet<>()).add(history.entry(commit, file));
        }
    }

    private void judge(RevCommit merge, RevCommit earlier) throws IOException {
        for (RevCommit parent : merge.getParents()) {
            for (String file : changed(Optional.of(history.find(parent.getId()).orElseThrow()), merge)) {
                var entry = history.entry(merge, file);
                boolean found = entry.equals(history.entry(earlier, file))
                        || made.getOrDefault(file, Set.of()).contains(entry);
                if (!found) {
                    wrote.add(merge);
                }
            }
        }
    }

    private Set<String> changed(Optional<RevCommit> parent, RevCommit commit) throws IOException {
        var changed = new TreeSet<String>();
        try (var walk = history.changes(parent, commit)) {
            while (walk.next()) {
                if (files.test(walk.getPathString())) {
                    changed.add(walk.getPathString());
                }
            }
        }
        return changed;
    }
}
