package io.github.etcdgitops.git;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.etcdgitops.git.publish.CommitMessage;
import io.github.etcdgitops.git.publish.Ownership;
import io.github.etcdgitops.git.publish.PublishResult;
import io.github.etcdgitops.git.publish.ReportFiles;
import io.github.etcdgitops.git.publish.ReportPublisher;
import io.github.etcdgitops.git.remote.Retry;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/// A report to publish, and a publisher that does not wait.
final class TestReports {
    static final String BRANCH = "etcd-gitops/reports/prod";
    static final String REF = "refs/heads/" + BRANCH;

    private TestReports() {}

    static Retry retry(int tries) {
        return new Retry(
                tries,
                Duration.ofSeconds(30),
                Duration.ofMillis(50),
                Duration.ofSeconds(2),
                RandomGenerator.getDefault(),
                () -> 0,
                _ -> {});
    }

    static ReportPublisher publisher(GitRepository repository) {
        return new ReportPublisher(repository, retry(8));
    }

    static CommitMessage message(String run) {
        SequencedMap<String, String> trailers = new LinkedHashMap<>();
        trailers.put("Etcd-Gitops-Source-Sha", "0123456789012345678901234567890123456789");
        trailers.put("Etcd-Gitops-Plan-Hash", "sha256:abc");
        trailers.put("Etcd-Gitops-Run-Id", run);
        trailers.put("Etcd-Gitops-Report", "v1");
        return new CommitMessage(
                "Report on 3 rings",
                "All in sync.",
                trailers,
                new CommitMessage.Author("etcd-gitops", "etcd-gitops@example.org"),
                Instant.parse("2026-01-02T03:04:05Z"));
    }

    static ReportFiles files(String... pathsAndContents) {
        var files = new TreeMap<String, byte[]>();
        for (int i = 0; i < pathsAndContents.length; i += 2) {
            files.put(pathsAndContents[i], pathsAndContents[i + 1].getBytes(UTF_8));
        }
        return ReportFiles.of(files);
    }

    static PublishResult publish(GitRepository git, ReportFiles files) {
        return publisher(git).publish(BRANCH, _ -> files, Ownership.REPORT, message("run-1"));
    }
}
