package io.github.etcdgitops.doctor;

import io.github.etcdgitops.doctor.fact.Fact;
import io.github.etcdgitops.doctor.fact.Trouble;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// Checks in the order in which they depend on each other: after the first that failed, those whose facts were not
/// asked for are skipped and name it.
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

    /// For what is not simply well when it could be seen. `remedy` is for when it could not.
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

    /// Why what comes after these was not looked at; empty where nothing failed.
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
