package io.github.etcdgitops.policy;

import io.github.etcdgitops.plan.Verdict;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Finding.Fault;
import io.github.etcdgitops.ring.Finding.Level;
import io.github.etcdgitops.spec.PolicyExemption;
import io.github.etcdgitops.spec.ring.Effect;
import io.github.etcdgitops.spec.ring.RuleKind;
import java.time.Instant;
import java.util.Optional;

/// A broken rule: its owner, its effect, and who is exempted. `rule` is its id, `kind` is empty where no
/// rule of a policy is broken, `source` is the policy's name for people, `why` says what is broken and how
/// to fix it.
record RuleBreach(
        String rule,
        Optional<RuleKind> kind,
        String source,
        Effect effect,
        String why,
        Optional<PolicyExemption> exemption) {
    RuleBreach(RuleKind kind, String source, Effect effect, String why) {
        this(kind.toString(), Optional.of(kind), source, effect, why, Optional.empty());
    }

    boolean asksForApproval() {
        return exemption.isEmpty() && effect == Effect.REQUIRE_APPROVAL;
    }

    /// Whether the breach blocks its subject.
    boolean stops() {
        return exemption.isEmpty() && effect.stops();
    }

    /// The same, without blocking anything.
    RuleBreach warning(String what) {
        return new RuleBreach(rule, kind, source, Effect.WARN, what, exemption);
    }

    /// As an advice beside a ring.
    Finding finding(Instant now) {
        return exemption
                .map(e -> Finding.ofRule(
                        e.expiredAt(now.plus(PolicyExemption.SOON)) ? Level.WARNING : Level.NOTE,
                        rule,
                        text() + "; exempted by " + e.name() + " until "
                                + e.word().expires() + " (" + e.word().owner() + ", "
                                + e.word().ticket() + ")"))
                .orElseGet(() -> Finding.ofRule(level(), rule, text(), fault()));
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

    private Verdict.Cause cause() {
        return kind.filter(k -> k == RuleKind.FREEZE).isPresent() ? Verdict.Cause.FREEZE : Verdict.Cause.OTHER;
    }

    /// Its verdict for an operation without approvals.
    Verdict verdict() {
        if (exemption.isPresent()) {
            return new Verdict.Allow();
        }
        return switch (effect) {
            case DENY -> new Verdict.Deny(rule, text());
            case HOLD, REQUIRE_APPROVAL -> new Verdict.Hold(rule, text(), cause());
            case WARN -> new Verdict.Warn(rule, text());
            case AUDIT -> new Verdict.Allow();
        };
    }

    private String text() {
        return why + " (" + source + ")";
    }
}
