package io.github.etcdgitops.gateway.forge;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.etcdgitops.gateway.Forge;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Gitea, and Forgejo, which kept its API. The same paths as GitHub's, and other words in the answers.
final class GiteaForge implements Forge {
    /// Gitea has no limit of its own; what is longer than elsewhere nobody reads in a browser.
    private static final int LONGEST = 65_536;

    private static final int ASKED = 50;

    /// A server may be set to give fewer than are asked for, so that a short page tells nothing.
    private static final int FULL = 1;

    private final ForgeHttp http;
    private final String repository;

    GiteaForge(ForgeHttp http, String repository) {
        this.http = http;
        this.repository = "/repos/" + repository;
    }

    static Map<String, String> headers(String token) {
        return Map.of("Authorization", "token " + token, "Accept", "application/json");
    }

    /// A token may be limited to repositories.
    @Override
    public Optional<Account> self() {
        return http.getUnlessForbidden("/user").map(GiteaForge::account);
    }

    private static Account account(JsonNode user) {
        return new Account(user.path("id").asLong(), user.path("login").asText(), false);
    }

    private static Comment comment(JsonNode comment) {
        return new Comment(
                comment.path("id").asLong(),
                account(comment.path("user")),
                comment.path("body").asText());
    }

    @Override
    public List<Comment> comments(long pullRequest) {
        String path = repository + "/issues/" + pullRequest + "/comments?limit=" + ASKED + "&page=";
        return Pages.all(http.errors(), FULL, page -> http.get(path + page)).stream()
                .map(GiteaForge::comment)
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
        String path = repository + "/commits/" + commit + "/status?limit=" + ASKED + "&page=";
        return Pages.all(http.errors(), FULL, page -> http.get(path + page).path("statuses")).stream()
                .filter(status -> status.path("context").asText().equals(context))
                .findFirst()
                .map(status -> Answers.status(status, "context", "status"));
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
