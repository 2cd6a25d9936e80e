package io.github.etcdgitops.doctor.exam;

import io.github.etcdgitops.doctor.fact.Fact;
import io.github.etcdgitops.doctor.fact.Trouble;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.git.repository.GitException;
import io.github.etcdgitops.pipeline.environment.RunException;
import java.util.function.Function;
import java.util.function.Supplier;

/// Turns expected exceptions of the outside into facts. Any other exception is a bug and passes.
public final class Asking {
    private Asking() {}

    public static <T> Fact<T> of(Supplier<T> question) {
        try {
            return Fact.seen(question.get());
        } catch (RunException e) {
            return unseen(trouble(e.kind()), e);
        } catch (GitException e) {
            return unseen(trouble(e.kind()), e);
        } catch (GatewayException e) {
            return unseen(trouble(e.kind()), e);
        }
    }

    /// Asks only where the previous answer is available.
    public static <T, R> Fact<R> then(Fact<T> before, Function<T, R> question) {
        return switch (before) {
            case Fact.Seen<T>(T value) -> of(() -> question.apply(value));
            case Fact.Unseen<T> _, Fact.Unasked<T> _ -> new Fact.Unasked<>();
        };
    }

    private static <T> Fact<T> unseen(Trouble trouble, RuntimeException e) {
        return new Fact.Unseen<>(trouble, String.valueOf(e.getMessage()));
    }

    static Trouble trouble(RunException.Kind kind) {
        return switch (kind) {
            case CONFIGURATION -> Trouble.CONFIGURATION;
            case UNAUTHORIZED -> Trouble.RIGHTS;
            case TEMPORARY, STALE -> Trouble.TEMPORARY;
        };
    }

    static Trouble trouble(GitException.Kind kind) {
        return switch (kind) {
            case UNREACHABLE, CONTENDED, CORRUPT -> Trouble.TEMPORARY;
            case UNAUTHORIZED, UNTRUSTED, UNVERIFIED, PROTECTED, REFUSED -> Trouble.RIGHTS;
            case INVALID_ADDRESS, SIGNERS, NO_SUCH_REPOSITORY, NO_SUCH_REF, EMPTY, CACHE, TOO_LARGE ->
                Trouble.CONFIGURATION;
        };
    }

    static Trouble trouble(GatewayException.Kind kind) {
        return switch (kind) {
            case UNREACHABLE, TIMEOUT, CONFLICT -> Trouble.TEMPORARY;
            case UNAUTHORIZED -> Trouble.RIGHTS;
            case NOT_FOUND, REJECTED -> Trouble.CONFIGURATION;
        };
    }
}
