package io.github.etcdgitops.trial.forge;

import io.github.etcdgitops.fake.FakeForge;
import io.github.etcdgitops.gateway.Forge;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// One forge that a pull request is shown on: its stand-in, and the jobs that the workflows for it make of a push.
final class ReviewedForge implements AutoCloseable {
    private static final Forge.Account JOBS = new Forge.Account(41_898_282, "github-actions[bot]", true);
    private static final String RUN = "https://forge.example.org/acme/rings/runs/1";

    private final FakeForge fake;
    private final Path bin;

    ReviewedForge(Forge.Kind kind, Path bin) {
        this.fake = new FakeForge(kind);
        this.bin = bin;
        if (kind == Forge.Kind.GITHUB) {
            fake.keepsToItselfWhoAsks(JOBS);
        }
    }

    FakeForge fake() {
        return fake;
    }

    String name() {
        return fake.kind().name().toLowerCase(Locale.ROOT);
    }

    /// A push to a branch of the repository. `base` is the commit that the branch came from.
    record Push(long number, String head, String base, Path checkout, Path temp) {}

    /// Says that there will be a plan, and then makes it, as the workflow does.
    WorkflowJob review(Push push, Path kubeconfig) throws IOException, InterruptedException {
        fake.pushed(push.head());
        var job = new WorkflowJob(push.checkout(), push.temp(), bin).with(variables(push));
        var token = Files.writeString(push.temp().resolve("token"), FakeForge.TOKEN);
        job.also("etcd-gitops review status --context etcd-gitops/production --state pending"
                + " --description 'the plan is being made' --token-file '" + token + "'");
        return switch (fake.kind()) {
            case GITHUB, GITEA ->
                job.knowing(Map.of("secrets.PLANNER_KUBECONFIG", Files.readString(kubeconfig)))
                        .knowing(expressions())
                        .github("github-actions.yaml");
            case GITLAB ->
                job.with(Map.of("PLANNER_KUBECONFIG", kubeconfig.toString(), "REVIEW_TOKEN", token.toString()))
                        .gitlab("gitlab-ci.yaml", "validate")
                        .gitlab("gitlab-ci.yaml", "plan");
        };
    }

    /// Of a fork, with nothing that a job of the repository itself is given.
    WorkflowJob firstHalf(Push push) throws IOException, InterruptedException {
        var job = new WorkflowJob(push.checkout(), push.temp(), bin).knowing(Map.of("github.base_ref", "main"));
        return fake.kind() == Forge.Kind.GITLAB
                ? job.with(Map.of("CI_MERGE_REQUEST_DIFF_BASE_SHA", push.base()))
                        .gitlab("gitlab-ci.yaml", "validate")
                : job.github("github-actions-fork.yaml");
    }

    /// With the artifact in `of-the-fork` below `temp`, and no checkout.
    WorkflowJob secondHalf(Push push) throws IOException, InterruptedException {
        var empty = Files.createDirectories(push.temp().resolve("empty"));
        return new WorkflowJob(empty, push.temp(), bin)
                .with(actions(push, "workflow_run", "refs/heads/main"))
                .knowing(expressions())
                .knowing(Map.of(
                        "github.event.workflow_run.head_repository.owner.login",
                        "mallory",
                        "github.event.workflow_run.head_branch",
                        "fork",
                        "github.event.workflow_run.head_sha",
                        push.head(),
                        "github.event.workflow_run.id",
                        "2"))
                .github("github-actions-fork-comment.yaml");
    }

    private Map<String, String> variables(Push push) throws IOException {
        return fake.kind() == Forge.Kind.GITLAB
                ? Map.of(
                        "GITLAB_CI", "true",
                        "CI_API_V4_URL", fake.api().toString(),
                        "CI_PROJECT_ID", String.valueOf(FakeForge.PROJECT),
                        "CI_MERGE_REQUEST_PROJECT_ID", String.valueOf(FakeForge.PROJECT),
                        "CI_MERGE_REQUEST_IID", String.valueOf(push.number()),
                        "CI_MERGE_REQUEST_DIFF_BASE_SHA", push.base(),
                        "CI_MERGE_REQUEST_SOURCE_BRANCH_SHA", push.head(),
                        "CI_JOB_URL", RUN)
                : actions(push, "pull_request", "refs/pull/" + push.number() + "/merge");
    }

    private Map<String, String> actions(Push push, String event, String ref) throws IOException {
        var file = Files.writeString(
                push.temp().resolve("event.json"), "{\"pull_request\":{\"head\":{\"sha\":\"" + push.head() + "\"}}}");
        var variables = new TreeMap<>(Map.of(
                "GITHUB_ACTIONS",
                "true",
                "GITHUB_API_URL",
                fake.api().toString(),
                "GITHUB_REPOSITORY",
                "acme/rings",
                "GITHUB_REF",
                ref,
                "GITHUB_SHA",
                "f".repeat(40),
                "GITHUB_EVENT_NAME",
                event,
                "GITHUB_EVENT_PATH",
                file.toString()));
        if (fake.kind() == Forge.Kind.GITEA) {
            variables.put("GITEA_ACTIONS", "true");
        }
        return variables;
    }

    private static Map<String, String> expressions() {
        return Map.of(
                "github.base_ref", "main",
                "github.token", FakeForge.TOKEN,
                "github.server_url", "https://forge.example.org",
                "github.repository", "acme/rings",
                "github.run_id", "1");
    }

    /// The states that the commit was in, in the words of GitHub.
    List<String> states(String commit) {
        return fake.statuses(commit).stream()
                .map(status -> String.valueOf(status.getOrDefault("state", status.get("status"))))
                .map(state -> state.equals("failed") ? "failure" : state)
                .toList();
    }

    String line(String commit) {
        return String.valueOf(fake.statuses(commit).getLast().get("description"));
    }

    private long count(String pattern) {
        return fake.writes().stream().filter(write -> write.matches(pattern)).count();
    }

    long created() {
        return count("POST .*/(comments|notes)");
    }

    long updated() {
        return count("(PATCH|PUT) .*");
    }

    long set() {
        return count("POST .*/statuses/.*");
    }

    @Override
    public void close() {
        fake.close();
    }
}
