package io.github.etcdgitops.trial.speed;

import io.github.etcdgitops.trial.speed.SpeedRecord.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// Writes the recorded figures into the page about speed, between marks: tables, and how each work grows.
@Command(
        name = "page",
        mixinStandardHelpOptions = true,
        description = "Writes the figures of dev/benchmarks.json into docs/performance.md, as tables and drawings.")
final class SpeedPage implements Callable<Integer> {
    private static final Pattern BLOCK =
            Pattern.compile("(<!-- figures: (\\w+) -->\\n).*?(<!-- end of figures -->)", Pattern.DOTALL);
    private static final int FEWEST_DRAWN = 100;
    private static final double MILLIS = 1000;

    @Option(names = "--check", description = "Writes nothing, and fails if the page has other figures.")
    private boolean check;

    /// What grows with the number in the name of the work.
    private record Series(String title, Pattern work) {
        private static final List<Series> ALL = List.of(
                new Series("validate, milliseconds for each document", Pattern.compile("validate, (\\d+) documents")),
                new Series(
                        "plan --offline, milliseconds for each ring", Pattern.compile("plan --offline, (\\d+) rings")),
                new Series(
                        "no-change run, milliseconds for each ring of three",
                        Pattern.compile("no-change run, (\\d+) × 3")));
    }

    @Override
    public Integer call() throws IOException {
        var root = Measuring.root();
        Path page = root.resolve("docs/performance.md");
        String there = Files.readString(page);
        String made = made(there, SpeedRecord.read(root.resolve("dev/benchmarks.json")));
        if (check && !made.equals(there)) {
            System.err.println(
                    "docs/performance.md has other figures than dev/benchmarks.json. Run: dev/benchmarks page");
            return CommandLine.ExitCode.SOFTWARE;
        }
        Files.writeString(page, made);
        return CommandLine.ExitCode.OK;
    }

    static String made(String page, SpeedRecord record) {
        return BLOCK.matcher(page)
                .replaceAll(block ->
                        Matcher.quoteReplacement(block.group(1) + block(block.group(2), record) + block.group(3)));
    }

    private static String block(String name, SpeedRecord record) {
        return switch (name) {
            case "machine" -> record.machine() + ".\n";
            case "commands" -> table(record, Pattern.compile("version|validate, .*|plan --offline, \\d+ rings?"));
            case "fleet" -> table(record, Pattern.compile("(no-change run|plan), .*\\d+ × \\d+.*"));
            case "varied" -> table(record, Pattern.compile("plan --offline, \\d+ rings, .*"));
            case "growth" ->
                Series.ALL.stream().map(series -> drawing(record, series)).collect(Collectors.joining("\n"));
            default -> throw new IllegalArgumentException("docs/performance.md asks for unknown figures: " + name);
        };
    }

    private static String table(SpeedRecord record, Pattern work) {
        return "| work | wall | processor | peak memory | beside it | its wall | ratio |\n"
                + "| --- | --- | --- | --- | --- | --- | --- |\n"
                + record.rows().values().stream()
                        .filter(row -> work.matcher(row.work()).matches())
                        .map(SpeedPage::line)
                        .collect(Collectors.joining());
    }

    private static String line(Row row) {
        return String.format(
                Locale.ROOT,
                "| %s | %.2f s | %.2f s | %.0f MiB | %s | %.2f s | %.1f |%n",
                row.work().replaceFirst("^(version|validate|plan --offline|plan)", "`$1`"),
                row.ours().wall(),
                row.ours().processor(),
                row.ours().memory(),
                row.beside(),
                row.its().wall(),
                row.ratio());
    }

    /// A level line is linear growth: each ring costs the same in a larger fleet.
    private static String drawing(SpeedRecord record, Series series) {
        var counts = new StringBuilder();
        var costs = new StringBuilder();
        record.rows().values().forEach(row -> {
            var found = series.work().matcher(row.work());
            if (found.matches() && count(found) >= FEWEST_DRAWN) {
                String comma = counts.isEmpty() ? "" : ", ";
                counts.append(comma).append(String.format(Locale.ROOT, "\"%,d\"", count(found)));
                costs.append(comma)
                        .append(String.format(Locale.ROOT, "%.2f", row.ours().wall() * MILLIS / count(found)));
            }
        });
        return """
            ```mermaid
            xychart-beta
                title "%s"
                x-axis [%s]
                y-axis "ms"
                line [%s]
            ```
            """.formatted(series.title(), counts, costs);
    }

    private static int count(MatchResult found) {
        return Integer.parseInt(found.group(1));
    }
}
