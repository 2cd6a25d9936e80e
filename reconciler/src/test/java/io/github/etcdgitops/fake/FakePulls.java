package io.github.etcdgitops.fake;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.etcdgitops.gateway.Forge;
import io.github.etcdgitops.gateway.Forge.Fate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The pull requests of a stand-in for a forge, in the words of each.
public final class FakePulls {
    private final Forge.Kind kind;
    private final String repository;
    private final List<Pull> pulls = new ArrayList<>();

    FakePulls(Forge.Kind kind, String repository) {
        this.kind = kind;
        this.repository = repository;
    }

    /// `from` is the repository that has the branch.
    public record Pull(long number, String from, String branch, String base, String title, String body, Fate fate) {}

    public synchronized List<Pull> all() {
        return List.copyOf(pulls);
    }

    /// Somebody has opened one, from this repository.
    public synchronized void add(String from, String branch, String base, Fate fate) {
        pulls.add(new Pull(pulls.size() + 1L, from, branch, base, "a title", "", fate));
    }

    /// People answer all that are there.
    public synchronized void answer(Fate fate) {
        pulls.replaceAll(p -> new Pull(p.number(), p.from(), p.branch(), p.base(), p.title(), p.body(), fate));
    }

    /// A second one of the same branches is refused.
    synchronized Optional<Map<String, Object>> open(JsonNode wish) {
        boolean lab = kind == Forge.Kind.GITLAB;
        String branch = wish.path(lab ? "source_branch" : "head").asText();
        String base = wish.path(lab ? "target_branch" : "base").asText();
        if (pulls.stream()
                .anyMatch(p -> p.fate() == Fate.OPEN
                        && p.from().equals(repository)
                        && p.branch().equals(branch)
                        && p.base().equals(base))) {
            return Optional.empty();
        }
        var pull = new Pull(
                pulls.size() + 1L,
                repository,
                branch,
                base,
                wish.path("title").asText(),
                wish.path(lab ? "description" : "body").asText(),
                Fate.OPEN);
        pulls.add(pull);
        return Optional.of(json(pull));
    }

    /// The newest first. Gitea does not know the queries for branches, and gives all.
    synchronized List<Map<String, Object>> list(Map<String, String> query) {
        String owner = repository.substring(0, repository.indexOf('/'));
        return pulls.reversed().stream()
                .filter(p -> switch (kind) {
                    case GITEA -> true;
                    case GITHUB ->
                        query.get("base").equals(p.base()) && query.get("head").equals(owner + ":" + p.branch());
                    case GITLAB ->
                        query.get("source_branch").equals(p.branch())
                                && query.get("target_branch").equals(p.base());
                })
                .filter(p -> "all".equals(query.get("state")) || p.fate() == Fate.OPEN)
                .map(this::json)
                .toList();
    }

    private Map<String, Object> json(Pull pull) {
        var json = new LinkedHashMap<String, Object>();
        json.put("id", 9_000 + pull.number());
        if (kind == Forge.Kind.GITLAB) {
            json.put("iid", pull.number());
            json.put("web_url", "https://forge.example/" + pull.number());
            json.put("source_branch", pull.branch());
            json.put("target_branch", pull.base());
            json.put("source_project_id", pull.from().equals(repository) ? FakeForge.PROJECT : 1);
            json.put("target_project_id", FakeForge.PROJECT);
            json.put(
                    "state",
                    switch (pull.fate()) {
                        case OPEN -> "opened";
                        case MERGED -> "merged";
                        case CLOSED -> "closed";
                    });
            return json;
        }
        json.put("number", pull.number());
        json.put("html_url", "https://forge.example/" + pull.number());
        json.put("head", Map.of("ref", pull.branch(), "repo", Map.of("full_name", pull.from())));
        json.put("base", Map.of("ref", pull.base()));
        json.put("state", pull.fate() == Fate.OPEN ? "open" : "closed");
        json.put("merged_at", pull.fate() == Fate.MERGED ? "2026-11-25T10:00:00Z" : null);
        return json;
    }
}
