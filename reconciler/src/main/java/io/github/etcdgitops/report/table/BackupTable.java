package io.github.etcdgitops.report.table;

import io.github.etcdgitops.inert.Lines;
import io.github.etcdgitops.report.MarkdownText;
import io.github.etcdgitops.report.PlanJson;
import io.github.etcdgitops.report.format.Json;
import io.github.etcdgitops.report.format.Rendering;
import io.github.etcdgitops.report.format.Style;
import io.github.etcdgitops.state.backup.Manifest;
import io.github.etcdgitops.state.backup.StoredBackup;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;

/// Backups, by ring, the newest last.
public record BackupTable(List<Row> rows) implements Rendering {
    private static final List<String> TITLES =
            List.of("RING", "BACKUP", "CLUSTER ID", "REVISION", "KEYS", "SIZE", "STORED", "STATE", "DRILL");

    public BackupTable {
        rows = rows.stream()
                .sorted(Comparator.comparing((Row r) -> r.backup().key().ring())
                        .thenComparing(Row::backup, StoredBackup.BY_TIME))
                .toList();
    }

    /// Without a manifest where it is invalid.
    public record Row(StoredBackup backup, Optional<Manifest> manifest) {
        String state() {
            if (backup.damaged() || manifest.isEmpty()) {
                return "damaged";
            }
            return "verified";
        }

        String drill() {
            return backup.drills().stream()
                    .max(Comparator.comparing(StoredBackup.Drill::at))
                    .map(d -> (d.passed() ? "passed " : "failed ") + d.at())
                    .orElse("-");
        }
    }

    @Override
    public Lines human(Style style) {
        return rows.isEmpty() ? Lines.of("no backups") : new TextTable(TITLES, cells()).text(style);
    }

    private List<List<String>> cells() {
        return rows.stream()
                .map(row -> List.of(
                        row.backup().key().ring().toString(),
                        row.backup().id(),
                        row.backup().key().clusterId().toString(),
                        row.manifest()
                                .map(m -> String.valueOf(m.content().revision()))
                                .orElse("?"),
                        row.manifest()
                                .filter(m -> m.content().keys().isPresent())
                                .map(m -> String.valueOf(m.content().keys().getAsLong()))
                                .orElse("?"),
                        row.manifest().map(m -> title(m.content().size())).orElse("?"),
                        row.manifest().map(m -> title(m.stored().size())).orElse("?"),
                        row.state(),
                        row.drill()))
                .toList();
    }

    private static String title(long size) {
        return size < 10 * (1 << 20)
                ? String.format(Locale.ROOT, "%.1f KiB", size / (double) (1 << 10))
                : String.format(Locale.ROOT, "%.1f MiB", size / (double) (1 << 20));
    }

    @Override
    public String json() {
        var document = new TreeMap<String, Object>();
        document.put("kind", "Backups");
        document.put("formatVersion", PlanJson.FORMAT);
        document.put("backups", rows.stream().map(BackupTable::row).toList());
        return Json.write(document);
    }

    private static TreeMap<String, Object> row(Row row) {
        var map = new TreeMap<String, Object>();
        map.put("ring", row.backup().key().ring().toString());
        map.put("id", row.backup().id());
        map.put("clusterId", row.backup().key().clusterId().toString());
        map.put("taken", row.backup().taken().toString());
        map.put("state", row.state());
        map.put(
                "drills",
                row.backup().drills().stream()
                        .map(d -> new TreeMap<String, Object>(
                                java.util.Map.of("at", d.at().toString(), "passed", d.passed())))
                        .toList());
        row.manifest().ifPresent(m -> {
            map.put("revision", m.content().revision());
            m.content().keys().ifPresent(keys -> map.put("keys", keys));
            map.put("sizeBytes", m.content().size());
            map.put("storedBytes", m.stored().size());
            map.put("sha256", m.content().sha256());
            map.put("etcdVersion", m.source().version().toString());
            map.put("member", m.source().member());
            map.put("key", m.stored().key());
        });
        return map;
    }

    @Override
    public String markdown() {
        var out = new StringBuilder("| " + String.join(" | ", TITLES) + " |\n|" + "---|".repeat(TITLES.size()) + "\n");
        cells().forEach(row -> out.append("| ")
                .append(String.join(" | ", row.stream().map(MarkdownText::text).toList()))
                .append(" |\n"));
        return out.toString();
    }
}
