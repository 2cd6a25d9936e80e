package io.github.etcdgitops.policy;

import io.github.etcdgitops.spec.ring.Rule;
import io.github.etcdgitops.spec.value.Risk;
import java.time.Instant;
import java.util.Optional;

/// Objections of rules to an operation that would start now, and when they will end. Empty where there are
/// none.
final class OperationRules {
    private OperationRules() {}

    static Optional<String> objection(Rule rule, Proposal operation, Instant now) {
        return switch (rule) {
            case Rule.MaintenanceWindow window ->
                concerns(operation, window.minRisk(), window.repairs())
                        ? window(window, operation, now)
                        : Optional.empty();
            case Rule.Freeze freeze ->
                concerns(operation, freeze.minRisk(), freeze.repairs()) ? freeze(freeze, now) : Optional.empty();
            case Rule.DestructiveApproval approval ->
                mustBeApproved(approval, operation)
                        ? Optional.of(
                                approval.approvers() == 1
                                        ? "it needs an approval"
                                        : approval.approvers() + " people must approve it")
                        : Optional.empty();
            case Rule.OddMembers _,
                    Rule.VersionAllowlist _,
                    Rule.Advisories _,
                    Rule.RequireTls _,
                    Rule.AuthRequired _,
                    Rule.RoleBreadth _,
                    Rule.RequireBackup _,
                    Rule.SuspendHygiene _,
                    Rule.SecretInSpec _,
                    Rule.BackupFreshness _,
                    Rule.DriftPolicy _,
                    Rule.OfFleet _,
                    Rule.Validation _ -> Optional.empty();
        };
    }

    static boolean concerns(Proposal operation, Risk minRisk, boolean repairs) {
        return operation.changesRing() && operation.risk().compareTo(minRisk) >= 0 && (repairs || !operation.mends());
    }

    /// Naming a kind in the rule includes operations that the ring's own document permits. An operation
    /// that restores what was taken away needs no approval.
    static boolean mustBeApproved(Rule.DestructiveApproval rule, Proposal operation) {
        boolean named = rule.operations().contains(operation.kind());
        return switch (operation.consent()) {
            case GIVEN -> false;
            case PERMITTED, STANDING -> named;
            case BY_RISK, NEEDED -> named || operation.risk().compareTo(rule.minRisk()) >= 0;
        };
    }

    private static Optional<String> window(Rule.MaintenanceWindow rule, Proposal operation, Instant now) {
        var needed = operation.time().plus(rule.margin());
        var windows = rule.windows();
        if (windows.fits(now, needed)) {
            return Optional.empty();
        }
        String why = windows.openUntil(now)
                .map(end -> "the open window ends on " + end + ", too early for about " + needed.toMinutes()
                        + " minutes, safety margin included")
                .orElse("no window is open");
        return Optional.of(why
                + windows.next(now, needed)
                        .map(next -> "; it can start on " + next)
                        .orElse("; no coming window is long enough. The operation takes about " + needed.toMinutes()
                                + " minutes, safety margin included"));
    }

    private static Optional<String> freeze(Rule.Freeze rule, Instant now) {
        boolean begun = rule.from().map(from -> !now.isBefore(from)).orElse(true);
        return begun && now.isBefore(rule.until())
                ? Optional.of("no changes until " + rule.until() + ": " + rule.reason())
                : Optional.empty();
    }
}
