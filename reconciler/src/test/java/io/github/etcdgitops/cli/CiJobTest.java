package io.github.etcdgitops.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.cli.review.CiJob;
import io.github.etcdgitops.gateway.Forge;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CiJobTest {
    private static final String MERGE = "f".repeat(40);
    private static final String HEAD = "a".repeat(40);

    @TempDir
    Path folder;

    private Map<String, String> github(String event) throws IOException {
        var file = Files.writeString(
                folder.resolve("event.json"), "{\"pull_request\":{\"head\":{\"sha\":\"" + HEAD + "\"}}}");
        return new HashMap<>(Map.of(
                "GITHUB_ACTIONS",
                "true",
                "GITHUB_API_URL",
                "https://api.github.com",
                "GITHUB_REPOSITORY",
                "acme/rings",
                "GITHUB_REF",
                "refs/pull/12/merge",
                "GITHUB_SHA",
                MERGE,
                "GITHUB_EVENT_NAME",
                event,
                "GITHUB_EVENT_PATH",
                file.toString()));
    }

    @Test
    void readsPullRequestOfGitHub() throws IOException {
        assertThat(CiJob.of(github("pull_request")))
                .isEqualTo(new CiJob(
                        Optional.of(Forge.Kind.GITHUB),
                        Optional.of("https://api.github.com"),
                        Optional.of("acme/rings"),
                        Optional.of(12L),
                        Optional.of(HEAD),
                        Optional.of("github-actions[bot]")));
    }

    @Test
    void neverTakesMergeCommitForPullRequestHead() throws IOException {
        var environment = github("pull_request");
        environment.put("GITHUB_EVENT_PATH", folder.resolve("none").toString());

        assertThat(CiJob.of(environment).commit()).isEmpty();
    }

    @Test
    void workflowRunHasNoPullRequestOrCommit() throws IOException {
        var environment = github("workflow_run");
        environment.put("GITHUB_REF", "refs/heads/main");

        assertThat(CiJob.of(environment).pullRequest()).isEmpty();
        assertThat(CiJob.of(environment).commit()).isEmpty();
    }

    @Test
    void pushRefersToItsCommit() throws IOException {
        assertThat(CiJob.of(github("push")).commit()).contains(MERGE);
    }

    @Test
    void giteaHasTheVariablesOfGitHubAndIsNotGitHub() throws IOException {
        var environment = github("pull_request");
        environment.put("GITEA_ACTIONS", "true");
        environment.put("GITHUB_REF", "refs/pull/12/head");
        environment.put("GITHUB_API_URL", "https://git.example/api/v1");

        var job = CiJob.of(environment);

        assertThat(job.forge()).contains(Forge.Kind.GITEA);
        assertThat(job.pullRequest()).contains(12L);
        assertThat(job.author()).contains("gitea-actions");
    }

    @Test
    void readsMergeRequestFromItsTargetProject() {
        var job = CiJob.of(Map.of(
                "GITLAB_CI",
                "true",
                "CI_API_V4_URL",
                "https://git.example/api/v4",
                "CI_PROJECT_ID",
                "77",
                "CI_MERGE_REQUEST_PROJECT_ID",
                "42",
                "CI_MERGE_REQUEST_IID",
                "12",
                "CI_MERGE_REQUEST_SOURCE_BRANCH_SHA",
                HEAD,
                "CI_COMMIT_SHA",
                MERGE));

        assertThat(job)
                .isEqualTo(new CiJob(
                        Optional.of(Forge.Kind.GITLAB),
                        Optional.of("https://git.example/api/v4"),
                        Optional.of("42"),
                        Optional.of(12L),
                        Optional.of(HEAD),
                        Optional.empty()));
    }

    @Test
    void ignoresJobOfAnotherForge() throws IOException {
        var job = CiJob.of(github("pull_request"));

        assertThat(job.about(Forge.Kind.GITHUB)).isEqualTo(job);
        assertThat(job.about(Forge.Kind.GITLAB).repository()).isEmpty();
        assertThat(job.about(Forge.Kind.GITLAB).api()).isEmpty();
    }
}
