package io.github.etcdgitops.validation;

import java.util.Comparator;
import java.util.Optional;

/// One error in a user's file: a stable `code` in kebab case, the location, what was expected and found,
/// and a remedy, where there is one.
public record Violation(String code, Location at, String message, Optional<String> hint)
        implements Comparable<Violation> {
    private static final Comparator<Violation> ORDER =
            Comparator.comparing(Violation::at).thenComparing(Violation::code).thenComparing(Violation::message);

    public static Violation of(String code, Location at, String message) {
        return new Violation(code, at, message, Optional.empty());
    }

    public static Violation of(String code, Location at, String message, String hint) {
        return new Violation(code, at, message, Optional.of(hint));
    }

    @Override
    public int compareTo(Violation other) {
        return ORDER.compare(this, other);
    }
}
