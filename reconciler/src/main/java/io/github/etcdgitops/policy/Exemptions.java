package io.github.etcdgitops.policy;

import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Finding.Level;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.spec.PolicyExemption;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.RuleKind.Phase;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Exemptions that have expired, expire soon, or are not needed: without a finding they would stay forever.
record Exemptions(Rules rules, Instant now) {
    List<Finding> findings() {
        return rules.book().exemptions().stream()
                .flatMap(exemption -> finding(exemption).stream())
                .toList();
    }

    private Optional<Finding> finding(PolicyExemption exemption) {
        String who = "the exemption " + exemption.name() + " ("
                + exemption.word().owner() + ", " + exemption.word().ticket() + ") ";
        if (exemption.expiredAt(now)) {
            return Optional.of(new Finding(
                    Level.WARNING,
                    FindingCode.EXEMPTION_EXPIRED,
                    who + "has expired on " + exemption.word().expires() + " and has no effect. Delete its document"));
        }
        if (!exemption.inForceAt(now)) {
            return Optional.of(new Finding(
                    Level.WARNING,
                    FindingCode.EXEMPTION_NOT_YET,
                    who + "is valid from " + exemption.word().created() + " on and has no effect before"));
        }
        if (!asked(exemption)) {
            return Optional.of(new Finding(
                    Level.WARNING,
                    FindingCode.EXEMPTION_OF_NO_RULE,
                    who + "names rules that no policy has. Delete it"));
        }
        var rings = rules.rings().values().stream().filter(exemption::concerns).toList();
        if (rings.isEmpty()) {
            return Optional.of(
                    new Finding(Level.WARNING, FindingCode.EXEMPTION_FOR_NOBODY, who + "applies to no existing ring"));
        }
        if (exemption.expiredAt(now.plus(PolicyExemption.SOON))) {
            return Optional.of(new Finding(
                    Level.WARNING,
                    FindingCode.EXEMPTION_ENDS_SOON,
                    who + "ends on " + exemption.word().expires()));
        }
        return isUsed(exemption, rings)
                ? Optional.empty()
                : Optional.of(new Finding(
                        Level.NOTE, FindingCode.EXEMPTION_UNUSED, who + "is not needed: all rings follow its rules"));
    }

    private boolean asked(PolicyExemption exemption) {
        return rules.book().policies().stream()
                .anyMatch(policy ->
                        policy.clauses().stream().anyMatch(clause -> exemption.concerns(policy, clause.rule())));
    }

    /// A rule that is not about documents can only be broken once an operation is planned.
    private boolean isUsed(PolicyExemption exemption, List<EtcdClusterSpec> rings) {
        return rules.book().policies().stream()
                        .flatMap(policy ->
                                policy.clauses().stream().filter(clause -> exemption.concerns(policy, clause.rule())))
                        .anyMatch(clause -> clause.rule().phase() != Phase.SPEC)
                || rings.stream()
                        .flatMap(ring -> rules.of(ring, now).stream())
                        .anyMatch(judgement ->
                                judgement.exemption().filter(exemption::equals).isPresent());
    }
}
