package io.github.etcdgitops.git.publish;

import io.github.etcdgitops.git.GitRepository;
import io.github.etcdgitops.git.cache.Refs;
import io.github.etcdgitops.git.history.Ancestry;
import io.github.etcdgitops.git.history.History;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.FooterLine;
import org.eclipse.jgit.revwalk.RevCommit;

/// The history of one file on a branch of reports, commit by commit.
public final class ReportHistory {
    private final GitRepository repository;

    public ReportHistory(GitRepository repository) {
        this.repository = repository;
    }

    /// A text file at a commit; `trailer` is the value of the requested trailer.
    public record Entry(Instant at, Optional<String> trailer, String text) {}

    /// The newest first, at most `most`, without repeating equal contents in a row. Empty where there is no
    /// such branch or file. Fetches as much of the branch as needed. Throws [GitException].
    public List<Entry> read(String branch, String path, String trailer, int most) {
        Optional<RevCommit> tip = repository.branch(Refs.branch(branch));
        return tip.map(commit -> repository.withHistory(commit.getId(), history -> {
                    var look = look(history, commit.getId(), path, trailer, most);
                    for (int i = 0; look.cutOff() && i < Ancestry.DEPTHS.size(); i++) {
                        history.deepen(Ancestry.DEPTHS.get(i));
                        look = look(history, commit.getId(), path, trailer, most);
                    }
                    return look.entries();
                }))
                .orElse(List.of());
    }

    /// `cutOff` where there may be more.
    private record Look(List<Entry> entries, boolean cutOff) {}

    private static Look look(History history, ObjectId tip, String path, String trailer, int most) throws IOException {
        var entries = new ArrayList<Entry>();
        Repository store = history.store(tip);
        Optional<RevCommit> next = history.find(tip);
        while (next.isPresent() && entries.size() < most) {
            var commit = next.get();
            BranchTree.file(store, commit, path).ifPresent(file -> {
                String text = new String(file, StandardCharsets.UTF_8);
                // Of commits with the same content, the earliest counts.
                if (!entries.isEmpty() && entries.getLast().text().equals(text)) {
                    entries.removeLast();
                }
                entries.add(new Entry(Instant.ofEpochSecond(commit.getCommitTime()), trailer(commit, trailer), text));
            });
            if (commit.getParentCount() == 0) {
                return new Look(entries, false);
            }
            next = history.find(commit.getParent(0).getId());
        }
        return new Look(entries, next.isEmpty());
    }

    private static Optional<String> trailer(RevCommit commit, String key) {
        return commit.getFooterLines().stream()
                .filter(line -> line.getKey().equals(key))
                .map(FooterLine::getValue)
                .findFirst();
    }
}
