package io.github.etcdgitops.policy;

import io.github.etcdgitops.plan.Verdict;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Finding.Fault;
import io.github.etcdgitops.ring.Finding.Level;
import io.github.etcdgitops.spec.PolicyExemption;
import io.github.etcdgitops.spec.ring.Effect;
import java.time.Instant;
import java.util.Optional;

/// A rule that is broken: whose rule it is, what comes of it, and who need not keep to it. `rule` is its
/// id, `source` names the policy as people know it, `why` says what is broken and what to do.
record RuleBreach(String rule, String source, Effect effect, String why, Optional<PolicyExemption> exemption) {
    boolean asksForApproval() {
        return exemption.isEmpty() && effect == Effect.REQUIRE_APPROVAL;
    }

    /// Whether something stands in the way of what it is about.
    boolean stops() {
        return exemption.isEmpty() && effect.stops();
    }

    /// The same, where nothing stands in the way.
    RuleBreach warning(String what) {
        return new RuleBreach(rule, source, Effect.WARN, what, exemption);
    }

    /// As advice that is given beside a ring.
    Finding finding(Instant now) {
        return exemption
                .map(e -> new Finding(
                        e.expiredAt(now.plus(PolicyExemption.SOON)) ? Level.WARNING : Level.NOTE,
                        rule,
                        text() + "; exempted by " + e.name() + " until "
                                + e.word().expires() + " (" + e.word().owner() + ", "
                                + e.word().ticket() + ")"))
                .orElseGet(() -> new Finding(level(), rule, text(), fault()));
    }

    private Fault fault() {
        return effect == Effect.DENY ? Fault.POLICY : Fault.NONE;
    }

    private Level level() {
        return switch (effect) {
            case DENY, HOLD -> Level.ERROR;
            case REQUIRE_APPROVAL, WARN -> Level.WARNING;
            case AUDIT -> Level.NOTE;
        };
    }

    /// What it is to an operation that nobody has approved.
    Verdict verdict() {
        if (exemption.isPresent()) {
            return new Verdict.Allow();
        }
        return switch (effect) {
            case DENY -> new Verdict.Deny(rule, text());
            case HOLD, REQUIRE_APPROVAL -> new Verdict.Hold(rule, text());
            case WARN -> new Verdict.Warn(rule, text());
            case AUDIT -> new Verdict.Allow();
        };
    }

    private String text() {
        return why + " (" + source + ")";
    }
}
