package io.github.etcdgitops.report.format;

import io.github.etcdgitops.digest.Digests;
import io.github.etcdgitops.report.format.Checks.Level;
import io.github.etcdgitops.report.format.Checks.Problem;
import io.github.etcdgitops.validation.Location;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// SARIF 2.1.0, for code scanning: one run, and one rule per code. GitHub accepts 5,000 results per run:
/// these are the worst ones.
public final class Sarif {
    private static final int MOST = 5000;

    private Sarif() {}

    public static String render(Checks checks) {
        var worst = checks.worstFirst().limit(MOST).toList();
        return Json.write(new TreeMap<>(Map.of(
                "$schema", "https://json.schemastore.org/sarif-2.1.0.json",
                "version", "2.1.0",
                "runs",
                        List.of(Map.of(
                                "tool", Map.of("driver", driver(worst)),
                                "columnKind", "unicodeCodePoints",
                                "results", worst.stream().map(Sarif::result).toList())))));
    }

    private static Map<String, Object> driver(List<Problem> problems) {
        return Map.of(
                "name",
                "etcd-gitops",
                "rules",
                problems.stream()
                        .map(Problem::code)
                        .sorted()
                        .distinct()
                        .map(code -> Map.of("id", code, "shortDescription", text(code.replace('-', ' '))))
                        .toList());
    }

    private static Map<String, Object> result(Problem problem) {
        var result = new TreeMap<String, Object>(Map.of(
                "ruleId", problem.code(),
                "level", level(problem.level()),
                "message",
                        text(problem.subject() + ": " + problem.message()
                                + problem.hint().map(hint -> " " + hint).orElse("")),
                "partialFingerprints",
                        Map.of(
                                "etcdGitops/v1",
                                Digests.hex(problem.code() + "\n" + problem.subject() + "\n"
                                        + problem.at().map(Location::pointer).orElse("")))));
        problem.at().ifPresent(at -> result.put("locations", List.of(Map.of("physicalLocation", place(at)))));
        return result;
    }

    private static Map<String, Object> place(Location at) {
        var artifact = Map.<String, Object>of("uri", at.file());
        return at.line() == 0
                ? Map.of("artifactLocation", artifact)
                : Map.of(
                        "artifactLocation",
                        artifact,
                        "region",
                        Map.of("startLine", at.line(), "startColumn", Math.max(1, at.column())));
    }

    private static Map<String, String> text(String text) {
        return Map.of("text", text);
    }

    private static String level(Level level) {
        return switch (level) {
            case ERROR -> "error";
            case WARNING -> "warning";
            case HELD, NOTE -> "note";
        };
    }
}
