package io.github.etcdgitops.document.yaml;

import io.github.etcdgitops.validation.Location;
import io.github.etcdgitops.validation.Violation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Collects the errors of one document. An error at a place that YAML itself already refused is left out:
/// one cause, one violation.
public final class Findings {
    private static final int MOST = 100;
    private static final Set<String> QUOTABLE = Set.of(PlainScalar.AMBIGUOUS, PlainScalar.UNQUOTED_VERSION);
    private static final String EXPECTED = "; expected";

    private final YamlDocument document;
    private final List<Violation> violations = new ArrayList<>();
    private final Set<String> refused = new HashSet<>();

    public Findings(YamlDocument document) {
        this.document = document;
        violations.addAll(document.violations());
        document.violations().forEach(v -> refused.add(v.at().pointer()));
    }

    public void addAll(List<Violation> more) {
        for (var violation : more) {
            if (refused.contains(violation.at().pointer())) {
                violations.replaceAll(earlier -> quotesDoNotHelp(earlier, violation));
            } else {
                violations.add(violation);
            }
        }
    }

    /// A scalar that is refused without quotes has been checked as if it were quoted. If it is then also
    /// refused, this replaces the advice "quote it".
    private static Violation quotesDoNotHelp(Violation earlier, Violation found) {
        boolean same = earlier.at().equals(found.at())
                && QUOTABLE.contains(earlier.code())
                && earlier.hint()
                        .filter(hint -> hint.startsWith(PlainScalar.QUOTE))
                        .isPresent();
        if (!same) {
            return earlier;
        }
        String expected = found.message()
                .substring(found.message().lastIndexOf(EXPECTED) + 1)
                .strip();
        return Violation.of(
                earlier.code(),
                earlier.at(),
                earlier.message(),
                "It is also invalid in quotes: " + expected
                        + found.hint().map(h -> " " + h).orElse(""));
    }

    public void at(List<String> path, String code, String message, String hint) {
        addAll(List.of(Violation.of(code, document.at(path), message, hint)));
    }

    public void atKey(List<String> path, String code, String message, String hint) {
        addAll(List.of(Violation.of(code, document.atKey(path), message, hint)));
    }

    /// Whether this place has no error yet: one cause, one violation.
    public boolean noneAt(List<String> path) {
        String pointer = Shown.pointer(path);
        return violations.stream().noneMatch(v -> v.at().pointer().equals(pointer));
    }

    /// Limited: a file full of errors must not hide the report of a whole repository.
    public List<Violation> all() {
        if (violations.size() <= MOST) {
            return List.copyOf(violations);
        }
        var shown = new ArrayList<>(violations.stream().sorted().limit(MOST).toList());
        shown.add(Violation.of(
                "too-many-violations",
                Location.ofFile(document.file()),
                "The document has " + violations.size() + " violations; only the first " + MOST + " are listed.",
                "Fix these first, then check again."));
        return List.copyOf(shown);
    }
}
