package io.github.etcdgitops.doctor.fact;

import io.github.etcdgitops.spec.DesiredState;
import java.util.Optional;

/// Facts about the config repository, in the order of the questions. `branchRecord` is the UID of
/// kube-system on record in the report branch. `push` is Unasked where it was not wanted.
public record GitFacts(
        Fact<Address> address,
        Fact<String> credentials,
        Fact<Talk> talk,
        Fact<DesiredState> documents,
        Fact<String> environment,
        Fact<Optional<String>> branchRecord,
        Fact<Boolean> push) {
    public enum Over {
        FILE,
        HTTP,
        SSH
    }

    /// For people; safe to print.
    public record Address(String text, Over over, String host, int port) {}

    /// How far the connection to the server came when the ref was requested.
    public enum Stage {
        HOST,
        TRUST,
        ACCESS,
        REF,
        SIGNATURE
    }

    public sealed interface Talk {
        /// `signed` where signatures are required: then the commit has a good one.
        record Resolved(String ref, String commit, boolean signed) implements Talk {}

        record Stopped(Stage at, Trouble trouble, String reason) implements Talk {}
    }
}
