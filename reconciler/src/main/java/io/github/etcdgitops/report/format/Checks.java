package io.github.etcdgitops.report.format;

import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.PlannedOperation;
import io.github.etcdgitops.plan.Verdict;
import io.github.etcdgitops.plan.fleet.FleetPlan;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.WireName;
import io.github.etcdgitops.validation.Location;
import io.github.etcdgitops.validation.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/// The checks and their results, for CI tools: `subjects` are rings and files, including those without
/// problems. `command` is the command that made them.
public record Checks(String command, SortedSet<String> subjects, List<Problem> problems) {
    /// The subject of fleet-wide problems.
    private static final String REPOSITORY = "the repository";

    public Checks {
        problems = List.copyOf(problems);
        var all = new TreeSet<>(subjects);
        problems.forEach(problem -> all.add(problem.subject()));
        subjects = all;
    }

    /// In the order of importance for people.
    public enum Level implements WireName {
        ERROR,
        WARNING,
        /// Not now: an operation waits.
        HELD,
        NOTE;

        @Override
        public String wire() {
            return switch (this) {
                case ERROR -> "error";
                case WARNING -> "warning";
                case HELD -> "held";
                case NOTE -> "note";
            };
        }
    }

    public record Problem(
            Level level, String code, String subject, String message, Optional<String> hint, Optional<Location> at) {}

    /// For documents: violations, and findings about the rings. `advice` comes from policies, by ring.
    public static Checks ofDocuments(DesiredState desired, Stream<Problem> advice) {
        var problems = new ArrayList<>(violations(desired.violations()).toList());
        advice.forEach(problems::add);
        return new Checks("validate", names(desired), problems);
    }

    /// A finding about a ring, or a fleet-wide one without a name.
    public static Problem advice(DesiredState desired, Optional<ClusterRef> ring, Finding finding) {
        return new Problem(
                level(finding.level()),
                finding.code(),
                ring.map(ClusterRef::toString).orElse(REPOSITORY),
                finding.message(),
                Optional.empty(),
                ring.flatMap(ref -> source(desired, ref)));
    }

    /// For a plan: violations, findings, and operations that are denied or wait.
    public static Checks ofPlan(FleetPlan plan, DesiredState desired) {
        var problems = new ArrayList<>(violations(plan.violations()).toList());
        plan.findings().forEach(finding -> problems.add(advice(desired, Optional.empty(), finding)));
        var subjects = new TreeSet<String>();
        for (var cluster : plan.clusters()) {
            subjects.add(cluster.ref().toString());
            cluster.findings().forEach(f -> problems.add(advice(desired, Optional.of(cluster.ref()), f)));
            cluster.operations().forEach(o -> verdict(cluster, o, desired).ifPresent(problems::add));
        }
        return new Checks("plan", subjects, problems);
    }

    private static Optional<Problem> verdict(ClusterPlan plan, PlannedOperation planned, DesiredState desired) {
        return switch (planned.verdict()) {
            case Verdict.Allow _ -> Optional.empty();
            case Verdict.Warn(String rule, String reason) ->
                Optional.of(judged(plan, planned, desired, Level.WARNING, rule, reason));
            case Verdict.Hold(String rule, String reason, var _) ->
                Optional.of(judged(plan, planned, desired, Level.HELD, rule, reason));
            case Verdict.Deny(String rule, String reason) ->
                Optional.of(judged(plan, planned, desired, Level.ERROR, rule, reason));
        };
    }

    private static Problem judged(
            ClusterPlan plan, PlannedOperation planned, DesiredState desired, Level level, String rule, String why) {
        return new Problem(
                level,
                rule,
                plan.ref().toString(),
                planned.operation().kind() + ": " + why,
                Optional.empty(),
                source(desired, plan.ref()));
    }

    private static Stream<Problem> violations(List<Violation> violations) {
        return violations.stream()
                .map(v ->
                        new Problem(Level.ERROR, v.code(), v.at().file(), v.message(), v.hint(), Optional.of(v.at())));
    }

    private static Level level(Finding.Level level) {
        return switch (level) {
            case ERROR -> Level.ERROR;
            case WARNING -> Level.WARNING;
            case NOTE -> Level.NOTE;
        };
    }

    private static SortedSet<String> names(DesiredState desired) {
        var names = new TreeSet<String>();
        desired.rings().keySet().forEach(ref -> names.add(ref.toString()));
        return names;
    }

    private static Optional<Location> source(DesiredState desired, ClusterRef ref) {
        return Optional.ofNullable(desired.rings().get(ref))
                .map(spec -> spec.declaration().source());
    }

    /// The problems of a subject, the worst first.
    List<Problem> of(String subject) {
        return worstFirst().filter(p -> p.subject().equals(subject)).toList();
    }

    Stream<Problem> worstFirst() {
        return problems.stream().sorted((a, b) -> a.level().compareTo(b.level()));
    }
}
