package io.github.etcdgitops.rehearsal;

import io.github.etcdgitops.pipeline.Heard;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.PlannedOperation;
import io.github.etcdgitops.plan.Verdict;
import io.github.etcdgitops.spec.PolicyTest.Expectation;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// An expectation, compared with the result.
record Expected(Expectation expectation, Heard heard) {
    /// How the result differs; empty where it does not.
    Optional<String> failure() {
        return expectation
                .rule()
                .map(this::ofRule)
                .orElseGet(() -> ofOperation(expectation.operation().orElseThrow()))
                .map(text -> expectation.source() + ": " + text);
    }

    private Optional<String> ofRule(String rule) {
        var meant = heard.hearings().stream()
                .filter(h -> h.rule().equals(rule))
                .filter(h -> same(expectation.policy(), h.policy()))
                .filter(h -> same(expectation.ring(), h.ring().toString()))
                .filter(h -> expectation.operation().isEmpty() || h.operation().equals(expectation.operation()))
                .toList();
        if (meant.isEmpty()) {
            return Optional.of(title(rule) + " was not evaluated: " + whyNot(rule));
        }
        return meant.stream()
                .filter(h -> !h.outcome().toString().equals(expectation.is()))
                .findFirst()
                .map(h ->
                        title(rule) + " should be " + expectation.is() + ", and is " + h.outcome() + " for " + h.ring()
                                + h.operation().map(kind -> " " + kind).orElse("")
                                + (h.why().isEmpty() ? "" : ": " + h.why()));
    }

    private String whyNot(String rule) {
        if (heard.hearings().stream().noneMatch(h -> h.rule().equals(rule))) {
            return "no policy applies it to a ring or an operation of this case; planned is " + planned();
        }
        return "it was evaluated for "
                + heard.hearings().stream()
                        .filter(h -> h.rule().equals(rule))
                        .map(h -> h.ring()
                                + h.operation().map(kind -> " " + kind).orElse("") + " by policy " + h.policy())
                        .distinct()
                        .collect(Collectors.joining(", "));
    }

    private Optional<String> ofOperation(String kind) {
        var meant = operations()
                .filter(o -> o.operation().kind().equals(kind))
                .filter(o -> same(expectation.ring(), o.operation().ref().toString()))
                .toList();
        if (expectation.is().equals(Expectation.NOT_PLANNED)) {
            return meant.isEmpty()
                    ? Optional.empty()
                    : Optional.of(kind + " should not be planned, and is, for "
                            + meant.getFirst().operation().ref());
        }
        if (meant.isEmpty()) {
            return Optional.of(kind + " is not planned; planned is " + planned());
        }
        return meant.stream()
                .filter(o -> !o.verdict().result().equals(expectation.is()))
                .findFirst()
                .map(o -> kind + " should be " + expectation.is() + ", and is "
                        + o.verdict().result() + " for " + o.operation().ref() + why(o.verdict()));
    }

    private Stream<PlannedOperation> operations() {
        return heard.plan().clusters().stream().map(ClusterPlan::operations).flatMap(List::stream);
    }

    /// What is planned instead, or the planner's reasons where nothing is.
    private String planned() {
        var operations = operations()
                .map(o -> o.operation().ref() + " " + o.operation().kind())
                .distinct()
                .toList();
        if (!operations.isEmpty()) {
            return String.join(", ", operations);
        }
        return "nothing"
                + heard.plan().clusters().stream()
                        .flatMap(cluster -> cluster.findings().stream())
                        .map(finding -> " (" + finding.message() + ")")
                        .findFirst()
                        .orElse("");
    }

    private String title(String rule) {
        return rule + expectation.policy().map(policy -> " of policy " + policy).orElse("");
    }

    private static boolean same(Optional<String> wanted, String found) {
        return wanted.map(found::equals).orElse(true);
    }

    private static String why(Verdict verdict) {
        return switch (verdict) {
            case Verdict.Allow _ -> "";
            case Verdict.Warn(String rule, String reason) -> ": [" + rule + "] " + reason;
            case Verdict.Hold(String rule, String reason, var _) -> ": [" + rule + "] " + reason;
            case Verdict.Deny(String rule, String reason) -> ": [" + rule + "] " + reason;
        };
    }
}
