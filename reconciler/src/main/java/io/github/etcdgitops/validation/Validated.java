package io.github.etcdgitops.validation;

import java.util.List;
import java.util.function.Function;

/// A value, or all errors of its source: never only the first violation.
public sealed interface Validated<T> {
    record Valid<T>(T value) implements Validated<T> {}

    record Invalid<T>(List<Violation> violations) implements Validated<T> {
        public Invalid {
            if (violations.isEmpty()) {
                throw new IllegalArgumentException("Invalid without a violation");
            }
            violations = violations.stream().sorted().toList();
        }
    }

    default <R> Validated<R> map(Function<? super T, ? extends R> f) {
        return switch (this) {
            case Valid<T>(T value) -> new Valid<>(f.apply(value));
            case Invalid<T>(List<Violation> violations) -> new Invalid<>(violations);
        };
    }
}
