package io.github.etcdgitops.execute.deletion;

import io.github.etcdgitops.backup.BackupCatalog;
import io.github.etcdgitops.backup.SnapshotReader;
import io.github.etcdgitops.backup.Verification;
import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.execute.StepHandler;
import io.github.etcdgitops.execute.backup.Backups;
import io.github.etcdgitops.execute.backup.TransferMeter;
import io.github.etcdgitops.gateway.BackupStore;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.ring.BackupOrder;
import io.github.etcdgitops.ring.StepResult;
import io.github.etcdgitops.ring.deletion.SnapshotStep;
import io.github.etcdgitops.state.backup.BackupKey;
import io.github.etcdgitops.state.backup.Manifest;
import io.github.etcdgitops.state.backup.StoredBackup;
import io.github.etcdgitops.state.health.RingHealth;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.RetainedRing;
import java.util.Optional;

/// Handles the last snapshot of a ring: nothing of the ring is deleted before the snapshot exists, is
/// complete, and has everything that was ever written. Fails closed: a snapshot that cannot be read back
/// does not count.
public final class SnapshotSteps implements StepHandler<SnapshotStep> {
    private final StepContext context;
    private final Backups backups;

    public SnapshotSteps(StepContext context, Backups backups) {
        this.context = context;
        this.backups = backups;
    }

    @Override
    public StepResult act(SnapshotStep step) {
        return switch (step) {
            case SnapshotStep.AwaitQuiet _ -> awaitQuiet();
            case SnapshotStep.ProveSnapshot(BackupOrder order, String operationId) -> prove(step, order, operationId);
            case SnapshotStep.ConfirmSnapshot(BackupOrder order) -> confirm(order);
        };
    }

    private StepResult awaitQuiet() {
        var before = RingHealth.newestRevision(context.state());
        context.pass(SnapshotStep.QUIET);
        context.refresh();
        var after = RingHealth.newestRevision(context.state());
        if (before.isEmpty() || after.isEmpty()) {
            return new StepResult.Held("no member answers");
        }
        return before.equals(after)
                ? new StepResult.Done("revision " + after.getAsLong() + ", and no client writes")
                : new StepResult.Held(
                        "a client writes to the ring: its revision went from " + before.getAsLong() + " to "
                                + after.getAsLong() + " within " + SnapshotStep.QUIET.toSeconds()
                                + " seconds. The ring is deleted with its data only when all writes have stopped");
    }

    private StepResult prove(SnapshotStep step, BackupOrder order, String operationId) {
        try (var store = backups.stores().open(order.destination())) {
            var clusterId = context.journal().clusterId().orElseThrow();
            var newest = StoredBackup.newest(
                    BackupCatalog.of(store, order.environment(), context.ref(), context.now())
                            .of(clusterId)
                            .backups()
                            .stream()
                            .filter(backup -> backup.id().endsWith(order.suffix()))
                            .toList());
            if (newest.isEmpty()) {
                return new StepResult.Held(store.title() + " has no snapshot of this deletion");
            }
            return prove(step, store, newest.get().key(), operationId);
        }
    }

    private StepResult prove(SnapshotStep step, BackupStore store, BackupKey key, String operationId) {
        return switch (verified(step, store, key)) {
            case Verification.Result.Damaged(String reason) -> {
                Verification.mark(store, key, reason, context.now());
                yield new StepResult.Failed("the stored snapshot is not reliable: " + reason);
            }
            case Verification.Result.Sound(Manifest manifest) -> {
                if (!manifest.operationId().equals(operationId)) {
                    yield new StepResult.Held("the newest snapshot " + key.id() + " is not of this deletion");
                }
                context.refresh();
                yield journalled(key, manifest.content().revision());
            }
        };
    }

    /// A snapshot encrypted for a key that we do not have is compared as stored: its hashes were compared
    /// when it was taken.
    private Verification.Result verified(SnapshotStep step, BackupStore store, BackupKey key) {
        var verification = new Verification(backups.encodings());
        try {
            return verification.verify(
                    store, key, size -> new TransferMeter(context, backups, step.deadline(), size)::moved);
        } catch (GatewayException e) {
            if (e.kind() != GatewayException.Kind.UNAUTHORIZED) {
                throw e;
            }
            return verification.verifyStored(
                    store, key, size -> new TransferMeter(context, backups, step.deadline(), size)::moved);
        }
    }

    private StepResult journalled(BackupKey key, long revision) {
        var now = RingHealth.newestRevision(context.state());
        if (now.isEmpty() || now.getAsLong() != revision) {
            return new StepResult.Held("a client has written since the snapshot at revision " + revision
                    + ": the ring is at " + (now.isPresent() ? String.valueOf(now.getAsLong()) : "an unknown revision")
                    + ". The next run takes another one");
        }
        var saved = new RetainedRing.Saved(key.id(), revision);
        if (context.journal().intent().flatMap(Intent::remains).isEmpty()) {
            return new StepResult.Held("according to the journal, no deletion is under way");
        }
        context.journal(journal -> journal.withIntent(journal.intent()
                .map(i -> Intent.of(
                        i.kind(),
                        i.operationId(),
                        i.epoch(),
                        i.remains().orElseThrow().with(saved)))));
        return new StepResult.Done("backup " + key.id() + " of revision " + revision);
    }

    private StepResult confirm(BackupOrder order) {
        var saved = context.journal().remains().flatMap(RetainedRing::saved);
        if (saved.isEmpty()) {
            return new StepResult.Held("the journal names no snapshot. No volume is deleted");
        }
        var key = new BackupKey(
                order.environment(),
                context.ref(),
                context.journal().clusterId().orElseThrow(),
                saved.get().backup());
        try (var store = backups.stores().open(order.destination())) {
            var missing = missing(store, key, saved.get());
            return missing.isPresent()
                    ? new StepResult.Held(missing.get() + ". No volume is deleted")
                    : new StepResult.Done("backup " + key.id() + " is there");
        }
    }

    private static Optional<String> missing(BackupStore store, BackupKey key, RetainedRing.Saved saved) {
        var entries = store.list(key.prefix());
        if (entries.stream().anyMatch(e -> e.key().equals(key.file(BackupKey.DAMAGED)))) {
            return Optional.of("the backup " + key.id() + " was found to be damaged");
        }
        try {
            var manifest = SnapshotReader.manifest(store, key);
            boolean whole = manifest.content().revision() == saved.revision()
                    && entries.stream()
                            .anyMatch(e -> e.key().equals(manifest.stored().key())
                                    && e.size() == manifest.stored().size());
            return whole
                    ? Optional.empty()
                    : Optional.of("the backup " + key.id() + " is not in " + store.title() + " unchanged");
        } catch (SnapshotReader.Damaged e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }
}
