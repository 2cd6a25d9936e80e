package io.github.etcdgitops.gateway.forge;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.etcdgitops.gateway.Forge;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// GitHub and GitHub Enterprise Server; also Gitea and Forgejo, whose API has the same paths and a few
/// other words. A pull request is an issue there: its comments are those of the issue.
final class GitHubForge implements Forge {
    /// Gitea has no limit of its own; longer comments than on GitHub are useless in a browser.
    private static final int LONGEST = 65_536;

    private final Dialect dialect;
    private final ForgeHttp http;
    private final String name;
    private final String repository;

    /// `pages` is the query for a page, `full` how many entries mean that there may be another page,
    /// `state` the field name of a status.
    enum Dialect {
        GITHUB("?per_page=100&page=", 100, "state"),
        /// A server may be configured to give fewer than requested, so a short page says nothing.
        GITEA("?limit=50&page=", 1, "status");

        private final String pages;
        private final int full;
        private final String state;

        Dialect(String pages, int full, String state) {
            this.pages = pages;
            this.full = full;
            this.state = state;
        }
    }

    GitHubForge(Dialect dialect, ForgeHttp http, String repository) {
        this.dialect = dialect;
        this.http = http;
        this.name = repository;
        this.repository = "/repos/" + repository;
    }

    static Map<String, String> headers(Dialect dialect, String token) {
        return switch (dialect) {
            case GITHUB ->
                Map.of(
                        "Authorization",
                        "Bearer " + token,
                        "Accept",
                        "application/vnd.github+json",
                        "X-GitHub-Api-Version",
                        "2022-11-28");
            case GITEA -> Map.of("Authorization", "token " + token, "Accept", "application/json");
        };
    }

    /// The tokens of jobs and apps may not ask, and neither may tokens limited to repositories.
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
        String path = repository + "/issues/" + pullRequest + "/comments" + dialect.pages;
        return Pages.all(http.errors(), dialect.full, page -> http.get(path + page)).stream()
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

    /// Gitea ignores `head` and lists the newest first, so of very many the oldest do not count. A fork may have a
    /// branch of the same name.
    @Override
    public List<PullRequest> pullRequests(String branch, String base) {
        String owner = name.substring(0, name.indexOf('/'));
        String path = repository + "/pulls"
                + dialect.pages.replace(
                        "?",
                        "?state=all&base=" + Answers.escaped(base) + "&head=" + Answers.escaped(owner + ":" + branch)
                                + "&");
        return Pages.first(dialect.full, page -> http.get(path + page)).stream()
                .filter(pull -> pull.path("base").path("ref").asText().equals(base))
                .filter(pull -> pull.path("head").path("ref").asText().equals(branch))
                .filter(pull -> pull.path("head")
                        .path("repo")
                        .path("full_name")
                        .asText()
                        .equalsIgnoreCase(name))
                .map(GitHubForge::pullRequest)
                .toList();
    }

    private static PullRequest pullRequest(JsonNode pull) {
        boolean merged = !pull.path("merged_at").asText("").isEmpty()
                && !pull.path("merged_at").isNull();
        var fate = pull.path("state").asText().equals("open") ? Fate.OPEN : merged ? Fate.MERGED : Fate.CLOSED;
        return new PullRequest(
                pull.path("number").asLong(),
                Answers.address(pull.path("html_url").asText("")),
                fate);
    }

    @Override
    public PullRequest open(Wish wish) {
        return pullRequest(http.post(
                repository + "/pulls",
                Map.of("head", wish.branch(), "base", wish.base(), "title", wish.title(), "body", wish.body())));
    }

    @Override
    public Optional<CommitStatus> status(String commit, String context) {
        String path = repository + "/commits/" + commit + "/status" + dialect.pages;
        return Pages.all(
                        http.errors(),
                        dialect.full,
                        page -> http.get(path + page).path("statuses"))
                .stream()
                .filter(status -> status.path("context").asText().equals(context))
                .findFirst()
                .map(status -> Answers.status(status, "context", dialect.state));
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
