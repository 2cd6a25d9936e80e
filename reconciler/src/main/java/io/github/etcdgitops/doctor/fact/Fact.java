package io.github.etcdgitops.doctor.fact;

import java.util.Optional;
import java.util.function.Function;

/// The result of one question.
public sealed interface Fact<T> {
    record Seen<T>(T value) implements Fact<T> {}

    /// `reason` is safe to print.
    record Unseen<T>(Trouble trouble, String reason) implements Fact<T> {}

    /// A prerequisite was not available, or the question was not wanted.
    record Unasked<T>() implements Fact<T> {}

    static <T> Fact<T> seen(T value) {
        return new Seen<>(value);
    }

    default <R> Fact<R> map(Function<? super T, ? extends R> f) {
        return switch (this) {
            case Seen<T>(T value) -> new Seen<>(f.apply(value));
            case Unseen<T>(Trouble trouble, String reason) -> new Unseen<>(trouble, reason);
            case Unasked<T> _ -> new Unasked<>();
        };
    }

    default Optional<T> optional() {
        return switch (this) {
            case Seen<T>(T value) -> Optional.of(value);
            case Unseen<T> _, Unasked<T> _ -> Optional.empty();
        };
    }
}
