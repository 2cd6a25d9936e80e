package io.github.etcdgitops.ring.deletion;

import io.github.etcdgitops.spec.BackupPolicy;
import java.util.List;
import java.util.Optional;

/// What a run knows about other documents that matter to a ring without a document. `unsure` says why the
/// ring may have one after all, in an invalid file. `unread` names an unreadable document that may be it.
/// `policies` name the places where a last snapshot could go.
public record Clearance(
        Optional<String> unsure, Optional<String> unread, String environment, List<BackupPolicy> policies) {
    public Clearance {
        policies = List.copyOf(policies);
    }

    /// Where every document is readable.
    public Clearance(Optional<String> unsure, String environment, List<BackupPolicy> policies) {
        this(unsure, Optional.empty(), environment, policies);
    }

    Optional<BackupPolicy> policy(String name) {
        return policies.stream().filter(p -> p.name().equals(name)).findFirst();
    }
}
