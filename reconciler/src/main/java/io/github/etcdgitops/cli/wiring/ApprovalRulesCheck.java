package io.github.etcdgitops.cli.wiring;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.Watermarks;
import io.github.etcdgitops.pipeline.RulesInForce;
import io.github.etcdgitops.pipeline.environment.Branch;
import io.github.etcdgitops.policy.ApprovalRules;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.OfRules.Notice;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The approval rules of a command: those of its commit and, where they were relaxed, also the former ones.
public record ApprovalRulesCheck(Source source, String environment, Instant now) {
    private RulesInForce inForce() {
        return new RulesInForce(source.repository(), source.commit(), environment, now);
    }

    /// For a command that carries something out.
    public DesiredState ofRun(Watermarks marks, RulesInForce.Asked asked) {
        return inForce().ofRun(marks, asked, source.desired(environment, now));
    }

    /// For a read-only command. It may have no right to read what a run has remembered.
    public DesiredState ofPlan(Watermarks marks, Branch branch, DesiredState desired) {
        try {
            return inForce().ofRun(marks, new RulesInForce.Asked(branch, Optional.empty(), false), desired);
        } catch (GatewayException e) {
            return desired.ruledBy(
                    desired.fleet().approvals(),
                    desired.decisions().rules(),
                    List.of(new Notice(
                            false,
                            "the rules about approvals were not compared with those of the last run: "
                                    + e.getMessage())));
        }
    }

    /// For a comparison of a change with its base.
    public DesiredState since(String base, DesiredState desired) {
        return inForce()
                .judge(desired, ApprovalRules.of(source.desired(), environment), base, Optional.empty())
                .desired();
    }
}
