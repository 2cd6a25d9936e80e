package io.github.etcdgitops.execute.restore;

import io.github.etcdgitops.backup.SnapshotReader;
import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.execute.backup.Backups;
import io.github.etcdgitops.execute.backup.SnapshotDelivery;
import io.github.etcdgitops.execute.backup.TransferMeter;
import io.github.etcdgitops.execute.job.ImageOrder;
import io.github.etcdgitops.execute.job.JobRemoval;
import io.github.etcdgitops.execute.lease.Fenced;
import io.github.etcdgitops.gateway.BackupStore;
import io.github.etcdgitops.gateway.RestoreJobs;
import io.github.etcdgitops.gateway.RestoreJobs.Phase;
import io.github.etcdgitops.gateway.RestoreJobs.RestoreJob;
import io.github.etcdgitops.gateway.RestoreJobs.Target;
import io.github.etcdgitops.gateway.SnapshotDigest;
import io.github.etcdgitops.ring.RestoreOrder.Stored;
import io.github.etcdgitops.ring.StepResult;
import io.github.etcdgitops.ring.restore.RestoreStep;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.MemberConfig;
import io.github.etcdgitops.state.backup.Manifest;
import io.github.etcdgitops.state.journal.Journal;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Optional;

/// Loads a snapshot into the volume of a new ring's member 0, by a Job. It never overwrites existing data:
/// each attempt has its own data directory, and only the sealed configuration says which of them is
/// complete.
public final class LoadSteps {
    private final StepContext context;
    private final Backups backups;
    private final ImageOrder loading;
    private final JobRemoval jobs;

    public LoadSteps(StepContext context, Backups backups, ImageOrder loading) {
        this.context = context;
        this.backups = backups;
        this.loading = loading;
        this.jobs = new JobRemoval(context, loading.jobs());
    }

    /// Whether the data is complete in the directory that the journal names.
    Optional<String> loaded() {
        return context.state().kube().restoredInto().map(incarnation -> "restored into " + incarnation);
    }

    /// A Job of an earlier run whose pod has started and not failed continues: what blocked another pod may
    /// be fixed by now. Any other Job is deleted, and its data stays in a directory that is never used.
    StepResult load(RestoreStep.LoadSnapshot step) {
        if (context.statefulSet().isPresent()) {
            return new StepResult.Held("the StatefulSet exists, but its member has no restored data");
        }
        if (!(step.order().source() instanceof Stored source)) {
            return new StepResult.Held("the journal no longer names the source of the data");
        }
        var refused = adoptOrRemove(step);
        if (refused.isPresent()) {
            return new StepResult.Failed(refused.get());
        }
        var job = job(step, context.incarnation(0));
        if (loading.jobs().read(context.ref(), job.namespace(), job.name()).isEmpty()) {
            var claim = claimUid();
            if (claim.isEmpty()) {
                return new StepResult.Failed("the claim of " + context.ref().podName(0) + " is gone");
            }
            context.journal(journal -> journal.withMember(
                    0, new Journal.Member(context.newMember().incarnation(), Optional.empty(), claim)));
            job = job(step, context.incarnation(0));
            loading.jobs().create(job);
        }
        return deliver(job, source, step.deadline());
    }

    private StepResult deliver(RestoreJob job, Stored source, Duration deadline) {
        var meter = new TransferMeter(
                context, backups, deadline, job.snapshot().digest().size());
        try (var store = backups.stores().open(source.place())) {
            var delivery = new SnapshotDelivery(context, loading, job, () -> open(store, source), meter::moved);
            return switch (delivery.until(Phase.Succeeded.class, deadline)) {
                case SnapshotDelivery.Ending.Reached(RestoreJobs.State state) -> seal(state);
                case SnapshotDelivery.Ending.Fault(String reason) -> new StepResult.Failed(reason);
                case SnapshotDelivery.Ending.Trouble(String reason) -> new StepResult.Failed(reason);
            };
        }
    }

    private Optional<String> adoptOrRemove(RestoreStep.LoadSnapshot step) {
        var found =
                loading.jobs().read(context.ref(), context.ref().namespace(), RestoreJobs.restoreName(context.ref()));
        boolean sameClaim = claimUid().isPresent() && claimUid().equals(journalledClaim());
        boolean carriesOn = sameClaim
                && found.filter(s -> s.incarnation().equals(context.incarnation(0)))
                        .filter(s -> s.content().equals(journalled().sha256()))
                        .filter(s -> s.operation().equals(step.operationId()))
                        .filter(s -> !(s.phase() instanceof Phase.Failed || s.phase() instanceof Phase.Pending))
                        .isPresent();
        return carriesOn
                ? Optional.empty()
                : jobs.remove(context.ref().namespace(), RestoreJobs.restoreName(context.ref()));
    }

    private RestoreJob job(RestoreStep.LoadSnapshot step, String incarnation) {
        var token = context.journal().token();
        return new RestoreJob(
                context.objectsAtRest(),
                new Target.Volume(incarnation, token, context.peerUrls(0).getFirst()),
                new RestoreJobs.Snapshot(journalled(), false),
                step.order().bumpRevision(),
                loading.image().get(),
                step.deadline(),
                step.operationId());
    }

    private SnapshotDigest journalled() {
        return context.origin()
                .map(o -> new SnapshotDigest(o.size(), o.sha256()))
                .orElseThrow(() -> new Fenced("the journal does not name the backup to restore"));
    }

    private InputStream open(BackupStore store, Stored source) throws IOException, SnapshotReader.Damaged {
        return switch (source) {
            case Stored.Certified(var unused, var alsoUnused, Manifest manifest) ->
                new SnapshotReader(backups.encodings()).open(store, manifest.stored());
            case Stored.Bare(var unused, String key, var alsoUnused) -> store.open(key);
        };
    }

    /// Only for the directory that this Job has filled.
    private StepResult seal(RestoreJobs.State state) {
        context.refresh();
        if (!state.incarnation().equals(context.incarnation(0))) {
            return new StepResult.Failed("the Job restored into " + state.incarnation() + ", and the journal names "
                    + context.incarnation(0) + ". The next run starts again");
        }
        var sealed = new MemberConfig.Sealed(state.incarnation());
        context.kube().writeMemberConfig(context.objectsAtRest(), 0, Optional.of(sealed));
        return new StepResult.Done("restored into " + state.incarnation());
    }

    Optional<String> jobGone() {
        return jobs.isGone(context.ref().namespace(), RestoreJobs.restoreName(context.ref()))
                ? Optional.of("it is gone")
                : Optional.empty();
    }

    StepResult endJob() {
        if (loaded().isEmpty()) {
            return new StepResult.Held("the data is not in the volume yet");
        }
        return jobs.remove(context.ref().namespace(), RestoreJobs.restoreName(context.ref()))
                .<StepResult>map(StepResult.Failed::new)
                .orElseGet(() -> new StepResult.Done("removed"));
    }

    private Optional<String> claimUid() {
        return context.claim(0).filter(c -> c.ours() && !c.terminating()).map(KubeState.ClaimState::uid);
    }

    private Optional<String> journalledClaim() {
        return Optional.ofNullable(context.journal().members().get(0)).flatMap(Journal.Member::claimUid);
    }
}
