package io.github.etcdgitops.policy;

import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.WireName;
import java.util.Optional;

/// What a rule of a policy said when it was asked: about a ring's document, or about one `operation`, which is
/// named by its kind. `why` is empty where the rule has nothing against it.
public record Hearing(
        String policy, String rule, ClusterRef ring, Optional<String> operation, Outcome outcome, String why) {
    /// From the mildest on.
    public enum Outcome implements WireName {
        PASS,
        /// Broken by somebody who need not keep to it.
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
