package io.github.etcdgitops.git;

import static io.github.etcdgitops.git.TestReports.BRANCH;
import static io.github.etcdgitops.git.TestReports.REF;
import static io.github.etcdgitops.git.TestReports.files;
import static io.github.etcdgitops.git.TestReports.publish;
import static io.github.etcdgitops.git.TestReports.publisher;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.etcdgitops.git.publish.PublishResult.Published;
import io.github.etcdgitops.git.publish.PublishResult.Unchanged;
import io.github.etcdgitops.pipeline.ReportBranch;
import io.github.etcdgitops.pipeline.environment.RunException;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Pages beside the report of runs.
class ReportPagesTest extends WithOrigin {
    private static final String RECORD = "{\"environment\":\"prod\",\"kubeSystemUid\":\"%s\"}";

    private String source = "";

    @BeforeEach
    void commits() {
        source = commit("refs/heads/main", "a");
    }

    private static ReportBranch branch(GitRepository git) {
        return new ReportBranch(
                publisher(git),
                InstantSource.fixed(Instant.parse("2026-11-25T10:00:00Z")),
                "this-cluster",
                _ -> {},
                Optional::empty);
    }

    @Test
    void pageAndReportLeaveEachOtherAlone() throws IOException {
        try (var git = open("cache")) {
            assertThat(ReportBranch.name("prod")).isEqualTo(BRANCH);
            publish(git, files("README.md", "one", "latest/environment.json", RECORD.formatted("this-cluster")));

            assertThat(branch(git).page("prod", "upgrade.md", "# ready\n", source))
                    .isInstanceOf(Published.class);
            assertThat(branch(git).page("prod", "upgrade.md", "# ready\n", source))
                    .isInstanceOf(Unchanged.class);
            publish(git, files("README.md", "two", "latest/environment.json", RECORD.formatted("this-cluster")));

            assertThat(origin.contents(REF))
                    .containsExactly(
                            Map.entry("README.md", "100644 two"),
                            Map.entry("latest/environment.json", "100644 " + RECORD.formatted("this-cluster")),
                            Map.entry("upgrade.md", "100644 # ready\n"));
            assertThat(origin.history(REF).get(1).getFullMessage())
                    .isEqualTo("Page: upgrade.md\n\nEtcd-Gitops-Source-Sha: " + source + "\n");
        }
    }

    @Test
    void refusesPageOnBranchOfAnotherCluster() throws IOException {
        try (var git = open("cache")) {
            publish(git, files("latest/environment.json", RECORD.formatted("another-cluster")));

            assertThatExceptionOfType(RunException.class)
                    .isThrownBy(() -> branch(git).page("prod", "upgrade.md", "# ready\n", source))
                    .withMessageContaining("another-cluster");
            assertThat(origin.history(REF)).hasSize(1);
        }
    }
}
