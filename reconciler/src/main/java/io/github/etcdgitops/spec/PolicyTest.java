package io.github.etcdgitops.spec;

import io.github.etcdgitops.validation.Location;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Expectations about the policies of a repository, case by case. Without an `environment` the Fleet has
/// one.
public record PolicyTest(String name, Optional<String> environment, List<Case> cases) {
    public PolicyTest {
        cases = List.copyOf(cases);
    }

    /// Rings that match `before`, where `after` is requested at the time `now`. Unless `backedUp`, they
    /// have no backup.
    public record Case(
            String name,
            Instant now,
            List<Given> before,
            List<Given> after,
            boolean backedUp,
            List<Expectation> expected,
            Location source) {
        public Case {
            before = List.copyOf(before);
            after = List.copyOf(after);
            expected = List.copyOf(expected);
        }
    }

    /// Documents of a case.
    public sealed interface Given {
        Location source();

        /// `path` is relative to the folder of the test.
        record File(String path, Location source) implements Given {}

        record Written(Map<String, Object> document, Location source) implements Given {}
    }

    /// With a `rule`, its expected answer for each selected ring or operation; without one, the expected
    /// result of each selected operation. `ring` is `NAMESPACE/NAME`, `operation` a kind.
    public record Expectation(
            Optional<String> rule,
            Optional<String> policy,
            Optional<String> ring,
            Optional<String> operation,
            String is,
            Location source) {
        /// The plan has no such operation.
        public static final String NOT_PLANNED = "not-planned";
    }
}
