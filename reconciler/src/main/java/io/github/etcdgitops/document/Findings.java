package io.github.etcdgitops.document;

import io.github.etcdgitops.validation.Location;
import io.github.etcdgitops.validation.Violation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Collects what is wrong with one document. What stands at a place that YAML itself already refused is left out:
/// one cause, one violation.
final class Findings {
    private static final int MOST = 100;

    private final YamlDocument document;
    private final List<Violation> violations = new ArrayList<>();
    private final Set<String> refused = new HashSet<>();

    Findings(YamlDocument document) {
        this.document = document;
        violations.addAll(document.violations());
        document.violations().forEach(v -> refused.add(v.at().pointer()));
    }

    void addAll(List<Violation> more) {
        more.stream().filter(v -> !refused.contains(v.at().pointer())).forEach(violations::add);
    }

    void at(List<String> path, String code, String message, String hint) {
        addAll(List.of(Violation.of(code, document.at(path), message, hint)));
    }

    void atKey(List<String> path, String code, String message, String hint) {
        addAll(List.of(Violation.of(code, document.atKey(path), message, hint)));
    }

    /// Whether nothing was found at this place yet: one cause, one violation.
    boolean noneAt(List<String> path) {
        String pointer = Shown.pointer(path);
        return violations.stream().noneMatch(v -> v.at().pointer().equals(pointer));
    }

    /// Bounded: a file of nonsense must not drown the report of a whole repository.
    List<Violation> all() {
        if (violations.size() <= MOST) {
            return List.copyOf(violations);
        }
        var shown = new ArrayList<>(violations.stream().sorted().limit(MOST).toList());
        shown.add(Violation.of(
                "too-many-violations",
                Location.ofFile(document.file()),
                "The document has " + violations.size() + " violations; only the first " + MOST + " are listed.",
                "Mend those first, and check again."));
        return List.copyOf(shown);
    }
}
