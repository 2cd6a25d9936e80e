package io.github.etcdgitops.doctor.exam;

import io.github.etcdgitops.backup.BackupCatalog;
import io.github.etcdgitops.doctor.fact.BackupFacts;
import io.github.etcdgitops.doctor.fact.BackupFacts.Kept;
import io.github.etcdgitops.doctor.fact.BackupFacts.Place;
import io.github.etcdgitops.doctor.fact.Fact;
import io.github.etcdgitops.doctor.fact.GitFacts;
import io.github.etcdgitops.gateway.BackupStores;
import io.github.etcdgitops.pipeline.backup.BackupPlaces;
import io.github.etcdgitops.pipeline.environment.Parallel;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.value.Destination;
import java.time.InstantSource;
import java.util.List;

/// Opens and lists every backup location of the environment's rings, as a run would. Writes nothing there.
public final class BackupExam {
    private static final int PLACES_AT_ONCE = 8;

    private final BackupStores stores;
    private final InstantSource clock;

    public BackupExam(BackupStores stores, InstantSource clock) {
        this.stores = stores;
        this.clock = clock;
    }

    /// Skipped where the documents, or the environment, are unknown.
    public Fact<BackupFacts> look(GitFacts git) {
        return Asking.then(
                git.environment(),
                environment -> look(git.documents().optional().orElseThrow(), environment));
    }

    private BackupFacts look(DesiredState desired, String environment) {
        var places = List.copyOf(BackupPlaces.of(desired, environment).entrySet());
        return new BackupFacts(Parallel.map(
                places,
                PLACES_AT_ONCE,
                place -> new Place(
                        place.getKey(),
                        List.copyOf(place.getValue()),
                        Asking.of(() -> kept(place.getKey(), environment)))));
    }

    private Kept kept(Destination destination, String environment) {
        try (var store = stores.open(destination)) {
            var rings = BackupCatalog.of(store, environment, clock.instant()).values().stream()
                    .filter(ring -> !ring.backups().isEmpty())
                    .toList();
            return new Kept(
                    rings.stream().mapToInt(ring -> ring.backups().size()).sum(), rings.size());
        }
    }
}
