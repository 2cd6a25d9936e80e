package io.github.etcdgitops.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.Watermarks;
import io.github.etcdgitops.git.publish.ReportPublisher;
import io.github.etcdgitops.git.remote.GitAccess;
import io.github.etcdgitops.git.repository.GitException;
import io.github.etcdgitops.git.signature.AllowedSigners;
import io.github.etcdgitops.inert.Mark;
import io.github.etcdgitops.pipeline.ReportBranch;
import io.github.etcdgitops.pipeline.RunContext;
import io.github.etcdgitops.pipeline.Watermark;
import io.github.etcdgitops.pipeline.environment.Branch;
import io.github.etcdgitops.pipeline.environment.RunException;
import io.github.etcdgitops.plan.fleet.FleetPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jgit.lib.ObjectId;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// One run after the other, each with a cache of its own, as pods have.
class RewrittenBranchTest extends WithOrigin {
    private static final String MAIN = "refs/heads/main";

    private final Memory memory = new Memory();
    private final List<String> warnings = new ArrayList<>();
    private SigningKey ann;
    private Optional<String> signers = Optional.empty();
    private int runs;

    private static final class Memory implements Watermarks {
        private final Map<Subject, Mark> marks = new HashMap<>();
        private Optional<GatewayException.Kind> failing = Optional.empty();

        @Override
        public Found read(Subject subject) {
            return new Found(Optional.ofNullable(marks.get(subject)), "" + marks.hashCode());
        }

        @Override
        public void write(Subject subject, Mark mark, Found found) {
            failing.ifPresent(kind -> {
                throw new GatewayException(kind, false, "no");
            });
            assertThat(found).isEqualTo(read(subject));
            marks.put(subject, mark);
        }
    }

    @BeforeEach
    void makeKey() throws IOException, GeneralSecurityException {
        ann = SigningKey.of(folder.resolve("ann"));
    }

    private String run() {
        return run(Optional.empty(), false);
    }

    private String run(Optional<String> accepted, boolean dryRun) {
        var own = folder.resolve("cache" + runs++);
        Optional<AllowedSigners> keys = signers.map(text -> {
            try {
                return AllowedSigners.read(Files.writeString(folder.resolve("allowed"), text), Optional.empty(), own);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        try (var git = GitRepository.open(origin.address(), GitAccess.none(), keys, own)) {
            String commit = git.resolve("main");
            new Watermark(git, memory, warnings::add)
                    .accept(
                            "prod",
                            new Watermark.Wanted(new Branch(Optional.of("prod"), "main"), commit, accepted, dryRun));
            return commit;
        }
    }

    private void assertRefused(Optional<String> accepted, String... words) {
        var before = Map.copyOf(memory.marks);
        assertThatExceptionOfType(RunException.class)
                .isThrownBy(() -> run(accepted, false))
                .withMessageContainingAll(words)
                .satisfies(e -> assertThat(e.kind()).isEqualTo(RunException.Kind.UNAUTHORIZED));
        assertThat(memory.marks).isEqualTo(before);
    }

    private String signed(String content) {
        return origin.commit(MAIN, origin.files(Map.of("clusters/a.yaml", content)), ann.signs());
    }

    private void askForSignatures() {
        signers = Optional.of("ann@example.org " + ann.line() + "\n");
    }

    private String remembered() {
        return memory.marks.values().iterator().next().commit();
    }

    /// Two reconcilers by mistake: the one that began earlier is slower.
    @Test
    void refusesToPublishPlanOfOvertakenRun() {
        commit(MAIN, "one");
        try (var git =
                GitRepository.open(origin.address(), GitAccess.none(), Optional.empty(), folder.resolve("slow"))) {
            String old = git.resolve("main");
            var slow = new Watermark(git, memory, warnings::add);
            slow.accept(
                    "prod",
                    new Watermark.Wanted(new Branch(Optional.of("prod"), "main"), old, Optional.empty(), false));
            var report = new ReportBranch(
                    new ReportPublisher(git, TestReports.retry(8)),
                    InstantSource.system(),
                    "uid",
                    warnings::add,
                    slow::overtaken);
            var plan = new FleetPlan("prod", "digest", "test", List.of(), List.of());
            report.plan(plan, new RunContext("prod", old, "first"));
            commit(MAIN, "two");
            run();

            assertThatExceptionOfType(RunException.class)
                    .isThrownBy(() -> report.plan(plan, new RunContext("prod", old, "again")))
                    .withMessageContainingAll(remembered(), old, "two reconcilers")
                    .satisfies(e -> assertThat(e.kind()).isEqualTo(RunException.Kind.TEMPORARY));
        }
    }

    @Test
    void warnsThatReportStaysInClone() throws Exception {
        commit(MAIN, "one");
        Files.writeString(
                folder.resolve("origin.git/config"), "[remote \"origin\"]\n\turl = /b\n", StandardOpenOption.APPEND);
        try (var git =
                GitRepository.open(origin.address(), GitAccess.none(), Optional.empty(), folder.resolve("clone"))) {
            var report = new ReportBranch(
                    new ReportPublisher(git, TestReports.retry(8)),
                    InstantSource.system(),
                    "uid",
                    warnings::add,
                    Optional::empty);
            report.plan(
                    new FleetPlan("prod", "digest", "test", List.of(), List.of()),
                    new RunContext("prod", git.resolve("main"), "first"));

            assertThat(warnings)
                    .singleElement()
                    .satisfies(warning -> assertThat(warning)
                            .contains("etcd-gitops/reports/prod of this clone, not at origin")
                            .contains("`git push origin etcd-gitops/reports/prod`", "--repo"));
        }
    }

    /// It remembers nothing, and what it looked at may be newer than what was accepted.
    @Test
    void dryRunIsOvertakenByLaterAcceptedCommit() {
        commit(MAIN, "one");
        run();
        commit(MAIN, "two");
        try (var git =
                GitRepository.open(origin.address(), GitAccess.none(), Optional.empty(), folder.resolve("dry"))) {
            var dry = new Watermark(git, memory, warnings::add);
            dry.accept(
                    "prod",
                    new Watermark.Wanted(
                            new Branch(Optional.of("prod"), "main"), git.resolve("main"), Optional.empty(), true));
            assertThat(dry.overtaken()).isEmpty();
            run();
            assertThat(dry.overtaken()).isEmpty();
            commit(MAIN, "three");
            run();

            assertThat(dry.overtaken()).isPresent();
        }
    }

    @Test
    void goesOnFromTheCommitThatTheLastRunAccepted() {
        commit(MAIN, "one");
        assertThat(run()).isEqualTo(remembered());
        assertThat(run()).isEqualTo(remembered());

        commit(MAIN, "two");
        assertThat(run()).isEqualTo(remembered());
        assertThat(memory.marks).hasSize(1);
    }

    @Test
    void refusesARewrittenBranchNamesBothCommitsAndSaysWhatToDo() throws IOException {
        String base = commit(MAIN, "base");
        String last = commit(MAIN, "good");
        run();
        origin.set(MAIN, ObjectId.fromString(base));
        String other = commit(MAIN, "evil");

        assertRefused(Optional.empty(), last, "is at " + other, "Nothing was done", "--git-accept-rewritten " + other);
        assertRefused(Optional.of(base), "names another commit, " + base);
        assertThat(warnings).isEmpty();
    }

    @Test
    void refusesABranchThatWasTakenBack() throws IOException {
        String base = commit(MAIN, "base");
        String last = commit(MAIN, "good");
        run();
        origin.set(MAIN, ObjectId.fromString(base));

        assertRefused(Optional.empty(), "does not descend from " + last);
    }

    @Test
    void acceptsARewrittenBranchOnceForTheCommitThatIsNamed() throws IOException {
        String base = commit(MAIN, "base");
        commit(MAIN, "good");
        run();
        origin.set(MAIN, ObjectId.fromString(base));
        String other = commit(MAIN, "meant");
        var accepted = Optional.of(other);

        run(accepted, false);
        assertThat(remembered()).isEqualTo(other);
        assertThat(warnings).hasSize(1).allMatch(w -> w.contains(other));
        run(accepted, false);

        commit(MAIN, "later");
        run(accepted, false);
        origin.set(MAIN, ObjectId.fromString(other));
        assertRefused(accepted, "was already used for this commit");
    }

    @Test
    void dryRunChecksBranchAndRemembersNothing() throws IOException {
        String base = commit(MAIN, "base");
        run(Optional.empty(), true);
        assertThat(memory.marks).isEmpty();

        commit(MAIN, "good");
        run();
        String last = remembered();
        commit(MAIN, "better");
        run(Optional.empty(), true);
        assertThat(remembered()).isEqualTo(last);

        origin.set(MAIN, ObjectId.fromString(base));
        assertThatExceptionOfType(RunException.class).isThrownBy(() -> run(Optional.empty(), true));
    }

    @Test
    void everyCommitSinceTheLastRunMustBeSignedNotOnlyTheNewest() {
        askForSignatures();
        signed("one");
        run();
        String unsigned = commit(MAIN, "slipped in");
        signed("two");

        assertThatExceptionOfType(GitException.class)
                .isThrownBy(this::run)
                .withMessageContainingAll("commit " + unsigned, "is not signed");
        assertThat(remembered()).isNotEqualTo(unsigned);
    }

    @Test
    void signedMergeVouchesForMergedCommits() throws IOException {
        askForSignatures();
        String last = signed("one");
        run();
        origin.set("refs/heads/side", ObjectId.fromString(last));
        String side = commit("refs/heads/side", "unsigned");
        String merge = origin.commit(MAIN, origin.files(Map.of("clusters/a.yaml", "merged")), commit -> {
            commit.setParentIds(ObjectId.fromString(last), ObjectId.fromString(side));
            ann.signs().accept(commit);
        });

        assertThat(run()).isEqualTo(merge).isEqualTo(remembered());
    }

    /// Before anybody asked for signatures there were none.
    @Test
    void firstRunChecksSignatureOfNewestCommitOnly() {
        commit(MAIN, "old");
        String newest = signed("new");
        askForSignatures();

        assertThat(run()).isEqualTo(newest).isEqualTo(remembered());
    }

    @Test
    void withoutANamespaceToRememberInItWarnsOrRefusesWhereSignaturesAreAskedFor() {
        memory.failing = Optional.of(GatewayException.Kind.NOT_FOUND);
        signed("one");
        run();
        assertThat(warnings).hasSize(1).allMatch(w -> w.contains("not stored"));

        askForSignatures();
        assertThatExceptionOfType(RunException.class)
                .isThrownBy(this::run)
                .withMessageContaining("--reconciler-namespace")
                .satisfies(e -> assertThat(e.kind()).isEqualTo(RunException.Kind.CONFIGURATION));
    }

    @Test
    void doesNothingWhereAnotherRunIsAtItOrTheRightIsMissing() {
        commit(MAIN, "one");
        for (var kind : List.of(GatewayException.Kind.CONFLICT, GatewayException.Kind.UNAUTHORIZED)) {
            memory.failing = Optional.of(kind);
            assertThatExceptionOfType(GatewayException.class).isThrownBy(this::run);
        }
        assertThat(warnings).isEmpty();
    }
}
