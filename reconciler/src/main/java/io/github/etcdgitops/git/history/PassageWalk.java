package io.github.etcdgitops.git.history;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.revwalk.RevCommit;

/// Walks back from a commit to those that gave a passage its meaning. Comparing lines is not enough:
/// whoever only rewrites the same text would count as its author, and whoever removes lines would not count
/// at all.
///
/// At a merge, the walk follows the side that the passage came from. The merge itself is an author of what
/// no side has, and of what one side has and the other has changed since.
public final class PassageWalk {
    /// The commits that wrote it; or why that is unknown, with the commit at which the available history
    /// ends. `more` is set where it ends while the document was absent: someone may have deleted it before.
    public sealed interface End {
        record Found(Set<RevCommit> commits, Optional<ObjectId> more) implements End {}

        record CutOff(ObjectId commit) implements End {}

        record TooLong() implements End {}

        record TooMany() implements End {}

        record NotThere() implements End {}
    }

    /// How many commits are searched for an absent document: someone may have deleted it, for someone else
    /// to bring it back.
    private static final int ABSENCE = 250;

    private static final Object ABSENT = new Object();

    /// The location of the passage in a commit, and its meaning there.
    private record At(RevCommit commit, String file, Object meaning) {
        boolean legible() {
            return !meaning.equals(Reading.ILLEGIBLE);
        }

        boolean absent() {
            return meaning.equals(ABSENT);
        }
    }

    private record Seen(ObjectId commit, String file) {}

    private final Commits history;
    private final Reading reading;
    private final boolean sinceItsBeginning;
    private final boolean plain;
    private final int most;
    private final Set<Seen> seen = new HashSet<>();
    private final Deque<At> next = new ArrayDeque<>();
    private final Set<RevCommit> wrote = new LinkedHashSet<>();
    private Optional<End> unclear = Optional.empty();
    private Optional<ObjectId> more = Optional.empty();
    private int absences;

    public PassageWalk(Commits history, Reading reading, boolean sinceItsBeginning, int most) {
        this(history, reading, sinceItsBeginning, false, most);
    }

    /// A `plain` walk takes merges as they are.
    private PassageWalk(Commits history, Reading reading, boolean sinceItsBeginning, boolean plain, int most) {
        this.history = history;
        this.reading = reading;
        this.sinceItsBeginning = sinceItsBeginning;
        this.plain = plain;
        this.most = most;
    }

    public End from(ObjectId tip, String file) throws IOException {
        RevCommit commit = history.find(tip).orElseThrow(() -> new IOException("a commit is missing in the cache"));
        var start = meaning(commit, file);
        return start.isEmpty() ? new End.NotThere() : from(new At(commit, file, start.get()));
    }

    private End from(At start) throws IOException {
        follow(start);
        while (!next.isEmpty()) {
            if (seen.size() > most) {
                return new End.TooLong();
            }
            At at = next.remove();
            var parents = new ArrayList<RevCommit>();
            for (RevCommit parent : at.commit().getParents()) {
                var found = history.find(parent.getId());
                if (found.isEmpty() && !at.absent()) {
                    return new End.CutOff(at.commit().getId());
                }
                if (found.isEmpty()) {
                    more = Optional.of(at.commit().getId());
                }
                found.ifPresent(parents::add);
            }
            visit(at, parents);
        }
        return unclear.orElseGet(() -> new End.Found(wrote, more));
    }

    private void visit(At at, List<RevCommit> parents) throws IOException {
        if (at.absent()) {
            beforeAbsence(at, parents);
        } else if (at.legible()) {
            legible(at, parents);
        } else {
            illegible(at, parents);
        }
    }

    /// Each commit that changed unreadable content may have written anything. The walk ends at readable
    /// content: its author counts as well, as it may have stayed unchanged.
    private void illegible(At at, List<RevCommit> parents) throws IOException {
        boolean touched = true;
        for (RevCommit parent : parents) {
            var before = before(at, parent);
            if (before.isPresent()
                    && history.entry(at.commit(), at.file())
                            .equals(history.entry(parent, before.get().file()))) {
                touched = false;
            }
            before.ifPresent(this::follow);
        }
        if (touched) {
            wrote.add(at.commit());
        }
    }

    /// Whoever deletes a document shares in its content when someone brings it back.
    private void beforeAbsence(At at, List<RevCommit> parents) throws IOException {
        for (RevCommit parent : parents) {
            var before = meaning(parent, at.file());
            var found = before.isPresent()
                    ? before.map(meaning -> new At(parent, at.file(), meaning))
                    : elsewhere(at, parent).filter(At::legible);
            if (found.isPresent()) {
                wrote.add(at.commit());
                follow(found.get());
            } else if (absences++ < ABSENCE) {
                follow(new At(parent, at.file(), ABSENT));
            }
        }
    }

    private void legible(At at, List<RevCommit> parents) throws IOException {
        var before = new ArrayList<At>();
        for (RevCommit parent : parents) {
            before(at, parent).ifPresent(before::add);
        }
        var same = before.stream()
                .filter(there -> there.meaning().equals(at.meaning()))
                .findFirst();
        if (same.isPresent()) {
            follow(same.get());
            for (At other : before) {
                if (!plain && !other.meaning().equals(at.meaning()) && !isMadeOf(same.get(), other)) {
                    wrote.add(at.commit());
                }
            }
            return;
        }
        if (before.isEmpty() && !sinceItsBeginning && !plain) {
            parents.forEach(parent -> follow(new At(parent, at.file(), ABSENT)));
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
        for (At there : before) {
            if (merged || sinceItsBeginning || !there.legible()) {
                follow(there);
            }
        }
    }

    /// Whether one side of a merge has changed what the other side has. Where it has not, the other side
    /// did, and the merge reverted that.
    private boolean isMadeOf(At side, At other) throws IOException {
        var newer = new PassageWalk(history, reading, true, true, most);
        var older = new PassageWalk(history, reading, false, true, most);
        var ends = List.of(newer.from(side), older.from(other));
        if (newer.seen.stream().anyMatch(older.seen::contains)) {
            return true;
        }
        var cut = ends.stream().filter(end -> !(end instanceof End.Found)).findFirst();
        unclear = unclear.or(() -> cut);
        return cut.isPresent();
    }

    private void follow(At at) {
        if (seen.add(new Seen(at.commit().getId(), at.file()))) {
            next.add(at);
        }
    }

    /// The same passage in a parent: in the file of the same name, or in one that the commit has changed or
    /// removed.
    private Optional<At> before(At at, RevCommit parent) throws IOException {
        var entry = history.entry(parent, at.file());
        if (entry.isPresent() && entry.equals(history.entry(at.commit(), at.file()))) {
            return Optional.of(new At(parent, at.file(), at.meaning()));
        }
        var same = meaning(parent, at.file()).map(meaning -> new At(parent, at.file(), meaning));
        var found = same.isPresent() ? same : elsewhere(at, parent);
        return found.isPresent() ? found : instead(at, parent);
    }

    private Optional<At> instead(At at, RevCommit parent) throws IOException {
        var now = content(at.commit(), at.file());
        var then = content(parent, at.file());
        return now.isEmpty() || then.isEmpty()
                ? Optional.empty()
                : reading.instead(now.get(), then.get()).map(meaning -> new At(parent, at.file(), meaning));
    }

    /// Unreadable content may have been the passage, where nothing else was. Where too many files changed
    /// at once, it is unknown.
    private Optional<At> elsewhere(At at, RevCommit parent) throws IOException {
        var changes = history.changes(parent, at.commit(), at.file());
        if (changes.isEmpty()) {
            unclear = unclear.or(() -> Optional.of(new End.TooMany()));
            return Optional.empty();
        }
        Optional<At> illegible = Optional.empty();
        for (String file : changes.get()) {
            var found = meaning(parent, file).map(meaning -> new At(parent, file, meaning));
            if (found.filter(At::legible).isPresent()) {
                return found;
            }
            illegible = illegible.or(() -> found);
        }
        return illegible;
    }

    private Optional<byte[]> content(RevCommit commit, String file) throws IOException {
        var entry = history.entry(commit, file);
        return entry.isEmpty() ? Optional.empty() : history.content(entry.get());
    }

    private Optional<Object> meaning(RevCommit commit, String file) throws IOException {
        if (history.entry(commit, file).isEmpty()) {
            return Optional.empty();
        }
        var content = content(commit, file);
        return content.isEmpty() ? Optional.of(Reading.ILLEGIBLE) : reading.in(content.get());
    }
}
