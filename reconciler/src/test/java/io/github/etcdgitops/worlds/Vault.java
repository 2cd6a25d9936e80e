package io.github.etcdgitops.worlds;

import io.github.etcdgitops.backup.BackupCatalog;
import io.github.etcdgitops.backup.SnapshotReader;
import io.github.etcdgitops.execute.backup.Backups;
import io.github.etcdgitops.fake.FakeStore;
import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.store.codec.Encoded;
import io.github.etcdgitops.pipeline.backup.RescueSource;
import io.github.etcdgitops.ring.RestoreOrder;
import io.github.etcdgitops.ring.backup.BackupNeeds;
import io.github.etcdgitops.ring.backup.BackupNeeds.Dues;
import io.github.etcdgitops.ring.backup.BackupNeeds.OfPolicy;
import io.github.etcdgitops.spec.BackupPolicy;
import io.github.etcdgitops.spec.BackupPolicy.Objectives;
import io.github.etcdgitops.spec.BackupPolicy.Timing;
import io.github.etcdgitops.spec.ring.RingSelector;
import io.github.etcdgitops.spec.value.Destination;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.backup.BackupKey;
import io.github.etcdgitops.state.backup.RingBackups;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.value.EtcdId;
import io.github.etcdgitops.state.value.Observed;
import io.github.etcdgitops.validation.Location;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;

/// Where a play's backups are, and the policy that asks for them; none, until one is set.
final class Vault {
    private static final String BARE = "latest.db";
    private static final Destination PLACE = new Destination.Directory("/backups", "");

    FakeStore store;
    final List<String> requests = new ArrayList<>();
    private final FakeWorld world;
    private Optional<BackupPolicy> policy = Optional.empty();
    private Optional<RestoreOrder> restore = Optional.empty();
    private Optional<EtcdId> inPlace = Optional.empty();

    Vault(FakeWorld world) {
        this.world = world;
        this.store = new FakeStore("memory", world);
    }

    /// One every so often, the last `last` kept, and one of the last hour before a risky change.
    Vault keep(Duration every, int last) {
        policy = Optional.of(new BackupPolicy(
                "nightly",
                new RingSelector(List.of(), List.of("demo"), new TreeMap<>()),
                Optional.of(new Timing.Every(every)),
                new Destination.Directory("/backups", ""),
                new BackupPolicy.Encoding(true, Optional.empty(), Optional.empty()),
                new BackupPolicy.Terms(
                        new BackupPolicy.Retention(
                                OptionalInt.of(last),
                                Optional.empty(),
                                OptionalInt.empty(),
                                OptionalInt.empty(),
                                OptionalInt.empty(),
                                ZoneOffset.UTC),
                        new Objectives(Optional.empty(), Optional.of(Duration.ofHours(1))),
                        Optional.empty()),
                Location.ofFile("policies/nightly.yaml")));
        return this;
    }

    /// A drill every so often, in a namespace of its own; one that passed is wanted of twice that age.
    Vault drill(Duration every) {
        policy = policy.map(p -> new BackupPolicy(
                p.name(),
                p.rings(),
                p.timing(),
                p.destination(),
                p.encoding(),
                new BackupPolicy.Terms(
                        p.retention(),
                        p.objectives(),
                        Optional.of(new BackupPolicy.Drill(every, "drills", Optional.of(every.plus(every))))),
                p.source()));
        return this;
    }

    /// A new ring shall begin with the newest backup that another play has made.
    void restoreFrom(Vault other) {
        store = other.store;
        var newest = other.stored().newest().orElseThrow();
        try {
            var manifest = SnapshotReader.manifest(store, newest.key());
            restore = Optional.of(new RestoreOrder(
                    "orders-again",
                    new RestoreOrder.Stored.Certified(PLACE, newest.key(), manifest),
                    Optional.empty()));
        } catch (SnapshotReader.Damaged e) {
            throw new AssertionError(e);
        }
    }

    /// A new ring shall begin with an object without a manifest: the newest snapshot of another play.
    void restoreBare(Vault other) {
        long size = putBare(other);
        restore = Optional.of(new RestoreOrder(
                "orders-again",
                new RestoreOrder.Stored.Bare(new Destination.Directory("/backups", ""), BARE, size),
                Optional.empty()));
    }

    /// Puts it there, in place of what there is; returns its size in bytes.
    long putBare(Vault other) {
        var key = other.stored().newest().orElseThrow().key().file("snapshot.db.zst");
        try (var plain = new Encoded(List::of).decode(other.store.open(key), true, false)) {
            byte[] bytes = plain.readAllBytes();
            store.put(BARE, bytes);
            return bytes.length;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The backup, its policy or the document is gone.
    void forgetRestore() {
        restore = Optional.empty();
    }

    List<BackupPolicy> policies() {
        return policy.stream().toList();
    }

    RingBackups stored() {
        return BackupCatalog.of(store, "prod", Play.REF, world.instant());
    }

    /// The ring that is there shall make room for the backup of this id.
    void restoreInPlace(String id) {
        var backup = stored().backups().stream()
                .filter(b -> b.id().equals(id))
                .findFirst()
                .orElseThrow();
        inPlace = world.look(Play.REF).clusterId();
        restore = Optional.of(order("orders-back", backup.key()));
    }

    /// The same for an object without a manifest: the newest snapshot of another play.
    void restoreInPlace(Vault other) {
        restoreBare(other);
        inPlace = world.look(Play.REF).clusterId();
    }

    private RestoreOrder order(String request, BackupKey key) {
        try {
            return new RestoreOrder(
                    request,
                    new RestoreOrder.Stored.Certified(PLACE, key, SnapshotReader.manifest(store, key)),
                    Optional.empty());
        } catch (SnapshotReader.Damaged e) {
            throw new AssertionError(e);
        }
    }

    private Optional<BackupNeeds.Restore> wanted() {
        var founded = world.look(Play.REF).journal().filter(Journal::founded).flatMap(Journal::clusterId);
        return founded.isEmpty()
                ? restore.map(BackupNeeds.Restore.Wanted::new)
                : restore.filter(_ -> founded.equals(inPlace))
                        .map(order -> new BackupNeeds.Restore.InPlace(order, founded.get()));
    }

    private Optional<BackupNeeds.Restore> rescued(ClusterState state) {
        if (policy.isEmpty()) {
            return Optional.empty();
        }
        Observed<RingBackups> all;
        try {
            all = Observed.known(stored());
        } catch (GatewayException e) {
            all = Observed.unknown(String.valueOf(e.getMessage()));
        }
        return new RescueSource(_ -> store, List.of(new RescueSource.Kept(PLACE, all))).of(state);
    }

    BackupNeeds needs(ClusterState state) {
        var wanted = rescued(state).or(this::wanted);
        var policies = policy.map(p -> List.of(ofPolicy(p))).orElse(List.of());
        return policies.isEmpty() && wanted.isEmpty()
                ? BackupNeeds.NONE
                : new BackupNeeds("prod", policies, wanted, Optional.empty(), List.of());
    }

    private OfPolicy ofPolicy(BackupPolicy asked) {
        try {
            var stored = stored();
            var open = requests.stream()
                    .filter(name -> stored.backups().stream().noneMatch(b -> b.answers(name)))
                    .toList();
            return new OfPolicy(asked, Observed.known(stored), Dues.of(asked, stored, open, Set.of(), world.instant()));
        } catch (GatewayException e) {
            return new OfPolicy(asked, Observed.unknown(String.valueOf(e.getMessage())), Dues.NONE);
        }
    }

    Backups backups() {
        return new Backups(_ -> store, new Encoded(List::of), new Semaphore(1), "test", (_, _, _) -> {});
    }
}
