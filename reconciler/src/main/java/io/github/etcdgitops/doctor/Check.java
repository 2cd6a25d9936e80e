package io.github.etcdgitops.doctor;

import io.github.etcdgitops.doctor.fact.Trouble;
import java.util.List;

/// The result of one check. `seen` is what was found, `remedy` how to fix it, line by line; neither ever
/// holds a secret or a server's own words.
public sealed interface Check {
    String name();

    record Ok(String name, String seen) implements Check {}

    /// A run continues with it.
    record Warning(String name, String seen, List<String> remedy) implements Check {
        public Warning {
            remedy = List.copyOf(remedy);
        }
    }

    /// A run fails with it.
    record Failed(String name, Trouble trouble, String seen, List<String> remedy) implements Check {
        public Failed {
            remedy = List.copyOf(remedy);
        }
    }

    record Skipped(String name, String because) implements Check {}
}
