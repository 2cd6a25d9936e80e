package io.github.etcdgitops.git;

import static java.util.Locale.ROOT;

import io.github.etcdgitops.git.history.Ancestry;
import io.github.etcdgitops.git.history.Commits;
import io.github.etcdgitops.git.history.History;
import io.github.etcdgitops.git.history.PassageWalk;
import io.github.etcdgitops.git.history.Reading;
import io.github.etcdgitops.git.history.Touched;
import io.github.etcdgitops.spec.Passage;
import io.github.etcdgitops.spec.Writers;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.revwalk.FooterLine;
import org.eclipse.jgit.revwalk.RevCommit;

/// The authors of passages of the documents. For a commit these are its author and co-authors. Where
/// signatures are required, and it has a good one, the signer replaces the author.
public final class Authors {
    private static final String CO_AUTHOR = "Co-authored-by";

    private final GitRepository repository;

    public Authors(GitRepository repository) {
        this.repository = repository;
    }

    /// At a resolved commit. Fetches as much of the history as needed, up to a limit, and says for which
    /// passages the author is unknown.
    public Map<Passage, Writers> of(String commit, Map<Passage, Reading> passages) {
        return of(commit, passages, Ancestry.MOST);
    }

    public Map<Passage, Writers> of(String commit, Map<Passage, Reading> passages, int most) {
        ObjectId tip = ObjectId.fromString(commit);
        return repository.withHistory(tip, history -> {
            var search = new Search(tip, passages, most);
            var missing = search.look(history);
            for (int i = 0; !missing.isEmpty() && i < Ancestry.DEPTHS.size(); i++) {
                history.deepen(Math.min(Ancestry.DEPTHS.get(i), most));
                var before = missing;
                missing = search.look(history);
                if (missing.equals(before) && i > 0) {
                    // The server itself has no more.
                    break;
                }
            }
            return search.known;
        });
    }

    /// Everyone who has changed some files after an earlier commit and up to this one.
    public Writers since(String earlier, String commit, Predicate<String> files) {
        ObjectId tip = ObjectId.fromString(commit);
        return repository.withHistory(tip, history -> {
            var touched = touched(history, ObjectId.fromString(earlier), tip, files);
            for (int i = 0; touched.isEmpty() && i < Ancestry.DEPTHS.size(); i++) {
                history.deepen(Ancestry.DEPTHS.get(i));
                touched = touched(history, ObjectId.fromString(earlier), tip, files);
            }
            return touched.map(this::writers)
                    .orElseGet(() -> new Writers.Unknown("the history since " + earlier.substring(0, 12)
                            + " is cut off, or goes back further than " + Ancestry.MOST + " commits"));
        });
    }

    private static Optional<Set<RevCommit>> touched(
            History history, ObjectId earlier, ObjectId tip, Predicate<String> files) throws IOException {
        try (var objects = history.store(tip).newObjectReader()) {
            return new Touched(new Commits(objects), files, Ancestry.MOST).between(earlier, tip);
        }
    }

    private final class Search {
        private final ObjectId tip;
        private final Map<Passage, Reading> passages;
        private final int most;
        private final Map<Passage, Writers> known = new HashMap<>();
        private final Set<Passage> settled = new HashSet<>();

        Search(ObjectId tip, Map<Passage, Reading> passages, int most) {
            this.tip = tip;
            this.passages = passages;
            this.most = most;
        }

        /// Where the history was cut off, as far as that matters.
        Set<ObjectId> look(History history) throws IOException {
            var missing = new HashSet<ObjectId>();
            try (var objects = history.store(tip).newObjectReader()) {
                var commits = new Commits(objects);
                for (var asked : passages.entrySet()) {
                    var passage = asked.getKey();
                    if (settled.contains(passage)) {
                        continue;
                    }
                    var walk = new PassageWalk(commits, asked.getValue(), passage.sinceItsBeginning(), most);
                    Writers writers = switch (walk.from(tip, passage.file())) {
                        case PassageWalk.End.Found(Set<RevCommit> wrote, Optional<ObjectId> more) -> {
                            if (more.isEmpty()) {
                                settled.add(passage);
                            }
                            more.ifPresent(missing::add);
                            yield writers(wrote);
                        }
                        case PassageWalk.End.CutOff(ObjectId at) -> {
                            missing.add(at);
                            yield unknown(passage, "is cut off at " + at.name().substring(0, 12));
                        }
                        case PassageWalk.End.TooLong _ ->
                            unknown(passage, "goes back further than " + most + " commits");
                        case PassageWalk.End.TooMany _ ->
                            unknown(passage, "is unknown: too many documents changed together with it");
                        case PassageWalk.End.NotThere _ -> unknown(passage, "does not begin in the repository");
                    };
                    known.put(passage, writers);
                }
            }
            return missing;
        }
    }

    private static Writers unknown(Passage passage, String why) {
        return new Writers.Unknown("the history of " + passage.file() + " " + why);
    }

    private Writers writers(Set<RevCommit> commits) {
        var people = new TreeSet<String>();
        commits.forEach(commit -> people.addAll(people(commit)));
        return new Writers.Known(people);
    }

    private SortedSet<String> people(RevCommit commit) {
        var people = new TreeSet<String>();
        people.add(repository.signer(commit).orElseGet(() -> address(commit)));
        commit.getFooterLines().stream()
                .filter(line -> line.getKey().equalsIgnoreCase(CO_AUTHOR))
                .map(Authors::address)
                .forEach(people::add);
        return people;
    }

    private static String address(RevCommit commit) {
        var author = Optional.ofNullable(commit.getAuthorIdent());
        String address = author.map(a -> a.getEmailAddress()).orElse("");
        return plain(address.isBlank() ? author.map(a -> a.getName()).orElse("") : address);
    }

    private static String address(FooterLine line) {
        return plain(Optional.ofNullable(line.getEmailAddress()).orElse(line.getValue()));
    }

    /// The creator of the commit chose this text.
    private static String plain(String address) {
        String shown = address.strip().toLowerCase(ROOT).replaceAll("[\\p{C}\\s]", "?");
        return shown.isEmpty() ? "an author without a name" : shown.substring(0, Math.min(shown.length(), 100));
    }
}
