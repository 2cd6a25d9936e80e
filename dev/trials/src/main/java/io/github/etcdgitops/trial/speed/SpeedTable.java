package io.github.etcdgitops.trial.speed;

import io.github.etcdgitops.trial.speed.SpeedRecord.Row;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Measures commands beside others, prints a table, and compares with the last recorded figures.
final class SpeedTable {
    private final int rounds;
    private final SpeedRecord recorded;
    private final List<Row> rows = new ArrayList<>();

    private SpeedTable(int rounds, SpeedRecord recorded) {
        this.rounds = rounds;
        this.recorded = recorded;
    }

    /// `record` has the figures of an earlier run, if it exists.
    static SpeedTable comparedWith(Path record, int rounds) throws IOException {
        return new SpeedTable(rounds, SpeedRecord.read(record));
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
                    row.work(),
                    row.ours().wall(),
                    row.ours().processor(),
                    row.ours().memory(),
                    row.beside(),
                    row.its().wall(),
                    row.ratio(),
                    Optional.ofNullable(recorded.rows().get(row.work()))
                            .map(before -> String.format(Locale.ROOT, "%.2f", before.ratio()))
                            .orElse("none"));
        }
    }

    /// Replaces the rows of the same work, and keeps the others.
    void record(Path file) throws IOException {
        SpeedRecord.read(file).with(machine(), rows).write(file);
    }

    private static String machine() {
        return Runtime.getRuntime().availableProcessors() + " processors, Java " + Runtime.version() + ", "
                + System.getProperty("os.name") + " " + System.getProperty("os.version");
    }
}
