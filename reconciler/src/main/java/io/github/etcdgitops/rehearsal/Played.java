package io.github.etcdgitops.rehearsal;

import io.github.etcdgitops.policy.Hearing;
import io.github.etcdgitops.spec.PolicyTest.Case;
import java.util.List;

/// A case, its failures, and the answers of all rules in it.
public record Played(String test, Case played, List<String> failures, List<Hearing> hearings) {
    public Played {
        failures = List.copyOf(failures);
        hearings = List.copyOf(hearings);
    }

    public boolean passed() {
        return failures.isEmpty();
    }

    /// `windows: an upgrade waits on a Monday`.
    public String title() {
        return test + ": " + played.name();
    }
}
