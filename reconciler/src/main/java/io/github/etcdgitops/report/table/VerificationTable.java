package io.github.etcdgitops.report.table;

import io.github.etcdgitops.inert.Lines;
import io.github.etcdgitops.report.MarkdownText;
import io.github.etcdgitops.report.PlanJson;
import io.github.etcdgitops.report.format.Json;
import io.github.etcdgitops.report.format.Rendering;
import io.github.etcdgitops.report.format.Style;
import io.github.etcdgitops.state.backup.BackupKey;
import io.github.etcdgitops.state.backup.Manifest;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The results of backups that were read again, byte by byte.
public record VerificationTable(List<Row> rows) implements Rendering {
    public VerificationTable {
        rows = List.copyOf(rows);
    }

    public sealed interface Row {
        BackupKey key();

        record Sound(BackupKey key, Manifest manifest) implements Row {}

        record Damaged(BackupKey key, String reason) implements Row {}
    }

    @Override
    public Lines human(Style style) {
        var out = new Lines();
        rows.forEach(
                row -> out.append(row.key().id()).append("  ").append(said(row)).end());
        return out;
    }

    private static String said(Row row) {
        return switch (row) {
            case Row.Sound(var unused, Manifest manifest) ->
                "sound  " + manifest.content().size() + " bytes, revision "
                        + manifest.content().revision() + ", sha256 "
                        + manifest.content().sha256();
            case Row.Damaged(var unused, String reason) -> "damaged  " + reason;
        };
    }

    @Override
    public String json() {
        var document = new TreeMap<String, Object>();
        document.put("kind", "Verification");
        document.put("formatVersion", PlanJson.FORMAT);
        document.put("backups", rows.stream().map(VerificationTable::fields).toList());
        return Json.write(document);
    }

    private static Map<String, Object> fields(Row row) {
        var fields = new TreeMap<String, Object>();
        fields.put("ring", row.key().ring().toString());
        fields.put("id", row.key().id());
        switch (row) {
            case Row.Sound(var unused, Manifest manifest) -> {
                fields.put("state", "sound");
                fields.put("sizeBytes", manifest.content().size());
                fields.put("revision", manifest.content().revision());
                fields.put("sha256", manifest.content().sha256());
            }
            case Row.Damaged(var unused, String reason) -> {
                fields.put("state", "damaged");
                fields.put("reason", reason);
            }
        }
        return fields;
    }

    @Override
    public String markdown() {
        var out = new StringBuilder("| BACKUP | RESULT |\n|---|---|\n");
        rows.forEach(row -> out.append("| ")
                .append(MarkdownText.text(row.key().id()))
                .append(" | ")
                .append(MarkdownText.text(said(row)))
                .append(" |\n"));
        return out.toString();
    }
}
