package io.github.etcdgitops.spec;

import io.github.etcdgitops.validation.Location;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What somebody expects of the policies of a repository, case by case. Without an `environment` the Fleet has one.
public record PolicyTest(String name, Optional<String> environment, List<Case> cases) {
    public PolicyTest {
        cases = List.copyOf(cases);
    }

    /// Rings that are what `before` says, where `after` is asked for at the time `now`. Unless `backedUp`, there is no
    /// backup of them.
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

        /// `path` counts from the folder of the test.
        record File(String path, Location source) implements Given {}

        record Written(Map<String, Object> document, Location source) implements Given {}
    }

    /// With a `rule`, what it says of each ring or operation that is meant; without one, what becomes of each
    /// operation that is meant. `ring` is `NAMESPACE/NAME`, `operation` a kind.
    public record Expectation(
            Optional<String> rule,
            Optional<String> policy,
            Optional<String> ring,
            Optional<String> operation,
            String is,
            Location source) {
        /// There is no such operation in the plan.
        public static final String NOT_PLANNED = "not-planned";
    }
}
