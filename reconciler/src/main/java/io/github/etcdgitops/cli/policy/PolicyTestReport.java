package io.github.etcdgitops.cli.policy;

import io.github.etcdgitops.inert.Count;
import io.github.etcdgitops.inert.Lines;
import io.github.etcdgitops.rehearsal.Coverage;
import io.github.etcdgitops.rehearsal.Played;
import io.github.etcdgitops.report.Human;
import io.github.etcdgitops.report.MarkdownText;
import io.github.etcdgitops.report.PlanJson;
import io.github.etcdgitops.report.format.Checks;
import io.github.etcdgitops.report.format.Checks.Level;
import io.github.etcdgitops.report.format.Checks.Problem;
import io.github.etcdgitops.report.format.Json;
import io.github.etcdgitops.report.format.Rendering;
import io.github.etcdgitops.report.format.Style;
import io.github.etcdgitops.validation.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/// The results of policy tests, in all their forms. `wrong` are unreadable policies and tests. With
/// `strict`, a rule that is not covered is a failure.
record PolicyTestReport(List<Played> cases, List<Violation> wrong, Coverage coverage, boolean strict)
        implements Rendering {
    boolean passed() {
        return wrong.isEmpty()
                && cases.stream().allMatch(Played::passed)
                && (!strict || coverage.lacking().isEmpty());
    }

    private long failed() {
        return cases.stream().filter(c -> !c.passed()).count();
    }

    @Override
    public Lines human(Style style) {
        var out = new Human(style).violations(wrong);
        for (var one : cases) {
            out.append(
                            one.passed()
                                    ? style.good().apply("ok") + "    "
                                    : style.bad().apply("FAIL") + "  ")
                    .append(style.strong().apply(one.title()))
                    .end();
            one.failures()
                    .forEach(failure -> out.append("      ").append(failure).end());
        }
        for (var line : coverage.lacking()) {
            out.append(strict ? style.bad().apply("bare") : style.faint().apply("bare"))
                    .append("  ")
                    .append(line.rule())
                    .append(" of policy ")
                    .append(line.policy())
                    .append(": ")
                    .append(line.lack())
                    .end();
        }
        return out.append(summary()).end();
    }

    /// `12 cases, 1 failed; 7 of 9 rules have a case that keeps them and one that breaks them.`
    private String summary() {
        int rules = coverage.lines().size();
        return Count.of(cases.size(), "case") + ", " + failed() + " failed; "
                + (rules - coverage.lacking().size()) + " of " + Count.of(rules, "rule")
                + " tested both by a case that complies and by one that breaks it.";
    }

    @Override
    public String json() {
        var document = new TreeMap<String, Object>();
        document.put("kind", "PolicyTestResult");
        document.put("formatVersion", PlanJson.FORMAT);
        document.put("passed", passed());
        document.put(
                "cases",
                cases.stream()
                        .map(c -> new TreeMap<>(Map.of(
                                "test", c.test(),
                                "name", c.played().name(),
                                "at", c.played().source().toString(),
                                "passed", c.passed(),
                                "failures", c.failures())))
                        .toList());
        document.put(
                "coverage",
                coverage.lines().stream()
                        .map(l -> new TreeMap<>(
                                Map.of("policy", l.policy(), "rule", l.rule(), "kept", l.kept(), "broken", l.broken())))
                        .toList());
        document.put("violations", wrong.stream().map(PlanJson::violation).toList());
        return Json.write(document);
    }

    @Override
    public String markdown() {
        return MarkdownText.verbatim(human(Style.PLAIN));
    }

    @Override
    public Optional<Checks> checks() {
        var problems = new ArrayList<Problem>();
        var subjects = new TreeSet<String>();
        wrong.forEach(v -> problems.add(
                new Problem(Level.ERROR, v.code(), v.at().file(), v.message(), v.hint(), Optional.of(v.at()))));
        for (var one : cases) {
            subjects.add(one.title());
            one.failures()
                    .forEach(failure -> problems.add(new Problem(
                            Level.ERROR,
                            "not-as-expected",
                            one.title(),
                            failure,
                            Optional.empty(),
                            Optional.of(one.played().source()))));
        }
        for (var line : coverage.lacking()) {
            problems.add(new Problem(
                    strict ? Level.ERROR : Level.NOTE,
                    "not-covered",
                    line.policy() + ": " + line.rule(),
                    line.lack(),
                    Optional.empty(),
                    Optional.empty()));
        }
        return Optional.of(new Checks("policy test", subjects, problems));
    }
}
