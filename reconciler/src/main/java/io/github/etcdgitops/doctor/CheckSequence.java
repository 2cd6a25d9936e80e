package io.github.etcdgitops.doctor;

import io.github.etcdgitops.doctor.fact.Fact;
import io.github.etcdgitops.doctor.fact.Trouble;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// Checks in the order of their dependencies: after the first failure, checks without facts are skipped and
/// name that failure.
final class CheckSequence {
    private final List<Check> checks = new ArrayList<>();
    private String broken;

    /// `because` is why facts may be missing from the start.
    CheckSequence(String because) {
        this.broken = because;
    }

    <T> CheckSequence then(String name, Fact<T> fact, Function<T, String> seen, String... remedy) {
        return judged(name, fact, value -> new Check.Ok(name, seen.apply(value)), remedy);
    }

    /// For a fact that needs judgement even if it is available. `remedy` is for when it is not.
    <T> CheckSequence judged(String name, Fact<T> fact, Function<T, Check> judgement, String... remedy) {
        switch (fact) {
            case Fact.Seen<T>(T value) -> checks.add(judgement.apply(value));
            case Fact.Unseen<T>(Trouble trouble, String reason) -> {
                checks.add(new Check.Failed(name, trouble, reason, List.of(remedy)));
                broken = because(name);
            }
            case Fact.Unasked<T> _ -> checks.add(new Check.Skipped(name, broken));
        }
        return this;
    }

    static String because(String name) {
        return "not looked at, because of: " + name;
    }

    /// Why the following checks were skipped; empty where nothing failed.
    static String brokenIn(List<Check> checks) {
        return checks.stream()
                .filter(c -> c instanceof Check.Failed)
                .map(c -> because(c.name()))
                .findFirst()
                .orElse("");
    }

    List<Check> checks() {
        return List.copyOf(checks);
    }
}
