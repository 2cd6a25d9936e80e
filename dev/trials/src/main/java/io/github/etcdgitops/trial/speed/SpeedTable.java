package io.github.etcdgitops.trial.speed;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Measures commands beside others, prints a table, and compares with the last recorded figures.
final class SpeedTable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final int rounds;
    private final Map<String, Double> recorded;
    private final List<Row> rows = new ArrayList<>();

    private record Row(String title, Cost ours, String besideTitle, Cost beside) {
        double ratio() {
            return ours.wall() / beside.wall();
        }
    }

    private SpeedTable(int rounds, Map<String, Double> recorded) {
        this.rounds = rounds;
        this.recorded = recorded;
    }

    /// `record` has the figures of an earlier run, if it exists.
    static SpeedTable comparedWith(Path record, int rounds) throws IOException {
        var ratios = new TreeMap<String, Double>();
        if (Files.exists(record)) {
            JSON.readTree(record.toFile())
                    .path("rows")
                    .forEach(row -> ratios.put(
                            row.path("work").asText(), row.path("ratio").asDouble()));
        }
        return new SpeedTable(rounds, ratios);
    }

    /// Both commands take turns, after a run of each that does not count.
    void measure(TimedCommand ours, TimedCommand beside) throws IOException, InterruptedException {
        var our = new ArrayList<Cost>();
        var their = new ArrayList<Cost>();
        for (int round = 0; round <= rounds; round++) {
            var own = ours.run();
            var other = beside.run();
            if (round > 0) {
                our.add(own);
                their.add(other);
                System.err.printf(
                        Locale.ROOT,
                        "benchmarks: %s, round %d: %.2f s, %s %.2f s%n",
                        ours.title(),
                        round,
                        own.wall(),
                        beside.title(),
                        other.wall());
            }
        }
        rows.add(new Row(ours.title(), Cost.median(our), beside.title(), Cost.median(their)));
    }

    void print() {
        System.out.printf(
                "%n%s, medians of %d%n%n| work | wall | processor | memory | beside it | its wall | ratio | recorded"
                        + " |%n| --- | --- | --- | --- | --- | --- | --- | --- |%n",
                machine(), rounds);
        for (var row : rows) {
            System.out.printf(
                    Locale.ROOT,
                    "| %s | %.2f s | %.2f s | %.0f MiB | %s | %.2f s | %.2f | %s |%n",
                    row.title(),
                    row.ours().wall(),
                    row.ours().processor(),
                    row.ours().memory(),
                    row.besideTitle(),
                    row.beside().wall(),
                    row.ratio(),
                    Optional.ofNullable(recorded.get(row.title()))
                            .map(ratio -> String.format(Locale.ROOT, "%.2f", ratio))
                            .orElse("none"));
        }
    }

    /// Replaces the rows of the same work, and keeps the others.
    void record(Path file) throws IOException {
        var kept = new TreeMap<String, ObjectNode>();
        if (Files.exists(file)) {
            JSON.readTree(file.toFile())
                    .path("rows")
                    .forEach(row -> kept.put(row.path("work").asText(), (ObjectNode) row));
        }
        for (var row : rows) {
            var written = JSON.createObjectNode()
                    .put("work", row.title())
                    .put("ratio", rounded(row.ratio()))
                    .put("beside", row.besideTitle());
            figures(written.putObject("figures"), row.ours());
            figures(written.putObject("besideFigures"), row.beside());
            kept.put(row.title(), written);
        }
        var whole = JSON.createObjectNode().put("machine", machine());
        whole.putArray("rows").addAll(kept.values());
        Files.writeString(file, JSON.writerWithDefaultPrettyPrinter().writeValueAsString(whole) + "\n");
    }

    private static void figures(ObjectNode object, Cost cost) {
        object.put("wallSeconds", rounded(cost.wall()))
                .put("processorSeconds", rounded(cost.processor()))
                .put("memoryMiB", Math.round(cost.memory()));
    }

    private static double rounded(double figure) {
        return Math.round(figure * 100) / 100.0;
    }

    private static String machine() {
        return Runtime.getRuntime().availableProcessors() + " processors, Java " + Runtime.version() + ", "
                + System.getProperty("os.name") + " " + System.getProperty("os.version");
    }
}
