package io.github.etcdgitops.plan;

import io.github.etcdgitops.spec.BackupPolicy;
import java.util.List;
import java.util.Optional;

/// What a run knows besides a ring that has no document. `unsure` says why it may have one all the same, in
/// a file that cannot be read. `policies` are those that say where a last snapshot could go.
public record Clearance(Optional<String> unsure, String environment, List<BackupPolicy> policies) {
    public Clearance {
        policies = List.copyOf(policies);
    }

    Optional<BackupPolicy> policy(String name) {
        return policies.stream().filter(p -> p.name().equals(name)).findFirst();
    }
}
