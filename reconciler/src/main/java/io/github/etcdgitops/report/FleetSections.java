package io.github.etcdgitops.report;

import io.github.etcdgitops.ring.Finding;

/// The history below the table of the fleet's page.
final class FleetSections {
    /// How many findings it shows; all of them are in `latest/findings.json`.
    private static final int OLDEST = 20;

    /// How many runs it shows; more are in `latest/history.json`.
    private static final int RUNS = 10;

    /// Git's length of short commits.
    private static final int SHORT = 7;

    private FleetSections() {}

    /// The findings that have existed longest. Notes are left out.
    static void oldest(FindingAges sightings, StringBuilder page) {
        var oldest = sightings.oldestFirst().stream()
                .filter(s -> s.finding().level() != Finding.Level.NOTE)
                .toList();
        if (oldest.isEmpty()) {
            return;
        }
        page.append("\n## Findings, the oldest first\n\n| Since | Ring | What |\n|---|---|---|\n");
        oldest.stream()
                .limit(OLDEST)
                .forEach(s -> page.append("| %s | %s | %s |\n"
                        .formatted(
                                Words.minute(s.since()), MarkdownText.text(s.ring()), MarkdownText.line(s.finding()))));
        if (oldest.size() > OLDEST) {
            page.append("\nand ").append(oldest.size() - OLDEST).append(" more in `latest/findings.json`.\n");
        }
    }

    static void runs(RunHistory history, StringBuilder page) {
        if (history.runs().isEmpty()) {
            return;
        }
        page.append("\n## The last runs\n\n| Ended | Commit | Exit | Outcome |\n|---|---|---|---|\n");
        history.runs().stream()
                .limit(RUNS)
                .forEach(run -> page.append("| %s | `%s` | %s | %s |\n"
                        .formatted(
                                Words.minute(run.ended()),
                                MarkdownText.code(run.commit()
                                        .substring(
                                                0, Math.min(SHORT, run.commit().length()))),
                                MarkdownText.text(run.exit()),
                                MarkdownText.text(run.came()))));
        if (history.runs().size() > RUNS) {
            page.append("\nand ").append(history.runs().size() - RUNS).append(" more in `latest/history.json`.\n");
        }
    }
}
