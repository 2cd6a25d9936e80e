package io.github.etcdgitops.pipeline;

import io.github.etcdgitops.backup.BackupCatalog;
import io.github.etcdgitops.gateway.BackupStores;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.plan.BackupNeeds;
import io.github.etcdgitops.plan.BackupNeeds.Dues;
import io.github.etcdgitops.plan.BackupNeeds.OfPolicy;
import io.github.etcdgitops.spec.BackupPolicy;
import io.github.etcdgitops.spec.BackupRequest;
import io.github.etcdgitops.spec.ClusterRef;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.Destination;
import io.github.etcdgitops.spec.EtcdClusterSpec;
import io.github.etcdgitops.spec.PolicySelection;
import io.github.etcdgitops.spec.RejectedPolicy;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.EtcdId;
import io.github.etcdgitops.state.Observed;
import io.github.etcdgitops.state.RingBackups;
import io.github.etcdgitops.state.RingState;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Stream;

/// What the policies ask for each ring, and what the places that they name keep: one listing a place and run, and
/// none where no policy holds.
final class Protections {
    private static final int PLACES_AT_ONCE = 8;

    private final DesiredState desired;
    private final String environment;
    private final Instant now;
    private final Map<Destination, Observed<SortedMap<ClusterRef, RingBackups>>> places;

    private Protections(
            DesiredState desired,
            String environment,
            Instant now,
            Map<Destination, Observed<SortedMap<ClusterRef, RingBackups>>> places) {
        this.desired = desired;
        this.environment = environment;
        this.now = now;
        this.places = places;
    }

    static Protections read(BackupStores stores, DesiredState desired, String environment, Instant now) {
        var places = Environments.rings(desired, environment).stream()
                .flatMap(ring -> policies(desired, ring))
                .map(BackupPolicy::destination)
                .distinct()
                .toList();
        var listed = Parallel.map(places, PLACES_AT_ONCE, place -> list(stores, place, environment, now));
        var byPlace = new HashMap<Destination, Observed<SortedMap<ClusterRef, RingBackups>>>();
        for (int i = 0; i < places.size(); i++) {
            byPlace.put(places.get(i), listed.get(i));
        }
        return new Protections(desired, environment, now, byPlace);
    }

    private static Observed<SortedMap<ClusterRef, RingBackups>> list(
            BackupStores stores, Destination place, String environment, Instant now) {
        try (var store = stores.open(place)) {
            return Observed.known(BackupCatalog.of(store, environment, now));
        } catch (GatewayException e) {
            return Observed.unknown(String.valueOf(e.getMessage()));
        }
    }

    /// Those that hold for the ring, and those that somebody asks a single backup of.
    private static Stream<BackupPolicy> policies(DesiredState desired, EtcdClusterSpec ring) {
        return desired.protection().policies().stream()
                .filter(p -> PolicySelection.holds(p, ring)
                        || requests(desired, ring, p).findAny().isPresent());
    }

    private static Stream<BackupRequest> requests(DesiredState desired, EtcdClusterSpec ring, BackupPolicy policy) {
        return desired.protection().requests().stream()
                .filter(r -> r.cluster().equals(ring.ref()) && r.policy().equals(policy.name()));
    }

    /// A ring that does not answer has no cluster ID to look for: whether anything is due, nobody knows.
    BackupNeeds of(EtcdClusterSpec ring, ClusterState state) {
        var policies = state.ring()
                .optional()
                .map(RingState::clusterId)
                .or(() -> state.kube()
                        .journal()
                        .optional()
                        .flatMap(j -> j)
                        .flatMap(j -> j.journal().clusterId()))
                .map(id -> policies(desired, ring).map(p -> of(ring, p, id)).toList())
                .orElse(List.of());
        return new BackupNeeds(
                environment,
                policies,
                restore(ring.ref()),
                PolicySelection.missing(ring, desired.protection().policies()),
                desired.protection().rejected().stream()
                        .filter(policy -> PolicySelection.mayHold(policy, ring))
                        .map(RejectedPolicy::source)
                        .toList());
    }

    /// A ring that somebody wants restored, or may want restored, is not founded empty.
    private Optional<String> restore(ClusterRef ring) {
        var protection = desired.protection();
        var wanted = Optional.ofNullable(protection.restores().get(ring))
                .map(r -> "the document EtcdRestore " + r.name()
                        + " says what shall be in this ring, and this version does not carry that out yet;"
                        + " it is not founded empty");
        return wanted.or(() -> protection.unclear().stream()
                .findFirst()
                .map(at -> "the document at " + at + " may ask for a restore of a ring that nobody can make out:"
                        + " no ring is founded until it is mended"));
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

    /// A request is answered by any ring of the name: it is done once, whatever became of the ring since.
    private Dues dues(EtcdClusterSpec ring, BackupPolicy policy, RingBackups all, RingBackups own) {
        var unanswered = requests(desired, ring, policy)
                .map(BackupRequest::name)
                .filter(name -> all.backups().stream().noneMatch(b -> b.answers(name)))
                .toList();
        return Dues.of(policy, own, unanswered, now);
    }
}
