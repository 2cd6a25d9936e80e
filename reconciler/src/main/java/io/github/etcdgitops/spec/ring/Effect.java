package io.github.etcdgitops.spec.ring;

import io.github.etcdgitops.spec.value.WireName;
import java.util.Arrays;
import java.util.Optional;

/// What comes of it when a rule is broken. The order counts: of several the first one is told.
public enum Effect implements WireName {
    /// What is planned is not done, and the run says that it was denied.
    DENY,
    /// What is planned waits until the rule is not broken any more.
    HOLD,
    /// What is planned waits until somebody approves it.
    REQUIRE_APPROVAL,
    /// It is said, and stands in the way of nothing.
    WARN,
    /// It is noted in the report.
    AUDIT;

    /// Whether it stands in the way of anything.
    public boolean stops() {
        return compareTo(WARN) < 0;
    }

    public static Optional<Effect> of(String word) {
        return Arrays.stream(values()).filter(e -> e.toString().equals(word)).findFirst();
    }

    /// As documents write it: `require-approval`.
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
