package io.github.etcdgitops.spec;

import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.RingSelector;
import java.util.List;
import java.util.Optional;

/// Which backup policies apply to a ring: the one that it names, and all that select it.
public final class PolicySelection {
    private PolicySelection() {}

    /// In the order of `policies`, each once.
    public static List<BackupPolicy> of(EtcdClusterSpec ring, List<BackupPolicy> policies) {
        return policies.stream().filter(policy -> holds(policy, ring)).toList();
    }

    public static boolean holds(BackupPolicy policy, EtcdClusterSpec ring) {
        return ring.declaration().backupPolicy().filter(policy.name()::equals).isPresent()
                || selects(policy.rings(), ring);
    }

    /// The policy that the ring names, where it is not among the valid ones: then the ring is not backed up
    /// as its document says.
    public static Optional<String> missing(EtcdClusterSpec ring, List<BackupPolicy> policies) {
        return ring.declaration()
                .backupPolicy()
                .filter(name -> policies.stream().noneMatch(p -> p.name().equals(name)));
    }

    /// Whether an invalid policy would apply to the ring, as far as it is known.
    public static boolean mayHold(RejectedPolicy policy, EtcdClusterSpec ring) {
        boolean named = policy.name()
                .filter(name ->
                        ring.declaration().backupPolicy().filter(name::equals).isPresent())
                .isPresent();
        return policy.within().contains(ring.ref().namespace())
                && (named || policy.rings().map(rings -> selects(rings, ring)).orElse(true));
    }

    private static boolean selects(RingSelector selector, EtcdClusterSpec ring) {
        return !selector.isEmpty() && selector.selects(ring);
    }
}
