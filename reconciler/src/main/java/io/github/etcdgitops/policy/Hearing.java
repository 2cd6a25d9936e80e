package io.github.etcdgitops.policy;

import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.WireName;
import java.util.Optional;

/// The answer of a policy's rule about a ring's document, or about one `operation`, named by its kind.
/// `why` is empty where the rule has no objection.
public record Hearing(
        String policy, String rule, ClusterRef ring, Optional<String> operation, Outcome outcome, String why) {
    /// The mildest first.
    public enum Outcome implements WireName {
        PASS,
        /// Broken, and the ring is exempted.
        EXEMPT,
        AUDIT,
        WARN,
        REQUIRE_APPROVAL,
        HOLD,
        DENY;

        static Outcome of(RuleBreach judgement) {
            if (judgement.exemption().isPresent()) {
                return EXEMPT;
            }
            return switch (judgement.effect()) {
                case AUDIT -> AUDIT;
                case WARN -> WARN;
                case REQUIRE_APPROVAL -> REQUIRE_APPROVAL;
                case HOLD -> HOLD;
                case DENY -> DENY;
            };
        }

        /// `require-approval`.
        @Override
        public String toString() {
            return wire();
        }

        @Override
        public String wire() {
            return switch (this) {
                case PASS -> "pass";
                case EXEMPT -> "exempt";
                case AUDIT -> "audit";
                case WARN -> "warn";
                case REQUIRE_APPROVAL -> "require-approval";
                case HOLD -> "hold";
                case DENY -> "deny";
            };
        }
    }
}
