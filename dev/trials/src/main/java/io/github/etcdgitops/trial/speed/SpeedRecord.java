package io.github.etcdgitops.trial.speed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.SortedMap;
import java.util.TreeMap;

/// What was measured last, by the work: dev/benchmarks.json.
record SpeedRecord(String machine, SortedMap<String, Row> rows) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int LONGEST_NUMBER = 12;

    /// As a reader counts: 100 before 1000, and both of one kind of work side by side.
    private static final Comparator<String> BY_NUMBER =
            Comparator.comparing(SpeedRecord::padded).thenComparing(Comparator.naturalOrder());

    SpeedRecord {
        var sorted = new TreeMap<String, Row>(BY_NUMBER);
        sorted.putAll(rows);
        rows = Collections.unmodifiableSortedMap(sorted);
    }

    /// One work, and what took turns with it.
    record Row(String work, Cost ours, String beside, Cost its) {
        double ratio() {
            return ours.wall() / its.wall();
        }
    }

    /// Empty where there is no such file.
    static SpeedRecord read(Path file) throws IOException {
        if (!Files.exists(file)) {
            return new SpeedRecord("", new TreeMap<>());
        }
        var whole = JSON.readTree(file.toFile());
        var rows = new TreeMap<String, Row>();
        whole.path("rows")
                .forEach(row -> rows.put(
                        row.path("work").asText(),
                        new Row(
                                row.path("work").asText(),
                                cost(row.path("figures")),
                                row.path("beside").asText(),
                                cost(row.path("besideFigures")))));
        return new SpeedRecord(whole.path("machine").asText(), rows);
    }

    /// Replaces the rows of the same work, and keeps the others.
    SpeedRecord with(String measuredOn, Collection<Row> measured) {
        var all = new TreeMap<>(rows);
        measured.forEach(row -> all.put(row.work(), row));
        return new SpeedRecord(measuredOn, all);
    }

    void write(Path file) throws IOException {
        var whole = JSON.createObjectNode().put("machine", machine);
        var written = whole.putArray("rows");
        rows.values().forEach(row -> {
            var one = written.addObject()
                    .put("work", row.work())
                    .put("ratio", rounded(row.ratio()))
                    .put("beside", row.beside());
            figures(one.putObject("figures"), row.ours());
            figures(one.putObject("besideFigures"), row.its());
        });
        Files.writeString(file, JSON.writerWithDefaultPrettyPrinter().writeValueAsString(whole) + "\n");
    }

    private static void figures(ObjectNode object, Cost cost) {
        object.put("wallSeconds", rounded(cost.wall()))
                .put("processorSeconds", rounded(cost.processor()))
                .put("memoryMiB", Math.round(cost.memory()));
    }

    private static Cost cost(JsonNode figures) {
        return new Cost(
                figures.path("wallSeconds").asDouble(),
                figures.path("processorSeconds").asDouble(),
                figures.path("memoryMiB").asDouble());
    }

    private static double rounded(double figure) {
        return Math.round(figure * 1000) / 1000.0;
    }

    private static String padded(String work) {
        var padded = new StringBuilder();
        for (String part : work.split("(?<=\\D)(?=\\d)|(?<=\\d)(?=\\D)")) {
            padded.append(
                    Character.isDigit(part.charAt(0))
                            ? "0".repeat(Math.max(0, LONGEST_NUMBER - part.length())) + part
                            : part);
        }
        return padded.toString();
    }
}
