package io.github.etcdgitops.cli.review;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.github.etcdgitops.gateway.Forge;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// What a CI job's environment says about the job. `author` is the account of the token that the forge
/// gives to each job.
public record CiJob(
        Optional<Forge.Kind> forge,
        Optional<String> api,
        Optional<String> repository,
        Optional<Long> pullRequest,
        Optional<String> commit,
        Optional<String> author) {
    private static final CiJob NONE = new CiJob(
            Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    private static final Pattern PULL = Pattern.compile("refs/pull/([1-9][0-9]{0,17})/(?:merge|head)");
    private static final Pattern NUMBER = Pattern.compile("[1-9][0-9]{0,17}");

    /// Gitea also sets GitHub's variables.
    public static CiJob of(Map<String, String> environment) {
        if (is(environment, "GITEA_ACTIONS")) {
            return actions(environment, Forge.Kind.GITEA, "gitea-actions");
        }
        if (is(environment, "GITHUB_ACTIONS")) {
            return actions(environment, Forge.Kind.GITHUB, "github-actions[bot]");
        }
        return is(environment, "GITLAB_CI") ? gitlab(environment) : NONE;
    }

    /// The values of one forge's job mean nothing to another forge.
    public CiJob about(Forge.Kind kind) {
        return forge.filter(kind::equals).isPresent() ? this : NONE;
    }

    private static boolean is(Map<String, String> environment, String name) {
        return environment.getOrDefault(name, "").equals("true");
    }

    private static Optional<String> value(Map<String, String> environment, String name) {
        return Optional.ofNullable(environment.get(name)).filter(value -> !value.isBlank());
    }

    private static CiJob actions(Map<String, String> environment, Forge.Kind kind, String author) {
        return new CiJob(
                Optional.of(kind),
                value(environment, "GITHUB_API_URL"),
                value(environment, "GITHUB_REPOSITORY"),
                value(environment, "GITHUB_REF")
                        .map(PULL::matcher)
                        .filter(m -> m.matches())
                        .map(m -> Long.parseLong(m.group(1))),
                commit(environment),
                Optional.of(author));
    }

    /// For a pull request GITHUB_SHA is the merge commit, which is not the reviewed one; for a
    /// `workflow_run` it is the branch of the workflow.
    private static Optional<String> commit(Map<String, String> environment) {
        String event = environment.getOrDefault("GITHUB_EVENT_NAME", "");
        if (event.startsWith("pull_request")) {
            return Optional.of(event(environment)
                            .path("pull_request")
                            .path("head")
                            .path("sha")
                            .asText(""))
                    .filter(sha -> !sha.isEmpty());
        }
        return event.equals("workflow_run") ? Optional.empty() : value(environment, "GITHUB_SHA");
    }

    private static JsonNode event(Map<String, String> environment) {
        try {
            String path = environment.getOrDefault("GITHUB_EVENT_PATH", "");
            return path.isEmpty()
                    ? MissingNode.getInstance()
                    : new ObjectMapper().readTree(Files.readAllBytes(Path.of(path)));
        } catch (IOException _) {
            return MissingNode.getInstance();
        }
    }

    /// A merge request from a fork runs in the fork, and belongs to the project that it should be merged
    /// into.
    private static CiJob gitlab(Map<String, String> environment) {
        return new CiJob(
                Optional.of(Forge.Kind.GITLAB),
                value(environment, "CI_API_V4_URL"),
                value(environment, "CI_MERGE_REQUEST_PROJECT_ID")
                        .or(() -> value(environment, "CI_PROJECT_ID"))
                        .or(() -> value(environment, "CI_PROJECT_PATH")),
                value(environment, "CI_MERGE_REQUEST_IID")
                        .filter(NUMBER.asMatchPredicate())
                        .map(Long::parseLong),
                value(environment, "CI_MERGE_REQUEST_SOURCE_BRANCH_SHA").or(() -> value(environment, "CI_COMMIT_SHA")),
                Optional.empty());
    }
}
