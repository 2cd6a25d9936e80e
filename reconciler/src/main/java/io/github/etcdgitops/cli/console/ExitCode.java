package io.github.etcdgitops.cli.console;

import io.github.etcdgitops.doctor.fact.Trouble;
import io.github.etcdgitops.execute.progress.ClusterResult;
import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.git.repository.GitException;
import io.github.etcdgitops.pipeline.environment.RunException;
import io.github.etcdgitops.report.ReviewVerdict;
import io.github.etcdgitops.spec.value.WireName;
import java.util.Comparator;
import java.util.List;

/// The exit codes, and the only place that maps problems to codes. Job controllers and scripts read these,
/// so a number never changes its meaning. 3, 134, 137 and 143 belong to the JVM and the kernel and are
/// never used. The order is the precedence over many rings.
public enum ExitCode implements WireName {
    SUCCESS(0),
    /// Only with `--detailed-exitcode`.
    CHANGES(2),
    DEFERRED(13),
    STALE(12),
    INVALID(10),
    DENIED(11),
    TEMPORARY(75),
    UNAUTHORIZED(77),
    BUG(1),
    FAILED(20),
    ABORTED(21),
    USAGE(64),
    CONFIGURATION(78);

    private final int code;

    ExitCode(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }

    /// The name in reports: `success`.
    public String title() {
        return wire();
    }

    public static ExitCode worst(ExitCode a, ExitCode b) {
        return a.compareTo(b) >= 0 ? a : b;
    }

    /// The code that a run would have ended with.
    public static ExitCode of(Trouble trouble) {
        return switch (trouble) {
            case DOCUMENTS -> INVALID;
            case TEMPORARY -> TEMPORARY;
            case RIGHTS -> UNAUTHORIZED;
            case CONFIGURATION -> CONFIGURATION;
        };
    }

    static ExitCode of(RunException.Kind kind) {
        return switch (kind) {
            case CONFIGURATION -> CONFIGURATION;
            case TEMPORARY -> TEMPORARY;
            case UNAUTHORIZED -> UNAUTHORIZED;
            case STALE -> STALE;
        };
    }

    static ExitCode of(GitException.Kind kind) {
        return switch (kind) {
            case UNREACHABLE, CONTENDED -> TEMPORARY;
            case UNAUTHORIZED, UNTRUSTED, UNVERIFIED, PROTECTED, REFUSED -> UNAUTHORIZED;
            case INVALID_ADDRESS, SIGNERS, NO_SUCH_REPOSITORY, NO_SUCH_REF, EMPTY, CACHE, TOO_LARGE -> CONFIGURATION;
            case CORRUPT -> TEMPORARY;
        };
    }

    static ExitCode of(GatewayException.Kind kind) {
        return switch (kind) {
            case UNREACHABLE, TIMEOUT, CONFLICT -> TEMPORARY;
            case UNAUTHORIZED -> UNAUTHORIZED;
            case NOT_FOUND, REJECTED -> CONFIGURATION;
        };
    }

    /// As the plan itself ends, so that no job continues as if all were healthy.
    public static ExitCode of(ReviewVerdict.Result result) {
        return switch (result) {
            case GOOD -> SUCCESS;
            case INVALID -> INVALID;
            case DENIED -> DENIED;
            case UNKNOWN -> TEMPORARY;
        };
    }

    /// For a container of ours.
    public static ExitCode of(io.github.etcdgitops.receive.Outcome outcome) {
        return switch (outcome) {
            case io.github.etcdgitops.receive.Outcome.Done _ -> SUCCESS;
            case io.github.etcdgitops.receive.Outcome.GaveUp _ -> TEMPORARY;
            case io.github.etcdgitops.receive.Outcome.Failed _ -> FAILED;
        };
    }

    public static ExitCode ofResults(List<ClusterResult> results, boolean failOnDeferred) {
        return of(results.stream().map(ClusterResult::outcome).toList(), failOnDeferred);
    }

    public static ExitCode of(List<Outcome> outcomes, boolean failOnDeferred) {
        return outcomes.stream()
                .map(outcome -> of(outcome, failOnDeferred))
                .max(Comparator.naturalOrder())
                .orElse(SUCCESS);
    }

    private static ExitCode of(Outcome outcome, boolean failOnDeferred) {
        return switch (outcome) {
            case NOTHING, DONE -> SUCCESS;
            case HELD -> failOnDeferred ? DEFERRED : SUCCESS;
            case FAILED -> FAILED;
            case FENCED, ABORTED -> ABORTED;
            case BUSY -> TEMPORARY;
            case STALE -> STALE;
        };
    }

    @Override
    public String wire() {
        return switch (this) {
            case SUCCESS -> "success";
            case CHANGES -> "changes";
            case DEFERRED -> "deferred";
            case STALE -> "stale";
            case INVALID -> "invalid";
            case DENIED -> "denied";
            case TEMPORARY -> "temporary";
            case UNAUTHORIZED -> "unauthorized";
            case BUG -> "bug";
            case FAILED -> "failed";
            case ABORTED -> "aborted";
            case USAGE -> "usage";
            case CONFIGURATION -> "configuration";
        };
    }
}
