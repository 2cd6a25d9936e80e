package io.github.etcdgitops.execute.backup;

import io.github.etcdgitops.backup.DrillResult;
import io.github.etcdgitops.backup.SnapshotReader;
import io.github.etcdgitops.backup.Verification;
import io.github.etcdgitops.execute.Comparison;
import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.execute.job.ImageOrder;
import io.github.etcdgitops.execute.job.JobRemoval;
import io.github.etcdgitops.gateway.BackupStore;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.gateway.RestoreJobs;
import io.github.etcdgitops.gateway.RestoreJobs.Phase;
import io.github.etcdgitops.gateway.RestoreJobs.RestoreJob;
import io.github.etcdgitops.gateway.RestoreJobs.Target;
import io.github.etcdgitops.gateway.SnapshotDigest;
import io.github.etcdgitops.ring.StepResult;
import io.github.etcdgitops.ring.backup.BackupStep;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.backup.Manifest;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/// Tests a backup by restoring it. Touches nothing of the ring.
///
/// Only a fault of the backup itself counts and is recorded as a failed drill. Other problems say nothing
/// about the backup; the drill objective shows when there were too many of them.
final class DrillSteps {
    /// The time for etcd to open its database and elect itself.
    private static final Duration UNTIL_IT_ANSWERS = Duration.ofMinutes(5);

    private final StepContext context;
    private final Backups backups;
    private final ImageOrder loading;
    private final JobRemoval jobs;

    DrillSteps(StepContext context, Backups backups, ImageOrder loading) {
        this.context = context;
        this.backups = backups;
        this.loading = loading;
        this.jobs = new JobRemoval(context, loading.jobs());
    }

    /// The result of the drill, as text.
    private sealed interface Shown {
        record Passed(String detail) implements Shown {}

        record Failed(String reason) implements Shown {}

        record Nothing(String reason) implements Shown {}
    }

    StepResult tryRestore(BackupStep.TryRestore step) {
        String name = RestoreJobs.drillName(context.ref());
        loading.requireImage();
        context.kube().ensureNamespace(context.ref(), step.namespace());
        var left = jobs.remove(step.namespace(), name);
        if (left.isPresent()) {
            return new StepResult.Failed(left.get());
        }
        var began = context.now();
        try (var store = backups.stores().open(step.order().destination())) {
            return result(step, store, proven(store, step), began);
        }
    }

    /// The whole backup is read first: what fails afterwards is not the fault of its bytes.
    private Shown proven(BackupStore store, BackupStep.TryRestore step) {
        return switch (new Verification(backups.encodings())
                .verify(store, step.backup(), size -> meter(step, size)::moved)) {
            case Verification.Result.Sound(Manifest manifest) -> restored(store, manifest, step);
            case Verification.Result.Damaged(String reason) -> {
                Verification.mark(store, step.backup(), reason, context.now());
                yield new Shown.Failed(reason);
            }
        };
    }

    private Shown restored(BackupStore store, Manifest manifest, BackupStep.TryRestore step) {
        if (version().isOlderMinorThan(manifest.source().version())) {
            return new Shown.Nothing("the ring runs etcd " + version() + ", which cannot read a backup of etcd "
                    + manifest.source().version());
        }
        var job = job(manifest, step);
        loading.jobs().create(job);
        try {
            return served(store, manifest, step, job);
        } finally {
            jobs.removeOwn(job);
        }
    }

    private Shown served(BackupStore store, Manifest manifest, BackupStep.TryRestore step, RestoreJob job) {
        var reader = new SnapshotReader(backups.encodings());
        var delivery = new SnapshotDelivery(
                context,
                loading,
                job,
                () -> reader.open(store, manifest.stored()),
                meter(step, manifest.content().size())::moved);
        return switch (delivery.until(Phase.Serving.class, step.deadline())) {
            case SnapshotDelivery.Ending.Fault(String reason) -> new Shown.Failed(reason);
            case SnapshotDelivery.Ending.Trouble(String reason) -> new Shown.Nothing(reason);
            case SnapshotDelivery.Ending.Reached(RestoreJobs.State state) -> compare(delivery, job, state, manifest);
        };
    }

    /// The drill reads no faster than the policy's backups are taken.
    private TransferMeter meter(BackupStep.TryRestore step, long total) {
        return new TransferMeter(
                context,
                step.order().encoding().bytesPerSecond(),
                step.deadline(),
                moved -> backups.moved().bytes(context.ref(), moved, total));
    }

    private RestoreJob job(Manifest manifest, BackupStep.TryRestore step) {
        var content = manifest.content();
        return new RestoreJob(
                context.objectsAtRest(),
                new Target.Scratch(
                        step.namespace(),
                        "d" + context.epoch() + "-" + context.random(),
                        context.spec().storage().storageClassName()),
                new RestoreJobs.Snapshot(new SnapshotDigest(content.size(), content.sha256()), false),
                Optional.empty(),
                loading.image().get(),
                step.deadline(),
                step.operationId());
    }

    /// An etcd that exits on the restored data says as much about the backup as one that refuses it.
    private Shown compare(SnapshotDelivery delivery, RestoreJob job, RestoreJobs.State state, Manifest manifest) {
        var found = new AtomicReference<Shown>();
        var missing = context.awaitTurn(UNTIL_IT_ANSWERS, () -> {
            try {
                found.set(shown(ask(job, state, manifest)));
                return Optional.empty();
            } catch (GatewayException e) {
                delivery.since().ifPresent(ending -> found.set(shown(ending)));
                return found.get() == null
                        ? Optional.of("etcd does not answer with the restored data: " + e.getMessage())
                        : Optional.empty();
            }
        });
        return found.get() == null ? new Shown.Nothing(missing.orElse("")) : found.get();
    }

    private static Shown shown(Comparison.Result result) {
        return switch (result) {
            case Comparison.Result.Alike(String detail) -> new Shown.Passed(detail);
            case Comparison.Result.Differs(String reason) -> new Shown.Failed(reason);
        };
    }

    private static Shown shown(SnapshotDelivery.Ending ending) {
        return switch (ending) {
            case SnapshotDelivery.Ending.Fault(String reason) -> new Shown.Failed(reason);
            case SnapshotDelivery.Ending.Trouble(String reason) -> new Shown.Nothing(reason);
            case SnapshotDelivery.Ending.Reached _ -> new Shown.Nothing("etcd does not answer with the restored data");
        };
    }

    private Comparison.Result ask(RestoreJob job, RestoreJobs.State state, Manifest manifest) {
        var pod = state.pod()
                .orElseThrow(() -> new GatewayException(
                        GatewayException.Kind.UNREACHABLE, false, "the pod of Job " + job.name() + " is gone"));
        var address = new MemberAccess.Pod(context.ref(), job.namespace(), pod.name(), pod.ip());
        return context.calls()
                .toPod(
                        address,
                        (etcd, route) -> new Comparison(
                                        etcd,
                                        route,
                                        manifest.contents(),
                                        () -> etcd.shownRevision(route, StepContext.CALL))
                                .with(version(), 0));
    }

    private EtcdVersion version() {
        return context.state().kube().appliedOr(context.spec().server()).version();
    }

    private StepResult result(BackupStep.TryRestore step, BackupStore store, Shown shown, Instant began) {
        var at = context.now();
        var took = Duration.between(began, at);
        return switch (shown) {
            case Shown.Nothing(String reason) -> new StepResult.Failed(reason);
            case Shown.Passed(String detail) -> {
                new DrillResult(step.backup(), at, true, took, version(), detail, backups.tool()).store(store);
                yield new StepResult.Done("passed in " + took.toSeconds() + " s: " + detail);
            }
            case Shown.Failed(String reason) -> {
                new DrillResult(step.backup(), at, false, took, version(), reason, backups.tool()).store(store);
                yield new StepResult.Failed("backup " + step.backup().id() + " failed the drill: " + reason);
            }
        };
    }
}
