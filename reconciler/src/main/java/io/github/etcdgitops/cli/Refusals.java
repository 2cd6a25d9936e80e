package io.github.etcdgitops.cli;

import io.github.etcdgitops.pipeline.RunException;
import io.github.etcdgitops.plan.ClusterPlan.Situation;
import io.github.etcdgitops.plan.Finding;
import io.github.etcdgitops.plan.FleetPlan;
import io.github.etcdgitops.plan.Verdict;
import java.util.List;

/// Exit codes of what a plan shows, by `--fail-on`: a refusal that stands must be able to leave a scheduled run green.
final class Refusals {
    private static final List<String> LEVELS = List.of("error", "deny", "warn");

    private Refusals() {}

    static ExitCode of(FleetPlan plan, String failOn) {
        if (!LEVELS.contains(failOn)) {
            throw new RunException(
                    RunException.Kind.CONFIGURATION, "--fail-on takes error, deny or warn, not '" + failOn + "'");
        }
        var code = ExitCode.SUCCESS;
        if (plan.count(Situation.UNKNOWN) > 0) {
            code = ExitCode.worst(code, ExitCode.TEMPORARY);
        }
        if (failOn.equals("error")) {
            return code;
        }
        if (!plan.violations().isEmpty() || plan.count(Situation.REJECTED) > 0) {
            code = ExitCode.worst(code, ExitCode.INVALID);
        }
        boolean denied = plan.clusters().stream()
                .flatMap(c -> c.operations().stream())
                .anyMatch(o -> o.verdict() instanceof Verdict.Deny);
        boolean warned = plan.clusters().stream()
                .flatMap(c -> c.findings().stream())
                .anyMatch(f -> f.level() == Finding.Level.WARNING);
        return denied || (warned && failOn.equals("warn")) ? ExitCode.worst(code, ExitCode.DENIED) : code;
    }
}
