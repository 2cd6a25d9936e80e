package io.github.etcdgitops.git;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.git.history.Ancestry;
import io.github.etcdgitops.git.history.Lineage;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.eclipse.jgit.lib.ObjectId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LineageTest extends WithOrigin {
    private static final String MAIN = "refs/heads/main";
    private static final String SIDE = "refs/heads/side";

    private String commits(String ref, int count) {
        String last = "";
        for (int i = 0; i < count; i++) {
            last = commit(ref, ref + i);
        }
        return last;
    }

    private String merge(String first, String second) {
        return origin.commit(
                MAIN,
                origin.files(Map.of("clusters/a.yaml", first + second)),
                commit -> commit.setParentIds(ObjectId.fromString(first), ObjectId.fromString(second)));
    }

    /// A cache that has nothing but the newest commit, as in a new pod.
    private Lineage lineage(String known) {
        return lineage(known, Ancestry.MOST);
    }

    private Lineage lineage(String known, int most) {
        try (var git = open("fresh" + System.nanoTime())) {
            return git.lineage(known, git.resolve("main"), most);
        }
    }

    @Test
    void namesTheCommitsSinceNewestFirst() {
        String known = commits(MAIN, 3);
        String one = commit(MAIN, "one");
        String two = commit(MAIN, "two");

        assertThat(lineage(known)).isEqualTo(new Lineage.Descends(List.of(two, one)));
    }

    @ParameterizedTest
    @ValueSource(ints = {49, 50, 51, 260, 1200})
    void fetchesAsMuchOfTheHistoryAsItTakes(int commits) {
        String known = commit(MAIN, "known");
        commits(MAIN, commits);

        assertThat(lineage(known))
                .isInstanceOfSatisfying(
                        Lineage.Descends.class, d -> assertThat(d.since()).hasSize(commits));
    }

    @Test
    void knowsADescendantByTheCacheOfTheRunBefore() {
        commits(MAIN, 3);
        try (var git = open()) {
            String known = git.resolve("main");
            String next = commit(MAIN, "next");

            assertThat(git.lineage(known, git.resolve("main"))).isEqualTo(new Lineage.Descends(List.of(next)));
        }
    }

    @Test
    void signedMergeCoversMergedCommits() throws IOException {
        String known = commits(MAIN, 3);
        origin.set(SIDE, ObjectId.fromString(known));
        String side = commits(SIDE, 3);
        String merge = merge(known, side);

        assertThat(lineage(known)).isEqualTo(new Lineage.Descends(List.of(merge)));
    }

    /// A merge the wrong way around: the branch's own commits are its second parents.
    @Test
    void commitsOnFirstParentLineAreNewBesideKnownCommit() throws IOException {
        String base = commits(MAIN, 2);
        origin.set(SIDE, ObjectId.fromString(base));
        String known = commits(MAIN, 2);
        String one = commit(SIDE, "one");
        String two = commit(SIDE, "two");
        String merge = merge(two, known);

        assertThat(lineage(known)).isEqualTo(new Lineage.Descends(List.of(merge, two, one)));
    }

    @Test
    void countsUnrelatedFirstParentLineAsNew() {
        String known = commits(MAIN, 2);
        String other = commits(SIDE, 2);
        String merge = merge(other, known);

        assertThat(lineage(known))
                .isInstanceOfSatisfying(
                        Lineage.Descends.class,
                        d -> assertThat(d.since()).startsWith(merge, other).hasSize(3));
    }

    @Test
    void resetBranchCountsAsRewritten() throws IOException {
        String before = commits(MAIN, 60);
        String known = commit(MAIN, "known");
        origin.set(MAIN, ObjectId.fromString(before));

        assertThat(lineage(known)).isEqualTo(new Lineage.Rewritten());
    }

    @Test
    void countsReplacedTipAsRewrittenBranch() throws IOException {
        String before = commits(MAIN, 60);
        String known = commit(MAIN, "known");
        origin.set(MAIN, ObjectId.fromString(before));
        commit(MAIN, "in its place");

        assertThat(lineage(known)).isEqualTo(new Lineage.Rewritten());
    }

    @Test
    void seesARewrittenBranchWithTheOldCommitStillInTheCache() throws IOException {
        String before = commits(MAIN, 3);
        commit(MAIN, "known");
        try (var git = open()) {
            String known = git.resolve("main");
            origin.set(MAIN, ObjectId.fromString(before));
            commit(MAIN, "in its place");

            assertThat(git.lineage(known, git.resolve("main"))).isEqualTo(new Lineage.Rewritten());
        }
    }

    @Test
    void neverAcceptsTooLongHistory() {
        String known = commit(MAIN, "known");
        commits(MAIN, 60);

        assertThat(lineage(known, 55)).isEqualTo(new Lineage.Unknown(55));
        assertThat(lineage("0123456789012345678901234567890123456789", 55)).isEqualTo(new Lineage.Unknown(55));
    }

    /// Long histories in a cache are where fetching to a depth has failed.
    @Test
    void keepsCacheUsableAfterReadingLongHistory() {
        String known = commit(MAIN, "known");
        commits(MAIN, 200);
        try (var git = open()) {
            git.lineage(known, git.resolve("main"));
            String next = commit(MAIN, "next");

            assertThat(git.resolve("main")).isEqualTo(next);
            assertThat(git.lineage(known, next)).isInstanceOf(Lineage.Descends.class);
        }
        assertThat(cache.toFile()).isDirectoryNotContaining("glob:**history.git");
    }

    @Test
    void keepsCacheUsableAfterResolvingCommitId() {
        String old = commit(MAIN, "old");
        commits(MAIN, 200);
        try (var git = open()) {
            git.resolve(old);
            String next = commit(MAIN, "next");

            assertThat(git.resolve("main")).isEqualTo(next);
        }
    }
}
