package io.github.etcdgitops.git;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.revwalk.RevCommit;

/// Goes back from a commit to those that made a passage mean what it means. Lines tell less: whoever writes the same
/// in another way would be taken for its author, and whoever takes lines away for nobody.
///
/// A merge is followed to the side that it took the passage from. It has written itself what no side has, and what one
/// side has that the other has changed since.
final class PassageWalk {
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

    private final Commits history;
    private final Reading reading;
    private final boolean sinceItsBeginning;
    private final boolean plain;
    private final int most;
    private final Set<Seen> seen = new HashSet<>();
    private final Deque<At> next = new ArrayDeque<>();
    private final Set<RevCommit> wrote = new LinkedHashSet<>();
    private Optional<End> unclear = Optional.empty();

    PassageWalk(Commits history, Reading reading, boolean sinceItsBeginning, int most) {
        this(history, reading, sinceItsBeginning, false, most);
    }

    /// A `plain` one takes merges as they are.
    private PassageWalk(Commits history, Reading reading, boolean sinceItsBeginning, boolean plain, int most) {
        this.history = history;
        this.reading = reading;
        this.sinceItsBeginning = sinceItsBeginning;
        this.plain = plain;
        this.most = most;
    }

    End from(ObjectId tip, String file) throws IOException {
        RevCommit commit = history.find(tip).orElseThrow(() -> new IOException("a commit is gone from the cache"));
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
                if (found.isEmpty()) {
                    return new End.CutOff(at.commit().getId());
                }
                parents.add(found.get());
            }
            visit(at, parents);
        }
        return unclear.orElseGet(() -> new End.Found(wrote));
    }

    private void visit(At at, List<RevCommit> parents) throws IOException {
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

    /// Whether a side of a merge has changed what the other side has. Where it has not, the other side did, and the
    /// merge
    /// took that back.
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

    /// The same passage in a parent: in the file of the same name, or in one that the commit has changed or removed.
    private Optional<At> before(At at, RevCommit parent) throws IOException {
        var blob = history.blob(parent, at.file());
        if (blob.isPresent() && blob.equals(history.blob(at.commit(), at.file()))) {
            return Optional.of(new At(parent, at.file(), at.meaning()));
        }
        var same = meaning(parent, at.file()).map(meaning -> new At(parent, at.file(), meaning));
        var found = same.isPresent() ? same : elsewhere(at, parent);
        return found.isPresent() ? found : instead(at, parent);
    }

    private Optional<At> instead(At at, RevCommit parent) throws IOException {
        var now = history.content(history.blob(at.commit(), at.file()));
        var then = history.content(history.blob(parent, at.file()));
        return now.isEmpty() || then.isEmpty()
                ? Optional.empty()
                : reading.instead(now.get(), then.get()).map(meaning -> new At(parent, at.file(), meaning));
    }

    private Optional<At> elsewhere(At at, RevCommit parent) throws IOException {
        try (var walk = history.changes(parent, at.commit(), at.file())) {
            while (walk.next()) {
                String file = walk.getPathString();
                boolean document = FileMode.REGULAR_FILE.equals(walk.getFileMode(0)) && file.matches(".*\\.ya?ml");
                var found = document
                        ? history.content(Optional.of(walk.getObjectId(0))).flatMap(reading::in)
                        : Optional.empty();
                if (found.isPresent()) {
                    return Optional.of(new At(parent, file, found.get()));
                }
            }
        }
        return Optional.empty();
    }

    private Optional<Object> meaning(RevCommit commit, String file) throws IOException {
        return history.content(history.blob(commit, file)).flatMap(reading::in);
    }
}
