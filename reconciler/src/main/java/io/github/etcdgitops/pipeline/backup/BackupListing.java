package io.github.etcdgitops.pipeline.backup;

import io.github.etcdgitops.backup.BackupCatalog;
import io.github.etcdgitops.gateway.BackupStores;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Destination;
import io.github.etcdgitops.state.backup.RingBackups;
import io.github.etcdgitops.state.value.Observed;
import java.time.Instant;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Supplier;

/// Lists backups.
public interface BackupListing {
    /// The backups that a location has of the rings of one environment.
    Observed<SortedMap<ClusterRef, RingBackups>> list(Destination place, String environment, Instant now);

    /// Why this machine's clock cannot be trusted with deletions by age, if it cannot. Asks the API server.
    default Optional<String> clockInDoubt() {
        return Optional.empty();
    }

    /// Why this process cannot restore any backup into a ring, if it cannot.
    default Optional<String> unableToRestore() {
        return Optional.empty();
    }

    /// To read from one of the locations.
    BackupStores stores();

    static BackupListing of(BackupStores stores) {
        return new OfStores(stores, Optional::empty, Optional::empty);
    }

    record OfStores(BackupStores stores, Supplier<Optional<String>> doubt, Supplier<Optional<String>> unable)
            implements BackupListing {
        @Override
        public Optional<String> unableToRestore() {
            return unable.get();
        }

        @Override
        public Optional<String> clockInDoubt() {
            return doubt.get();
        }

        @Override
        public Observed<SortedMap<ClusterRef, RingBackups>> list(Destination place, String environment, Instant now) {
            try (var store = stores.open(place)) {
                return Observed.known(BackupCatalog.of(store, environment, now));
            } catch (GatewayException e) {
                return Observed.unknown(String.valueOf(e.getMessage()));
            }
        }
    }
}
