package io.github.etcdgitops.git;

import static io.github.etcdgitops.git.TestReports.BRANCH;
import static io.github.etcdgitops.git.TestReports.REF;
import static io.github.etcdgitops.git.TestReports.files;
import static io.github.etcdgitops.git.TestReports.message;
import static io.github.etcdgitops.git.TestReports.publish;
import static io.github.etcdgitops.git.TestReports.publisher;
import static io.github.etcdgitops.git.TestReports.retry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.etcdgitops.git.publish.Ownership;
import io.github.etcdgitops.git.publish.PublishResult;
import io.github.etcdgitops.git.publish.PublishResult.Published;
import io.github.etcdgitops.git.publish.ReportPublisher;
import io.github.etcdgitops.git.repository.GitException;
import io.github.etcdgitops.git.repository.GitException.Kind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.eclipse.jgit.revwalk.RevCommit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReportContentionTest extends WithOrigin {
    @BeforeEach
    void commit() {
        commit("refs/heads/main", "a");
    }

    @Test
    void rebasesOnWhatAFasterRunWrote() throws Exception {
        try (var slow = open("slow");
                var fast = open("fast")) {
            publish(slow, files("README.md", "start"));
            var tips = new ArrayList<Optional<String>>();

            PublishResult result = publisher(slow)
                    .publish(
                            BRANCH,
                            view -> {
                                tips.add(view.tip());
                                if (tips.size() <= 2) {
                                    publish(fast, files("README.md", "fast " + tips.size()));
                                }
                                return files(
                                        "README.md", "slow on " + view.tip().orElseThrow());
                            },
                            Ownership.REPORT,
                            message("run-2"));

            assertThat(result)
                    .isInstanceOfSatisfying(
                            Published.class, p -> assertThat(p.tries()).isEqualTo(3));
            assertThat(tips).doesNotHaveDuplicates().hasSize(3);
        }
        assertThat(origin.history(REF)).hasSize(4);
        assertThat(origin.contents(REF).get("README.md"))
                .isEqualTo("100644 slow on " + origin.history(REF).get(1).name());
    }

    @Test
    void losesNeitherWhenTwoBeginTheBranchAtOnce() throws Exception {
        try (var slow = open("slow");
                var fast = open("fast")) {
            var first = new AtomicInteger();

            publisher(slow)
                    .publish(
                            BRANCH,
                            _ -> {
                                if (first.getAndIncrement() == 0) {
                                    publish(fast, files("README.md", "fast"));
                                }
                                return files("README.md", "slow");
                            },
                            Ownership.REPORT,
                            message("run-2"));
        }

        assertThat(origin.history(REF)).hasSize(2);
        assertThat(origin.history(REF).getLast().getParentCount()).isZero();
        assertThat(origin.contents(REF)).containsEntry("README.md", "100644 slow");
    }

    @Test
    void givesUpWhenAlwaysLast() throws Exception {
        try (var slow = open("slow");
                var fast = open("fast")) {
            var turn = new AtomicInteger();

            assertThatExceptionOfType(GitException.class)
                    .isThrownBy(() -> new ReportPublisher(slow, retry(3))
                            .publish(
                                    BRANCH,
                                    _ -> {
                                        publish(fast, files("README.md", "fast " + turn.incrementAndGet()));
                                        return files("README.md", "slow");
                                    },
                                    Ownership.REPORT,
                                    message("run-2")))
                    .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.CONTENDED));
            assertThat(turn).hasValue(3);
        }
        assertThat(origin.history(REF)).hasSize(3);
    }

    @Test
    void losesNothingWhenManyPublishAtOnce() throws Exception {
        int writers = 4;
        int rounds = 3;
        List<GitRepository> repositories = new ArrayList<>();
        for (int i = 0; i < writers; i++) {
            repositories.add(open(i < 2 ? "shared" : "cache-" + i));
        }
        var barrier = new CyclicBarrier(writers);
        List<Published> published = new ArrayList<>();
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<List<Published>>> work = IntStream.range(0, writers)
                    .<Callable<List<Published>>>mapToObj(writer -> () -> {
                        var mine = new ArrayList<Published>();
                        for (int round = 0; round < rounds; round++) {
                            String text = "writer " + writer + " round " + round;
                            barrier.await();
                            mine.add((Published) new ReportPublisher(repositories.get(writer), retry(50))
                                    .publish(
                                            BRANCH,
                                            _ -> files("README.md", text),
                                            Ownership.REPORT,
                                            message(writer + "-" + round)));
                        }
                        return mine;
                    })
                    .toList();
            for (Future<List<Published>> done : executor.invokeAll(work)) {
                published.addAll(done.get());
            }
        }
        repositories.forEach(GitRepository::close);

        List<String> history = origin.history(REF).stream().map(RevCommit::name).toList();
        assertThat(history)
                .hasSize(writers * rounds)
                .containsExactlyInAnyOrderElementsOf(
                        published.stream().map(Published::commit).toList());
        NativeGit.run(origin.path, "fsck", "--strict");
    }

    @Test
    void publishesFromOneRepositoryByManyThreads() throws Exception {
        try (var git = open("cache");
                var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<PublishResult>> work = IntStream.range(0, 4)
                    .<Callable<PublishResult>>mapToObj(i -> () -> publish(git, files("README.md", "thread " + i)))
                    .toList();
            for (Future<PublishResult> done : executor.invokeAll(work)) {
                assertThat(done.get()).isInstanceOf(Published.class);
            }
        }

        assertThat(origin.history(REF)).hasSize(4);
    }

    @Test
    void recoversFromADamagedCacheInTheMiddle() throws Exception {
        try (var git = open("cache")) {
            publish(git, files("README.md", "one"));
            origin.commit(REF, origin.files(Map.of("CODEOWNERS", "theirs", "README.md", "two")));

            publisher(git)
                    .publish(
                            BRANCH,
                            _ -> {
                                wipeObjects();
                                return files("README.md", "three");
                            },
                            Ownership.REPORT,
                            message("run-3"));
        }

        assertThat(origin.contents(REF))
                .containsExactly(Map.entry("CODEOWNERS", "100644 theirs"), Map.entry("README.md", "100644 three"));
        assertThat(origin.history(REF)).hasSize(3);
    }

    private void wipeObjects() {
        try (var files = Files.walk(folder.resolve("cache"))) {
            for (Path file : files.filter(p -> p.toString().contains("/objects/") && Files.isRegularFile(p))
                    .toList()) {
                Files.delete(file);
            }
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
