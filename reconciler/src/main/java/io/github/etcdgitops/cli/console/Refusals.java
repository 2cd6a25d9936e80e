package io.github.etcdgitops.cli.console;

import io.github.etcdgitops.plan.ClusterPlan.Situation;
import io.github.etcdgitops.plan.Verdict;
import io.github.etcdgitops.plan.fleet.FleetPlan;
import io.github.etcdgitops.ring.Finding;
import java.util.stream.Stream;

/// Exit codes for the problems of a plan, by `--fail-on`: a scheduled run must be able to stay green with a
/// permanent refusal.
public final class Refusals {
    private Refusals() {}

    public static ExitCode of(FleetPlan plan, Options.FailingOnRings failing) {
        if (plan.clusters().stream().anyMatch(c -> c.internalError().isPresent())) {
            return ExitCode.FAILED;
        }
        var refused = refused(plan, failing.failing.failOn);
        return failing.failOnDeferred && deferred(plan) ? ExitCode.worst(refused, ExitCode.DEFERRED) : refused;
    }

    private static boolean deferred(FleetPlan plan) {
        return plan.count(Situation.HELD) > 0
                || plan.count(Situation.SUSPENDED) > 0
                || plan.clusters().stream()
                        .anyMatch(c -> !c.waiting().isEmpty()
                                || c.operations().stream().anyMatch(o -> o.verdict() instanceof Verdict.Hold));
    }

    /// For `plan`: each printed `error:` gives a code other than 0, also where the ring is the problem and
    /// no document is invalid.
    public static ExitCode ofPlan(FleetPlan plan, Options.FailingOnRings failing) {
        boolean errors = failing.failing.failOn != Options.FailOn.ERROR
                && findings(plan).anyMatch(f -> f.level() == Finding.Level.ERROR);
        return ExitCode.worst(of(plan, failing), errors ? ExitCode.DEFERRED : ExitCode.SUCCESS);
    }

    private static ExitCode refused(FleetPlan plan, Options.FailOn failOn) {
        if (failOn == Options.FailOn.ERROR) {
            return ExitCode.SUCCESS;
        }
        var code = plan.count(Situation.UNKNOWN) > 0 ? ExitCode.TEMPORARY : ExitCode.SUCCESS;
        if (!plan.violations().isEmpty()
                || plan.count(Situation.REJECTED) > 0
                || findings(plan).anyMatch(f -> f.fault() == Finding.Fault.DOCUMENT)) {
            code = ExitCode.worst(code, ExitCode.INVALID);
        }
        boolean denied = findings(plan).anyMatch(Finding::denies)
                || plan.clusters().stream()
                        .flatMap(c -> c.operations().stream())
                        .anyMatch(o -> o.verdict() instanceof Verdict.Deny);
        boolean warned = findings(plan).anyMatch(f -> f.level() == Finding.Level.WARNING);
        return denied || (warned && failOn == Options.FailOn.WARN) ? ExitCode.worst(code, ExitCode.DENIED) : code;
    }

    /// For a check of documents.
    public static ExitCode of(Finding finding, Options.FailOn failOn) {
        if (finding.fault() == Finding.Fault.DOCUMENT) {
            return ExitCode.INVALID;
        }
        boolean warned = failOn == Options.FailOn.WARN && finding.level() != Finding.Level.NOTE;
        if (failOn == Options.FailOn.ERROR || (finding.level() != Finding.Level.ERROR && !warned)) {
            return ExitCode.SUCCESS;
        }
        return warned || finding.denies() ? ExitCode.DENIED : ExitCode.DEFERRED;
    }

    private static Stream<Finding> findings(FleetPlan plan) {
        return Stream.concat(plan.findings().stream(), plan.clusters().stream().flatMap(c -> c.findings().stream()));
    }
}
