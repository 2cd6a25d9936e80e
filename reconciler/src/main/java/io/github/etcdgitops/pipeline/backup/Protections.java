package io.github.etcdgitops.pipeline.backup;

import io.github.etcdgitops.backup.BackupCatalog;
import io.github.etcdgitops.gateway.BackupStore;
import io.github.etcdgitops.gateway.BackupStores;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.pipeline.environment.Parallel;
import io.github.etcdgitops.pipeline.environment.RingBorder;
import io.github.etcdgitops.plan.BackupStanding;
import io.github.etcdgitops.ring.backup.BackupNeeds;
import io.github.etcdgitops.ring.backup.BackupNeeds.Dues;
import io.github.etcdgitops.ring.backup.BackupNeeds.OfPolicy;
import io.github.etcdgitops.ring.backup.BackupNeeds.Restore;
import io.github.etcdgitops.spec.BackupPolicy;
import io.github.etcdgitops.spec.BackupRequest;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.PolicySelection;
import io.github.etcdgitops.spec.RejectedPolicy;
import io.github.etcdgitops.spec.RestoreRequest;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Destination;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.backup.RingBackups;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.value.EtcdId;
import io.github.etcdgitops.state.value.Observed;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.function.Supplier;

/// What the policies ask for each ring, and the backups at the locations that they name: one listing per
/// location and run, and none where no policy applies.
public final class Protections {
    private static final int PLACES_AT_ONCE = 4;

    private final BackupListing backups;
    private final BackupStores stores;
    private final DesiredState desired;
    private final String environment;
    private final Instant now;
    private final Map<Destination, Observed<SortedMap<ClusterRef, RingBackups>>> places;
    private final Restoring restoring;
    private final Optional<String> clock;

    private Protections(
            BackupListing backups,
            DesiredState desired,
            String environment,
            Instant now,
            Map<Destination, Observed<SortedMap<ClusterRef, RingBackups>>> places,
            Restoring restoring,
            Optional<String> clock) {
        this.backups = backups;
        this.stores = backups.stores();
        this.desired = desired;
        this.environment = environment;
        this.now = now;
        this.places = places;
        this.restoring = restoring;
        this.clock = clock;
    }

    /// Whether the plan of a ring depends on what other rings are restored from: where retention may delete backups.
    public static boolean askAllRings(DesiredState desired, String environment) {
        return !BackupPlaces.of(desired, environment).isEmpty();
    }

    /// `restoring` is asked only where retention may delete backups.
    public static Protections read(
            BackupListing backups,
            DesiredState desired,
            String environment,
            Supplier<Restoring> restoring,
            Instant now) {
        var places = List.copyOf(BackupPlaces.of(desired, environment).keySet());
        var listed = Parallel.map(
                places, PLACES_AT_ONCE, place -> RingBorder.observed(() -> backups.list(place, environment, now)));
        var byPlace = new HashMap<Destination, Observed<SortedMap<ClusterRef, RingBackups>>>();
        for (int i = 0; i < places.size(); i++) {
            byPlace.put(places.get(i), listed.get(i));
        }
        // Asked only where backups may be deleted by age.
        boolean ages = !places.isEmpty()
                || desired.rings().values().stream()
                        .anyMatch(ring -> ring.declaration()
                                .handling()
                                .maintenance()
                                .deleteLeftAfter()
                                .isPresent());
        var doubt = ages ? backups.clockInDoubt() : Optional.<String>empty();
        var begins = places.isEmpty() ? Restoring.NONE : restoring.get();
        return new Protections(backups, desired, environment, now, byPlace, begins, doubt);
    }

    private static <T> Observed<T> read(BackupStores stores, Destination place, Function<BackupStore, T> what) {
        return RingBorder.observed(() -> {
            try (var store = stores.open(place)) {
                return Observed.known(what.apply(store));
            } catch (GatewayException e) {
                return Observed.unknown(String.valueOf(e.getMessage()));
            }
        });
    }

    /// The state of one ring's backups, from its own locations alone and as they are now. For a ring with
    /// an unknown cluster ID, no backup counts.
    public static BackupStanding standing(
            BackupStores stores,
            DesiredState desired,
            String environment,
            ClusterState state,
            EtcdClusterSpec ring,
            Instant now) {
        var standing = BackupStanding.NONE;
        for (var policy : BackupPlaces.policies(desired, ring).toList()) {
            var stored = clusterId(state)
                    .map(id -> read(
                            stores,
                            policy.destination(),
                            store -> BackupCatalog.of(store, environment, ring.ref(), now)
                                    .of(id)))
                    .orElseGet(() -> Observed.unknown("the ring's cluster ID is not known"));
            standing = standing.with(policy.name(), stored);
        }
        return standing;
    }

    private static Optional<EtcdId> clusterId(ClusterState state) {
        return state.ring()
                .optional()
                .map(RingState::clusterId)
                .or(() -> state.kube().knownJournal().flatMap(j -> j.clusterId()));
    }

    /// A ring that does not answer has no known cluster ID to look for: it is unknown whether anything is
    /// due.
    public BackupNeeds of(EtcdClusterSpec ring, ClusterState state) {
        var policies = clusterId(state)
                .map(id -> BackupPlaces.policies(desired, ring)
                        .map(p -> of(ring, p, id))
                        .toList())
                .orElse(List.of());
        return new BackupNeeds(
                        environment,
                        policies,
                        restore(ring, state).map(wanted -> carriedOut(wanted, state)),
                        PolicySelection.missing(ring, desired.protection().policies()),
                        desired.protection().rejected().stream()
                                .filter(policy -> PolicySelection.mayHold(policy, ring))
                                .map(RejectedPolicy::source)
                                .toList())
                .doubting(clock);
    }

    /// A restore that cannot create its pod does not start: otherwise it would fail after everything was
    /// read and verified. Once the data is in the volume, no pod is needed any more.
    private Restore carriedOut(Restore wanted, ClusterState state) {
        var asker = switch (wanted) {
            case Restore.Wanted(var order) ->
                Optional.of(order.asker())
                        .filter(_ -> state.kube().restoredInto().isEmpty());
            case Restore.InPlace(var order, var unused) -> Optional.of(order.asker());
            case Restore.Awaited _, Restore.Asked _ -> Optional.<String>empty();
        };
        return asker.flatMap(who -> backups.unableToRestore()
                        .<Restore>map(why -> new Restore.Awaited(who + " cannot be carried out: " + why)))
                .orElse(wanted);
    }

    /// A ring that documents restore, or may restore, is not created empty. Existing data is never restored
    /// over, and no location is read for it.
    private Optional<Restore> restore(EtcdClusterSpec ring, ClusterState state) {
        var protection = desired.protection();
        var rescue = new RescueSource(stores, kept(ring)).of(state);
        if (rescue.isPresent()) {
            return rescue;
        }
        var wanted = Optional.ofNullable(protection.restores().get(ring.ref()));
        if (wanted.isEmpty()) {
            return protection.unclear().stream()
                    .filter(at -> desired.fleet()
                            .namespacesOf(at.file())
                            .contains(ring.ref().namespace()))
                    .findFirst()
                    .map(at -> new Restore.Awaited("the document at " + at
                            + " cannot be read and may ask for a restore. No ring of the namespace "
                            + ring.ref().namespace() + " is created until it is corrected"));
        }
        var journal = state.kube().knownJournal();
        var begun = journal.flatMap(Journal::origin);
        if (journal.filter(Journal::founded).isPresent()) {
            return overThere(journal.get(), wanted.get());
        }
        if (journal.isEmpty() && wanted.get().inPlace().isPresent()) {
            return Optional.of(new Restore.Awaited("EtcdRestore " + wanted.get().name()
                    + " restores a ring in place, but that ring does not exist. Check that this is the right"
                    + " Kubernetes cluster. To restore into a new ring, remove inPlace"));
        }
        return Optional.of(new RestoreSource(stores, protection.policies(), now)
                .of(wanted.get(), begun, state.kube().restoredInto().isPresent()));
    }

    /// Never restores over an existing ring, except over the named one: as long as that one exists, the
    /// restore was not done.
    private Optional<Restore> overThere(Journal journal, RestoreRequest request) {
        var former = journal.clusterId().orElseThrow();
        var meant = request.inPlace().map(EtcdId::parse);
        if (meant.filter(former::equals).isPresent()) {
            var underWay = journal.intent().flatMap(Intent::recovery);
            var source = new RestoreSource(stores, desired.protection().policies(), now);
            return Optional.of(
                    switch (source.of(request, underWay, false)) {
                        case Restore.Wanted(var order) -> new Restore.InPlace(order, former);
                        case Restore other -> other;
                    });
        }
        boolean done = journal.origin()
                .filter(origin -> origin.request().equals(request.name()))
                .isPresent();
        return done ? Optional.empty() : Optional.of(new Restore.Asked(request.name(), stays(former, meant)));
    }

    private static String stays(EtcdId former, Optional<EtcdId> meant) {
        return meant.map(id -> "is not the one in the document: the document names the cluster ID " + id
                        + ", and the existing ring has " + former
                        + ". Remove the document when it is no longer needed")
                .orElse("already exists, so nothing is restored over it. Remove the document, or give the new ring"
                        + " another name");
    }

    private List<RescueSource.Kept> kept(EtcdClusterSpec ring) {
        return BackupPlaces.policies(desired, ring)
                .map(BackupPolicy::destination)
                .distinct()
                .map(place -> new RescueSource.Kept(
                        place,
                        java.util.Objects.requireNonNull(places.get(place))
                                .map(rings -> rings.getOrDefault(ring.ref(), RingBackups.NONE))))
                .toList();
    }

    private OfPolicy of(EtcdClusterSpec ring, BackupPolicy policy, EtcdId clusterId) {
        boolean holds = PolicySelection.holds(policy, ring);
        var meant = holds ? policy : policy.onRequestOnly();
        var all = java.util.Objects.requireNonNull(places.get(policy.destination()))
                .map(rings -> rings.getOrDefault(ring.ref(), RingBackups.NONE));
        var stored = all.map(backups -> backups.of(clusterId));
        var dues = all.optional()
                .map(backups -> dues(ring, meant, backups, backups.of(clusterId)))
                .orElse(Dues.NONE);
        return new OfPolicy(meant, stored, dues);
    }

    /// A backup of any ring of the name fulfils a request: it is done once, whatever happened to the ring
    /// since.
    private Dues dues(EtcdClusterSpec ring, BackupPolicy policy, RingBackups all, RingBackups own) {
        var unanswered = BackupPlaces.requests(desired, ring, policy)
                .map(BackupRequest::name)
                .filter(name -> all.backups().stream().noneMatch(b -> b.answers(name)))
                .toList();
        var pinned = new HashSet<>(BackupPlaces.pinned(desired, environment, ring.ref(), policy));
        pinned.addAll(restoring.pinned(environment, ring.ref(), policy));
        if (restoring.unclear(desired, environment, ring.ref())) {
            own.backups().forEach(backup -> pinned.add(backup.id()));
        }
        return Dues.of(policy, own, unanswered, pinned, now);
    }
}
