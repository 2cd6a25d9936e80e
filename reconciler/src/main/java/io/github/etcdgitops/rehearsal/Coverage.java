package io.github.etcdgitops.rehearsal;

import io.github.etcdgitops.policy.Hearing;
import io.github.etcdgitops.policy.Hearing.Outcome;
import io.github.etcdgitops.spec.Policy;
import io.github.etcdgitops.spec.ring.RuleKind.Phase;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/// Which rules were evaluated in cases that keep them and in cases that break them. It leaves out manual
/// drift, which offline planning cannot show.
public record Coverage(List<Line> lines) {
    public Coverage {
        lines = List.copyOf(lines);
    }

    /// A rule of a policy.
    public record Line(String policy, String rule, boolean kept, boolean broken) {
        public boolean whole() {
            return kept && broken;
        }

        /// What no case covers; for people.
        public String lack() {
            if (whole()) {
                return "";
            }
            return kept ? "no case breaks it" : broken ? "no case complies with it" : "no case tests it";
        }
    }

    public static Coverage of(Collection<Policy> policies, Collection<Hearing> hearings) {
        var lines = new ArrayList<Line>();
        for (var policy : policies) {
            for (var clause : policy.clauses()) {
                if (clause.rule().phase() == Phase.OBJECTS) {
                    continue;
                }
                String rule = clause.rule().id();
                var mine = hearings.stream()
                        .filter(h ->
                                h.policy().equals(policy.name()) && h.rule().equals(rule))
                        .toList();
                lines.add(new Line(
                        policy.name(),
                        rule,
                        mine.stream().anyMatch(h -> h.outcome() == Outcome.PASS),
                        mine.stream().anyMatch(h -> h.outcome() != Outcome.PASS)));
            }
        }
        return new Coverage(lines);
    }

    public List<Line> lacking() {
        return lines.stream().filter(line -> !line.whole()).toList();
    }
}
