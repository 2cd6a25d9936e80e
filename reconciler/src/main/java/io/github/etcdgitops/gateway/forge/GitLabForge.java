package io.github.etcdgitops.gateway.forge;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.etcdgitops.gateway.Forge;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// GitLab. A comment is a note of the merge request there, and a status the latest job of its name.
final class GitLabForge implements Forge {
    private static final int LONGEST = 1_000_000;
    private static final int FULL = 100;

    private final ForgeHttp http;
    private final String project;

    GitLabForge(ForgeHttp http, String repository) {
        this.http = http;
        this.project = "/projects/" + Answers.escaped(repository);
    }

    static Map<String, String> headers(String token) {
        return Map.of("PRIVATE-TOKEN", token, "Accept", "application/json");
    }

    @Override
    public Optional<Account> self() {
        return http.getUnlessForbidden("/user").map(GitLabForge::account);
    }

    private static Account account(JsonNode user) {
        return new Account(
                user.path("id").asLong(),
                user.path("username").asText(),
                user.path("bot").asBoolean());
    }

    private static Comment comment(JsonNode note) {
        return new Comment(
                note.path("id").asLong(),
                account(note.path("author")),
                note.path("body").asText());
    }

    private String notes(long mergeRequest) {
        return project + "/merge_requests/" + mergeRequest + "/notes";
    }

    /// Leaves out GitLab's own notes ("changed the description").
    @Override
    public List<Comment> comments(long pullRequest) {
        String path = notes(pullRequest) + "?sort=asc&order_by=created_at&per_page=" + FULL + "&page=";
        return Pages.all(http.errors(), FULL, page -> http.get(path + page)).stream()
                .filter(note -> !note.path("system").asBoolean())
                .map(GitLabForge::comment)
                .toList();
    }

    @Override
    public Comment create(long pullRequest, String body) {
        return comment(http.post(notes(pullRequest), Map.of("body", body)));
    }

    @Override
    public void update(long pullRequest, Comment comment, String body) {
        http.change("PUT", notes(pullRequest) + "/" + comment.id(), Map.of("body", body));
    }

    @Override
    public List<PullRequest> pullRequests(String branch, String base) {
        String path = project + "/merge_requests?state=all&source_branch=" + Answers.escaped(branch) + "&target_branch="
                + Answers.escaped(base) + "&per_page=" + FULL + "&page=";
        return Pages.all(http.errors(), FULL, page -> http.get(path + page)).stream()
                .filter(merge -> merge.path("source_branch").asText().equals(branch)
                        && merge.path("target_branch").asText().equals(base)
                        && merge.path("source_project_id").asLong()
                                == merge.path("target_project_id").asLong())
                .map(GitLabForge::pullRequest)
                .toList();
    }

    private static PullRequest pullRequest(JsonNode merge) {
        return new PullRequest(
                merge.path("iid").asLong(),
                Answers.address(merge.path("web_url").asText("")),
                Answers.fate(merge.path("state").asText()));
    }

    @Override
    public PullRequest open(Wish wish) {
        return pullRequest(http.post(
                project + "/merge_requests",
                Map.of(
                        "source_branch", wish.branch(),
                        "target_branch", wish.base(),
                        "title", wish.title(),
                        "description", wish.body())));
    }

    /// One is listed for each pipeline of the commit; people see the latest one.
    @Override
    public Optional<CommitStatus> status(String commit, String context) {
        String path = project + "/repository/commits/" + commit + "/statuses?name=" + Answers.escaped(context)
                + "&per_page=" + FULL + "&page=";
        return Pages.all(http.errors(), FULL, page -> http.get(path + page)).stream()
                .filter(status -> status.path("name").asText().equals(context))
                .max(Comparator.comparingLong(status -> status.path("id").asLong()))
                .map(status -> Answers.status(status, "name", "status"));
    }

    @Override
    public void post(String commit, CommitStatus status) {
        http.post(project + "/statuses/" + commit, Answers.status(status, "name", word(status.state())));
    }

    private static String word(State state) {
        return switch (state) {
            case PENDING -> "pending";
            case SUCCESS -> "success";
            case FAILURE, ERROR -> "failed";
        };
    }

    /// GitLab has one word for failure and error, and refuses `pending` on a status that is pending.
    @Override
    public boolean same(CommitStatus present, CommitStatus wanted) {
        return word(present.state()).equals(word(wanted.state()))
                && (wanted.state() == State.PENDING
                        || (present.description().equals(wanted.description())
                                && present.target().equals(wanted.target())));
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
