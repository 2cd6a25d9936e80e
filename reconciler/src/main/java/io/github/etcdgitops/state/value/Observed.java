package io.github.etcdgitops.state.value;

import java.util.Optional;
import java.util.function.Function;

/// A value that was read, or why it could not be. Unknown is not absent: nothing is created, deleted or
/// disrupted because of it.
public sealed interface Observed<T> {
    record Known<T>(T value) implements Observed<T> {}

    /// `reason` is safe to print: never the text of a server's answer, never a secret.
    record Unknown<T>(String reason, Cause cause) implements Observed<T> {}

    enum Cause {
        /// Our client certificate for the ring does not exist.
        CLIENT_IDENTITY_GONE,
        /// Of all members of the ring, a learner alone answers.
        LEARNER_ALONE,
        /// What our Secrets have of etcd's user `root` is no identity of it.
        ROOT_UNUSABLE,
        /// The Secret with the password of `root` does not exist.
        ROOT_PASSWORD_GONE,
        OTHER
    }

    static <T> Observed<T> known(T value) {
        return new Known<>(value);
    }

    static <T> Observed<T> unknown(String reason) {
        return new Unknown<>(reason, Cause.OTHER);
    }

    static <T> Observed<T> unknown(String reason, Cause cause) {
        return new Unknown<>(reason, cause);
    }

    /// What was read and is there. Empty also where it could not be read: that does not prove absence.
    static <T> Optional<T> found(Observed<Optional<T>> observed) {
        return observed.optional().flatMap(read -> read);
    }

    /// Whether it was read, and is not there.
    static boolean absent(Observed<? extends Optional<?>> observed) {
        return observed.optional().filter(Optional::isEmpty).isPresent();
    }

    default boolean isKnown() {
        return this instanceof Known<T>;
    }

    default boolean isUnknownBecause(Cause cause) {
        return this instanceof Unknown<T> unknown && unknown.cause() == cause;
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
            case Unknown<T> unknown -> Optional.of(unknown.reason());
        };
    }

    default <R> Observed<R> map(Function<? super T, ? extends R> f) {
        return flatMap(value -> known(f.apply(value)));
    }

    default <R> Observed<R> flatMap(Function<? super T, Observed<R>> f) {
        return switch (this) {
            case Known<T>(T value) -> f.apply(value);
            case Unknown<T>(String reason, Cause cause) -> unknown(reason, cause);
        };
    }
}
