package io.github.etcdgitops.gateway.forge;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.etcdgitops.gateway.Forge;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// GitHub and GitHub Enterprise Server. A pull request is an issue there: its comments are those of the issue.
final class GitHubForge implements Forge {
    private static final int LONGEST = 65_536;
    private static final int FULL = 100;

    private final ForgeHttp http;
    private final String repository;

    GitHubForge(ForgeHttp http, String repository) {
        this.http = http;
        this.repository = "/repos/" + repository;
    }

    static Map<String, String> headers(String token) {
        return Map.of(
                "Authorization",
                "Bearer " + token,
                "Accept",
                "application/vnd.github+json",
                "X-GitHub-Api-Version",
                "2022-11-28");
    }

    /// The token of a job, and those of apps, may not ask.
    @Override
    public Optional<Account> self() {
        return http.getUnlessForbidden("/user").map(GitHubForge::account);
    }

    private static Account account(JsonNode user) {
        return new Account(
                user.path("id").asLong(),
                user.path("login").asText(),
                user.path("type").asText().equals("Bot"));
    }

    private static Comment comment(JsonNode comment) {
        return new Comment(
                comment.path("id").asLong(),
                account(comment.path("user")),
                comment.path("body").asText());
    }

    @Override
    public List<Comment> comments(long pullRequest) {
        String path = repository + "/issues/" + pullRequest + "/comments?per_page=" + FULL + "&page=";
        return Pages.all(http.errors(), FULL, page -> http.get(path + page)).stream()
                .map(GitHubForge::comment)
                .toList();
    }

    @Override
    public Comment create(long pullRequest, String body) {
        return comment(http.post(repository + "/issues/" + pullRequest + "/comments", Map.of("body", body)));
    }

    @Override
    public void update(long pullRequest, Comment comment, String body) {
        http.change("PATCH", repository + "/issues/comments/" + comment.id(), Map.of("body", body));
    }

    @Override
    public Optional<CommitStatus> status(String commit, String context) {
        String path = repository + "/commits/" + commit + "/status?per_page=" + FULL + "&page=";
        return Pages.all(http.errors(), FULL, page -> http.get(path + page).path("statuses")).stream()
                .filter(status -> status.path("context").asText().equals(context))
                .findFirst()
                .map(status -> Answers.status(status, "context", "state"));
    }

    @Override
    public void post(String commit, CommitStatus status) {
        http.post(
                repository + "/statuses/" + commit,
                Answers.status(status, "context", status.state().word()));
    }

    @Override
    public boolean same(CommitStatus present, CommitStatus wanted) {
        return present.equals(wanted);
    }

    @Override
    public int longestComment() {
        return LONGEST;
    }

    @Override
    public void close() {
        http.close();
    }
}
