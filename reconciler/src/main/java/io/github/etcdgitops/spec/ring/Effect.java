package io.github.etcdgitops.spec.ring;

import io.github.etcdgitops.spec.value.WireName;
import java.util.Optional;

/// The effect of a broken rule. The order matters: of several, the first one is reported.
public enum Effect implements WireName {
    /// The operation is not done, and the run reports the denial.
    DENY,
    /// The operation waits until the rule is no longer broken.
    HOLD,
    /// The operation waits for an approval.
    REQUIRE_APPROVAL,
    /// A warning that blocks nothing.
    WARN,
    /// A note in the report.
    AUDIT;

    /// Whether it blocks anything.
    public boolean stops() {
        return compareTo(WARN) < 0;
    }

    public static Optional<Effect> of(String word) {
        return WireName.find(values(), word);
    }

    /// The name in documents: `require-approval`.
    @Override
    public String toString() {
        return wire();
    }

    @Override
    public String wire() {
        return switch (this) {
            case DENY -> "deny";
            case HOLD -> "hold";
            case REQUIRE_APPROVAL -> "require-approval";
            case WARN -> "warn";
            case AUDIT -> "audit";
        };
    }
}
