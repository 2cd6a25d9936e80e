package io.github.etcdgitops.cli.backup;

import io.github.etcdgitops.backup.BackupCatalog;
import io.github.etcdgitops.cli.console.Surface;
import io.github.etcdgitops.cli.wiring.Source;
import io.github.etcdgitops.cli.wiring.Wiring;
import io.github.etcdgitops.gateway.BackupStore;
import io.github.etcdgitops.pipeline.environment.Environments;
import io.github.etcdgitops.pipeline.environment.RunException;
import io.github.etcdgitops.spec.BackupPolicy;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.backup.RingBackups;
import io.github.etcdgitops.state.backup.StoredBackup;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A policy's opened location, and the repository of the policy.
record BackupLocation(Source source, BackupPolicy policy, String environment, BackupStore store)
        implements AutoCloseable {
    static BackupLocation open(BackupOptions.Place place, Map<String, String> variables) {
        var source = Source.open(place.repository, variables);
        try {
            var policy = policy(source, place);
            String environment = Environments.ofRun(
                    place.repository.environment(), source.desired().fleet());
            return new BackupLocation(
                    source, policy, environment, Wiring.stores(variables).open(policy.destination()));
        } catch (RuntimeException e) {
            source.close();
            throw e;
        }
    }

    static BackupPolicy policy(Source source, BackupOptions.Place place) {
        var policies = source.desired().protection().policies();
        var names = policies.stream().map(BackupPolicy::name).toList();
        String wanted = place.policy;
        if (wanted == null && policies.size() == 1) {
            return policies.getFirst();
        }
        if (wanted == null) {
            throw new RunException(
                    RunException.Kind.CONFIGURATION,
                    names.isEmpty()
                            ? "the repository has no BackupPolicy, so it is unknown where backups are"
                            : "name a policy with --policy; there are " + String.join(", ", names));
        }
        return policies.stream()
                .filter(p -> p.name().equals(wanted))
                .findFirst()
                .orElseThrow(() -> new RunException(
                        RunException.Kind.CONFIGURATION,
                        "the repository has no valid BackupPolicy " + wanted + "; there "
                                + (names.isEmpty() ? "is none" : "are " + String.join(", ", names))));
    }

    /// Its backups of one ring.
    RingBackups of(ClusterRef ring) {
        return BackupCatalog.of(store, environment, ring, Surface.clock().instant());
    }

    /// The backup with this id, or the newest verified one.
    StoredBackup chosen(ClusterRef ring, @Nullable String id) {
        var all = of(ring);
        var one = id == null
                ? all.newest()
                : all.backups().stream().filter(b -> b.id().equals(id)).findFirst();
        return one.orElseThrow(() -> new RunException(
                RunException.Kind.CONFIGURATION,
                store.title() + " has no " + (id == null ? "verified backup" : "backup " + id) + " of " + ring
                        + " of environment " + environment));
    }

    @Override
    public void close() {
        try (source) {
            store.close();
        }
    }
}
