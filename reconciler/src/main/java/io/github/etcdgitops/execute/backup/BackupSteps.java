package io.github.etcdgitops.execute.backup;

import io.github.etcdgitops.backup.BackupCatalog;
import io.github.etcdgitops.backup.Pruning;
import io.github.etcdgitops.backup.SnapshotWriter;
import io.github.etcdgitops.execute.Hashes;
import io.github.etcdgitops.execute.SafetyGate;
import io.github.etcdgitops.execute.Sources;
import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.execute.StepHandler;
import io.github.etcdgitops.execute.backup.SnapshotSource.Standing;
import io.github.etcdgitops.execute.job.ImageOrder;
import io.github.etcdgitops.gateway.BackupStore;
import io.github.etcdgitops.gateway.EtcdGateway;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.ring.BackupOrder;
import io.github.etcdgitops.ring.StepResult;
import io.github.etcdgitops.ring.backup.BackupStep;
import io.github.etcdgitops.state.backup.BackupKey;
import io.github.etcdgitops.state.backup.Manifest.RingRevision;
import io.github.etcdgitops.state.member.MemberState;
import io.github.etcdgitops.state.value.EtcdId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// Takes and deletes backups. Only reads from the ring.
///
/// A backup counts only once its manifest exists, and the manifest is written last: a run that is killed at
/// any point leaves objects that do not count. The next run does not continue with them; it starts again.
public final class BackupSteps implements StepHandler<BackupStep> {
    private final StepContext context;
    private final Backups backups;
    private final DrillSteps drills;
    private Optional<SavedSnapshot> saved = Optional.empty();

    public BackupSteps(StepContext context, Backups backups, ImageOrder loading) {
        this.context = context;
        this.backups = backups;
        this.drills = new DrillSteps(context, backups, loading);
    }

    @Override
    public Optional<String> alreadySo(BackupStep step) {
        return switch (step) {
            case BackupStep.DeleteBackups(var order, var expired, var leftovers) -> deleted(order, expired, leftovers);
            case BackupStep.SaveSnapshot _, BackupStep.CertifyBackup _, BackupStep.TryRestore _ -> Optional.empty();
        };
    }

    @Override
    public StepResult act(BackupStep step) {
        return switch (step) {
            case BackupStep.SaveSnapshot save -> save(save);
            case BackupStep.CertifyBackup certify -> certify(certify);
            case BackupStep.DeleteBackups(var order, var expired, var leftovers) -> delete(order, expired, leftovers);
            case BackupStep.TryRestore drill -> drills.tryRestore(drill);
        };
    }

    StepResult save(BackupStep.SaveSnapshot step) {
        saved = Optional.empty();
        var busy = context.awaitTurn(
                step.deadline(),
                () -> backups.permits().tryAcquire()
                        ? Optional.empty()
                        : Optional.of("the limit of parallel backups is reached"));
        if (busy.isPresent()) {
            return new StepResult.Held(busy.get());
        }
        try (var store = backups.stores().open(step.order().destination())) {
            return save(step, store);
        } finally {
            backups.permits().release();
        }
    }

    /// The wait for a slot may have been long, so the ring is read again.
    private StepResult save(BackupStep.SaveSnapshot step, BackupStore store) {
        var fresh = context.refresh();
        var suspended = SafetyGate.unsuspended(fresh);
        if (suspended.isPresent()) {
            return new StepResult.Held(suspended.get());
        }
        var sources = Sources.of(fresh);
        if (sources.isEmpty()) {
            return new StepResult.Held("no member that could be the source of a snapshot answers");
        }
        store.abandon(BackupKey.below(step.order().environment(), context.ref()), BackupCatalog.UNFINISHED);
        return switch (beginning(sources, SnapshotSource.of(context, fresh, sources))) {
            case Beginning.Refused(String reason) -> new StepResult.Failed(reason);
            case Start start -> {
                var taken = save(step, start, store);
                saved = Optional.of(taken);
                yield new StepResult.Done(taken.title(context.ref()));
            }
        };
    }

    private sealed interface Beginning {
        record Refused(String reason) implements Beginning {}
    }

    /// The state of the data before the snapshot, the member that reported it, and the ring's revision.
    private record Start(MemberState member, EtcdGateway.KeyHash before, Optional<RingRevision> ring)
            implements Beginning {}

    /// A member that lags, or cannot report its data (because of a slow disk, for example), must not block
    /// the ring's backup permanently: then the next member is asked.
    private Beginning beginning(List<MemberState> sources, SnapshotSource abreast) {
        var reasons = new ArrayList<String>();
        for (var member : sources) {
            try {
                switch (abreast.standing(member)) {
                    case Standing.Source(var ring) -> {
                        return new Start(member, hash(member), ring);
                    }
                    case Standing.Behind(String reason) -> reasons.add(reason);
                }
            } catch (GatewayException e) {
                if (e.kind() == GatewayException.Kind.UNAUTHORIZED) {
                    throw e;
                }
                reasons.add(String.valueOf(e.getMessage()));
            }
        }
        return new Beginning.Refused("no member can be the source of a backup: " + String.join("; ", reasons));
    }

    private EtcdGateway.KeyHash hash(MemberState member) {
        var clusterId = context.state().ring().optional().orElseThrow().clusterId();
        return context.calls().through(member, (etcd, route) -> {
            requireMember(etcd, route, member, clusterId);
            return etcd.hashKeys(route, 0, Hashes.HASHING);
        });
    }

    /// The age of a backup counts from the moment when the ring was asked: later writes need not be in it.
    private SavedSnapshot save(BackupStep.SaveSnapshot step, Start start, BackupStore store) {
        var order = step.order();
        var member = start.member();
        var began = context.now();
        var ring = context.state().ring().optional().orElseThrow();
        var since = start.ring().map(RingRevision::asked).orElse(began);
        var key = new BackupKey(
                order.environment(), context.ref(), ring.clusterId(), BackupKey.stamp(since) + order.suffix());
        long size = member.status().optional().map(MemberState.Status::dbSize).orElse(0L);
        var meter = new TransferMeter(
                context,
                order.encoding().bytesPerSecond(),
                step.deadline(),
                moved -> backups.moved().bytes(context.ref(), moved, size));
        return context.calls().through(member, (etcd, route) -> {
            requireMember(etcd, route, member, ring.clusterId());
            var before = start.before();
            var keys = etcd.countKeys(route, before.revision(), Hashes.HASHING);
            var written = new SnapshotWriter(etcd, backups.encodings())
                    .write(route, store, key, order.encoding(), meter::moved);
            var snapshot = new SavedSnapshot(
                    key,
                    member,
                    before,
                    OptionalLong.of(keys),
                    start.ring(),
                    new SavedSnapshot.Times(began, context.now()),
                    written);
            try {
                requireMember(etcd, route, member, ring.clusterId());
            } catch (GatewayException e) {
                discard(store, snapshot);
                throw e;
            }
            return snapshot;
        });
    }

    /// An address may belong to another pod by now: the answer must come from the intended member.
    private static void requireMember(
            EtcdGateway etcd, MemberAccess.Route route, MemberState member, EtcdId clusterId) {
        var view = etcd.probe(route, StepContext.CALL);
        if (!view.clusterId().equals(clusterId) || !view.self().equals(member.id())) {
            throw new GatewayException(
                    GatewayException.Kind.UNREACHABLE,
                    false,
                    "another member answers where " + member.id() + " of cluster " + clusterId
                            + " was expected. The data is discarded");
        }
    }

    /// A backup that fails verification is deleted at once, so that it never counts as one.
    StepResult certify(BackupStep.CertifyBackup step) {
        var snapshot = saved.filter(s -> s.isFor(step.order()));
        if (snapshot.isEmpty()) {
            return new StepResult.Failed("this run stored no snapshot to verify");
        }
        try (var store = backups.stores().open(step.order().destination())) {
            var refused = new Certification(context, store).certify(snapshot.get(), step.operationId(), backups.tool());
            saved = Optional.empty();
            if (refused.isPresent()) {
                return new StepResult.Failed(refused.get() + discard(store, snapshot.get()));
            }
            return new StepResult.Done("backup " + snapshot.get().key().id());
        }
    }

    /// Names what could not be deleted. It has no manifest, so it is no backup in any case.
    private static String discard(BackupStore store, SavedSnapshot snapshot) {
        String key = snapshot.written().stored().key();
        try {
            store.delete(key);
            return "";
        } catch (GatewayException e) {
            return "; " + key + " could not be deleted: " + e.getMessage();
        }
    }

    /// The stored objects are listed again right before the deletion.
    StepResult delete(BackupOrder order, List<BackupKey> expired, List<BackupKey> leftovers) {
        try (var store = backups.stores().open(order.destination())) {
            var now = BackupCatalog.of(store, order.environment(), context.ref(), context.now());
            var refusal = expired.stream()
                    .flatMap(key -> Pruning.refusal(now, key).stream())
                    .findFirst();
            if (refusal.isPresent()) {
                return new StepResult.Held(refusal.get());
            }
            int deleted = 0;
            int locked = 0;
            var going = new ArrayList<>(expired);
            leftovers.stream().filter(now.leftovers()::contains).forEach(going::add);
            for (var key : going) {
                context.keepLease();
                var went = Pruning.deleteUnlessLocked(store, key);
                deleted += went.orElse(0);
                locked += went.isPresent() ? 0 : 1;
            }
            int abandoned =
                    store.abandon(BackupKey.below(order.environment(), context.ref()), BackupCatalog.UNFINISHED);
            return new StepResult.Done(deleted + " objects"
                    + (locked == 0 ? "" : ", " + locked + " are locked by the store and stay")
                    + (abandoned == 0 ? "" : ", " + abandoned + " unfinished uploads"));
        }
    }

    /// Why a deletion is unnecessary.
    Optional<String> deleted(BackupOrder order, List<BackupKey> expired, List<BackupKey> leftovers) {
        try (var store = backups.stores().open(order.destination())) {
            boolean none = expired.stream().allMatch(k -> store.list(k.prefix()).isEmpty())
                    && leftovers.stream().allMatch(k -> store.list(k.prefix()).isEmpty());
            return none ? Optional.of("they are gone") : Optional.empty();
        } catch (GatewayException _) {
            return Optional.empty();
        }
    }
}
