package io.github.etcdgitops.ring.deletion;

import io.github.etcdgitops.spec.BackupPolicy;
import java.util.List;
import java.util.Optional;

/// What a run knows besides a ring that has no document. `unsure` says why it may have one all the same, in
/// a file that is wrong; `unread` names one that could not be read and may be that document. `policies` are those that
/// say where a last snapshot could go.
public record Clearance(
        Optional<String> unsure, Optional<String> unread, String environment, List<BackupPolicy> policies) {
    public Clearance {
        policies = List.copyOf(policies);
    }

    /// Where every document could be read.
    public Clearance(Optional<String> unsure, String environment, List<BackupPolicy> policies) {
        this(unsure, Optional.empty(), environment, policies);
    }

    Optional<BackupPolicy> policy(String name) {
        return policies.stream().filter(p -> p.name().equals(name)).findFirst();
    }
}
