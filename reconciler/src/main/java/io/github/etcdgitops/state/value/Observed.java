package io.github.etcdgitops.state.value;

import java.util.Optional;
import java.util.function.Function;

/// A value that was read, or why it could not be. Unknown is not absent: nothing is created, deleted or
/// disrupted because of it.
public sealed interface Observed<T> {
    record Known<T>(T value) implements Observed<T> {}

    /// `reason` is safe to print: never the text of a server's answer, never a secret.
    record Unknown<T>(String reason) implements Observed<T> {}

    static <T> Observed<T> known(T value) {
        return new Known<>(value);
    }

    static <T> Observed<T> unknown(String reason) {
        return new Unknown<>(reason);
    }

    default Optional<T> optional() {
        return switch (this) {
            case Known<T>(T value) -> Optional.of(value);
            case Unknown<T> _ -> Optional.empty();
        };
    }

    default Optional<String> unknownReason() {
        return switch (this) {
            case Known<T> _ -> Optional.empty();
            case Unknown<T>(String reason) -> Optional.of(reason);
        };
    }

    default <R> Observed<R> map(Function<? super T, ? extends R> f) {
        return switch (this) {
            case Known<T>(T value) -> new Known<>(f.apply(value));
            case Unknown<T>(String reason) -> new Unknown<>(reason);
        };
    }
}
