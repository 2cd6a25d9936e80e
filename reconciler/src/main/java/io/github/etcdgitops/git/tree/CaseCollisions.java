package io.github.etcdgitops.git.tree;

import io.github.etcdgitops.validation.Location;
import io.github.etcdgitops.validation.Violation;
import java.text.Normalizer;
import java.util.Locale;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// Paths that are equal to a file system that ignores case, or treats composed and decomposed letters as
/// equal. A reviewer there sees only one of them, so all are refused.
final class CaseCollisions {
    private final SortedMap<String, SortedSet<String>> spellings = new TreeMap<>();

    void add(String path) {
        String folded = Normalizer.normalize(path, Normalizer.Form.NFC)
                .toUpperCase(Locale.ROOT)
                .toLowerCase(Locale.ROOT);
        spellings.computeIfAbsent(folded, _ -> new TreeSet<>()).add(path);
    }

    SortedMap<String, Violation> findings() {
        var findings = new TreeMap<String, Violation>();
        spellings.values().stream().filter(s -> s.size() > 1).forEach(alike -> {
            for (String path : alike) {
                var others = new TreeSet<>(alike);
                others.remove(path);
                findings.put(
                        path,
                        Violation.of(
                                "case-collision",
                                Location.ofFile(path),
                                "The path differs from " + String.join(", ", others)
                                        + " only by case or by the form of a letter; none of them is read.",
                                "Rename all but one: many file systems can hold only one of them."));
            }
        });
        return findings;
    }
}
