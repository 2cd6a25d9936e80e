package io.github.etcdgitops.report.table;

import io.github.etcdgitops.inert.Inert;
import io.github.etcdgitops.inert.Lines;
import io.github.etcdgitops.report.format.Style;
import java.util.ArrayList;
import java.util.List;

/// A table for a terminal: each column is as wide as its widest cell, and only style marks the titles.
public record TextTable(List<String> titles, List<List<String>> rows) {
    private static final int GAP = 2;

    public TextTable {
        titles = List.copyOf(titles);
        rows = rows.stream().map(row -> row.stream().map(Inert::line).toList()).toList();
    }

    public Lines text(Style style) {
        int[] widths = widths();
        var out = new Lines().append(style.strong().apply(line(titles, widths))).end();
        rows.forEach(row -> out.append(line(row, widths)).end());
        return out;
    }

    private int[] widths() {
        int[] widths = new int[titles.size()];
        var all = new ArrayList<>(rows);
        all.add(titles);
        for (var row : all) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        return widths;
    }

    private static String line(List<String> row, int[] widths) {
        var line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            line.append(row.get(i)).append(" ".repeat(widths[i] - row.get(i).length() + GAP));
        }
        return line.toString().stripTrailing();
    }
}
