package io.github.etcdgitops.cli;

import io.github.etcdgitops.plan.ClusterPlan.Situation;
import io.github.etcdgitops.plan.Finding;
import io.github.etcdgitops.plan.FleetPlan;
import io.github.etcdgitops.plan.Verdict;

/// Exit codes of what a plan shows, by `--fail-on`: a refusal that stands must be able to leave a scheduled run green.
final class Refusals {
    private Refusals() {}

    static ExitCode of(FleetPlan plan, Options.FailingOnRings failing) {
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

    private static ExitCode refused(FleetPlan plan, Options.FailOn failOn) {
        if (failOn == Options.FailOn.ERROR) {
            return ExitCode.SUCCESS;
        }
        var code = plan.count(Situation.UNKNOWN) > 0 ? ExitCode.TEMPORARY : ExitCode.SUCCESS;
        if (!plan.violations().isEmpty() || plan.count(Situation.REJECTED) > 0) {
            code = ExitCode.worst(code, ExitCode.INVALID);
        }
        boolean denied = plan.clusters().stream()
                .flatMap(c -> c.operations().stream())
                .anyMatch(o -> o.verdict() instanceof Verdict.Deny);
        boolean warned = plan.clusters().stream()
                .flatMap(c -> c.findings().stream())
                .anyMatch(f -> f.level() == Finding.Level.WARNING);
        return denied || (warned && failOn == Options.FailOn.WARN) ? ExitCode.worst(code, ExitCode.DENIED) : code;
    }
}
