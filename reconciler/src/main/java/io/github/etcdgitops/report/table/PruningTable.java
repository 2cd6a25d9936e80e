package io.github.etcdgitops.report.table;

import io.github.etcdgitops.inert.Lines;
import io.github.etcdgitops.report.MarkdownText;
import io.github.etcdgitops.report.PlanJson;
import io.github.etcdgitops.report.format.Json;
import io.github.etcdgitops.report.format.Rendering;
import io.github.etcdgitops.report.format.Style;
import io.github.etcdgitops.state.backup.BackupKey;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Backups that were deleted, or would be, by their prefixes.
public record PruningTable(boolean dryRun, List<BackupKey> keys) implements Rendering {
    public PruningTable {
        keys = List.copyOf(keys);
    }

    @Override
    public Lines human(Style style) {
        var out = new Lines();
        keys.forEach(key -> out.append(word()).append(key.prefix()).end());
        return out;
    }

    private String word() {
        return dryRun ? "would delete " : "deleted ";
    }

    @Override
    public String json() {
        var document = new TreeMap<String, Object>();
        document.put("kind", "Pruning");
        document.put("formatVersion", PlanJson.FORMAT);
        document.put("dryRun", dryRun);
        document.put(
                "backups",
                keys.stream()
                        .map(key -> new TreeMap<String, Object>(
                                Map.of("ring", key.ring().toString(), "id", key.id(), "prefix", key.prefix())))
                        .toList());
        return Json.write(document);
    }

    @Override
    public String markdown() {
        return keys.stream()
                .map(key -> "- " + MarkdownText.text(word() + key.prefix()) + "\n")
                .collect(Collectors.joining());
    }
}
