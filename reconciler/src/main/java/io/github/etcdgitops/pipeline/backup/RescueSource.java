package io.github.etcdgitops.pipeline.backup;

import io.github.etcdgitops.backup.SnapshotReader;
import io.github.etcdgitops.gateway.BackupStores;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.ring.RestoreOrder;
import io.github.etcdgitops.ring.RestoreOrder.Stored;
import io.github.etcdgitops.ring.backup.BackupNeeds.Restore;
import io.github.etcdgitops.spec.value.Destination;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.backup.RingBackups;
import io.github.etcdgitops.state.backup.StoredBackup;
import io.github.etcdgitops.state.health.QuorumLoss;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.journal.SnapshotOrigin;
import io.github.etcdgitops.state.underway.Recovery;
import io.github.etcdgitops.state.value.EtcdId;
import io.github.etcdgitops.state.value.Observed;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Finds the saved data of a ring that has lost its quorum. Reads one manifest, and nothing where the ring
/// is healthy.
public final class RescueSource {
    private final BackupStores stores;
    private final List<Kept> kept;

    /// All backups of the ring's name at a location.
    public record Kept(Destination place, Observed<RingBackups> backups) {}

    private record Found(Destination place, StoredBackup backup) {}

    public RescueSource(BackupStores stores, List<Kept> kept) {
        this.stores = stores;
        this.kept = List.copyOf(kept);
    }

    /// Empty where no recovery is under way or possible.
    public Optional<Restore> of(ClusterState state) {
        var journal = state.kube().knownJournal();
        var begun = journal.flatMap(RescueSource::begun);
        if (begun.isPresent()) {
            return Optional.of(again(journal.get(), begun.get()));
        }
        var former = state.ring().optional().map(RingState::clusterId);
        var best = QuorumLoss.of(state)
                .flatMap(loss -> loss.survivors().stream().findFirst())
                .filter(_ -> journal.flatMap(Journal::clusterId).equals(former));
        return best.flatMap(survivor ->
                newest(former.orElseThrow(), survivor.at().revision()).map(found -> inPlace(found, former.get())));
    }

    /// The journal of a ring that makes way records it as long as the ring exists, and afterwards until the
    /// new one does.
    private static Optional<SnapshotOrigin> begun(Journal journal) {
        var making = journal.intent().flatMap(Intent::recovery);
        return (journal.founded() ? making : journal.origin()).filter(origin -> Recovery.is(origin.request()));
    }

    private Optional<Found> newest(EtcdId former, long revision) {
        return kept.stream()
                .flatMap(k -> k.backups().optional().stream()
                        .flatMap(all -> all.backups().stream())
                        .filter(b -> b.saves(revision) && b.key().clusterId().equals(former))
                        .map(b -> new Found(k.place(), b)))
                .max(Comparator.comparing(Found::backup, StoredBackup.BY_TIME));
    }

    private Restore inPlace(Found found, EtcdId former) {
        return switch (wanted(Recovery.request(former), found)) {
            case Restore.Wanted(RestoreOrder order) -> new Restore.InPlace(order, former);
            case Restore other -> other;
        };
    }

    private Restore again(Journal journal, SnapshotOrigin origin) {
        var found = kept.stream()
                .flatMap(k -> k.backups().optional().stream()
                        .flatMap(all -> all.backups().stream())
                        .filter(b -> origin.backup().filter(b.id()::equals).isPresent()
                                && origin.from().startsWith(k.place().title()))
                        .map(b -> new Found(k.place(), b)))
                .findFirst();
        if (found.isEmpty()) {
            return new Restore.Awaited(origin.from() + " is not found"
                    + kept.stream()
                            .flatMap(k -> k.backups().unknownReason().stream())
                            .findFirst()
                            .map(why -> "; the stored backups could not be read: " + why)
                            .orElse(": no policy of the ring names its store, or it no longer exists"));
        }
        var wanted = wanted(origin.request(), found.get());
        return journal.founded() && wanted instanceof Restore.Wanted(RestoreOrder order)
                ? new Restore.InPlace(order, journal.clusterId().orElseThrow())
                : wanted;
    }

    private Restore wanted(String request, Found found) {
        var backup = found.backup();
        try (var store = stores.open(found.place())) {
            var manifest = SnapshotReader.manifest(store, backup.key());
            return new Restore.Wanted(new RestoreOrder(
                    request, new Stored.Certified(found.place(), backup.key(), manifest), Optional.empty()));
        } catch (SnapshotReader.Damaged | GatewayException e) {
            return new Restore.Awaited("backup " + backup.id() + ", which has the last data of the ring, could not"
                    + " be read: " + e.getMessage());
        }
    }
}
