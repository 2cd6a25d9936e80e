package io.github.etcdgitops.doctor.fact;

import io.github.etcdgitops.spec.DesiredState;
import java.util.Optional;

/// The config repository as it was met, one thing after the other. `branchRecord` is the UID of kube-system that the
/// report branch has on record. `push` is Unasked where nobody wanted to know.
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

    /// As people know it; safe to print.
    public record Address(String text, Over over, String host, int port) {}

    /// How far the conversation with the server went when the ref was asked for.
    public enum Stage {
        HOST,
        TRUST,
        ACCESS,
        REF,
        SIGNATURE
    }

    public sealed interface Talk {
        /// `signed` where signatures are asked for, and so has a good one.
        record Resolved(String ref, String commit, boolean signed) implements Talk {}

        record Stopped(Stage at, Trouble trouble, String reason) implements Talk {}
    }
}
