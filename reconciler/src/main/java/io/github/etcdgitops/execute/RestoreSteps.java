package io.github.etcdgitops.execute;

import io.github.etcdgitops.backup.SnapshotReader;
import io.github.etcdgitops.gateway.BackupStore;
import io.github.etcdgitops.gateway.RestoreJobs;
import io.github.etcdgitops.gateway.RestoreJobs.Phase;
import io.github.etcdgitops.gateway.RestoreJobs.RestoreJob;
import io.github.etcdgitops.gateway.RestoreJobs.Target;
import io.github.etcdgitops.gateway.SnapshotDigest;
import io.github.etcdgitops.spec.EtcdVersion;
import io.github.etcdgitops.state.Journal;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.Manifest;
import io.github.etcdgitops.state.MemberConfig;
import io.github.etcdgitops.step.RestoreOrder;
import io.github.etcdgitops.step.RestoreOrder.Source;
import io.github.etcdgitops.step.Step;
import io.github.etcdgitops.step.StepResult;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongConsumer;

/// Fills member 0 of a new ring. Nothing is created before the whole snapshot was read and proven, and nothing that was
/// there is ever written over: each attempt has a data directory of its own, and only the sealed configuration says
/// which of them is whole.
final class RestoreSteps {
    private final StepContext context;
    private final Backups backups;
    private final Loading loading;
    private final JobRemoval jobs;
    private Optional<SnapshotDigest> proven = Optional.empty();

    RestoreSteps(StepContext context, Backups backups, Loading loading) {
        this.context = context;
        this.backups = backups;
        this.loading = loading;
        this.jobs = new JobRemoval(context, loading.jobs());
    }

    /// A journal is opened only for what was verified.
    Optional<String> verified(RestoreOrder order) {
        return origin().filter(order::isOf).map(_ -> "it was verified before the journal was opened");
    }

    /// Asks for our image too: a restore that cannot make its Job is not begun.
    StepResult verify(Step.VerifySource step) {
        loading.requireImage();
        var source = step.order().source();
        var meter = meter(step.deadline(), size(source));
        try (var store = backups.stores().open(source.place())) {
            proven = Optional.of(prove(store, source, meter));
            return new StepResult.Done(
                    proven.get().size() + " bytes, SHA-256 " + proven.get().sha256());
        } catch (SnapshotReader.Damaged e) {
            return new StepResult.Failed(e.getMessage() + "; nothing was created");
        } catch (IOException e) {
            return new StepResult.Failed("reading " + step.order().from() + " broke off; nothing was created");
        }
    }

    private SnapshotDigest prove(BackupStore store, Source source, LongConsumer moved)
            throws SnapshotReader.Damaged, IOException {
        return switch (source) {
            case Source.Certified(var unused, var alsoUnused, Manifest manifest) -> {
                new SnapshotReader(backups.encodings())
                        .read(store, manifest, java.io.OutputStream.nullOutputStream(), moved);
                yield new SnapshotDigest(
                        manifest.content().size(), manifest.content().sha256());
            }
            case Source.Bare(var unused, String key, var alsoUnused) -> {
                var result = SnapshotReader.readBare(store, key, moved);
                yield new SnapshotDigest(result.size(), result.sha256());
            }
        };
    }

    private static long size(Source source) {
        return switch (source) {
            case Source.Certified(var unused, var alsoUnused, Manifest manifest) ->
                manifest.content().size();
            case Source.Bare(var unused, var alsoUnused, long size) -> size;
        };
    }

    private LongConsumer meter(Duration deadline, long total) {
        return new Meter(
                        context,
                        Optional.empty(),
                        deadline,
                        bytes -> backups.moved().bytes(context.ref(), bytes, total))::moved;
    }

    Optional<String> open(Step.OpenRestore step) {
        boolean same = origin().filter(step.order()::isOf).isPresent()
                && (loaded().isPresent() || context.journal().applied().equals(applied(step.version())));
        return same ? Optional.of("the journal is open") : Optional.empty();
    }

    /// Until the data is in the volume, a journal may be opened again for another snapshot or version.
    StepResult openJournal(Step.OpenRestore step) {
        boolean again = context.journalState()
                .map(j -> j.journal().isUnderWay(Journal.Kind.RESTORE))
                .orElse(false);
        if (!again && !context.state().kube().nothingThere()) {
            return new StepResult.Held("something of this ring is there, or that nothing is could not be confirmed");
        }
        if (again && (loaded().isPresent() || set().isPresent())) {
            return new StepResult.Held("the ring holds the data of another restore already");
        }
        var digest = proven.or(() ->
                origin().filter(step.order()::isOf).map(origin -> new SnapshotDigest(origin.size(), origin.sha256())));
        if (digest.isEmpty()) {
            return new StepResult.Held("this run has not verified the snapshot");
        }
        write(step, digest.get(), again);
        return new StepResult.Done("journal opened");
    }

    private void write(Step.OpenRestore step, SnapshotDigest digest, boolean again) {
        var members = new TreeMap<>(Map.of(0, member()));
        var intent = new Journal.Intent(Journal.Kind.RESTORE, 0, step.operationId(), context.epoch());
        var origin = step.order().origin(digest.size(), digest.sha256());
        var journal = new Journal(
                context.epoch(),
                context.ref().namespace() + "-" + context.ref().name() + "-" + context.random(),
                Optional.empty(),
                applied(step.version()),
                members,
                Optional.of(intent),
                Optional.of(origin));
        if (again) {
            context.journal(_ -> journal);
        } else {
            context.kube().writeJournal(context.ref(), journal, Optional.empty());
            context.refresh();
        }
    }

    private Journal.Applied applied(EtcdVersion version) {
        return new Journal.Applied(version, context.spec().server().options());
    }

    /// A data directory that nobody had before.
    private Journal.Member member() {
        return new Journal.Member("e" + context.epoch() + "-" + context.random(), Optional.empty(), Optional.empty());
    }

    Optional<String> claimThere() {
        return context.claim(0)
                .filter(claim -> claim.ours() && !claim.terminating())
                .map(KubeState.ClaimState::name);
    }

    StepResult createClaim() {
        if (context.claim(0).isPresent()) {
            return new StepResult.Held("the claim " + context.claim(0).get().name() + " is not ours, or it is going");
        }
        loading.jobs().createClaim(context.objectsAtRest(), 0);
        return new StepResult.Done("created");
    }

    /// Whether the data is whole in the directory that the journal names.
    Optional<String> loaded() {
        return context.config(0)
                .filter(c -> c instanceof MemberConfig.Sealed(String incarnation)
                        && incarnation.equals(context.incarnation(0)))
                .map(c -> "restored into " + c.incarnation());
    }

    /// A Job that an earlier run made and that has not failed is carried on with. Any other one goes, and what it may
    /// have left stays in a directory that nobody will look into.
    StepResult load(Step.LoadSnapshot step) {
        if (set().isPresent()) {
            return new StepResult.Held("the StatefulSet is there, and its member has no restored data");
        }
        var refused = adoptOrRemove(step);
        if (refused.isPresent()) {
            return new StepResult.Failed(refused.get());
        }
        var job = job(step, context.incarnation(0));
        if (loading.jobs().read(job.namespace(), job.name()).isEmpty()) {
            context.journal(journal -> journal.withMember(0, member()));
            job = job(step, context.incarnation(0));
            loading.jobs().create(job);
        }
        var delivery = new Delivery(
                context,
                loading,
                job,
                sending -> send(step.order().source(), sending),
                meter(step.deadline(), job.snapshot().digest().size()));
        return switch (delivery.until(Phase.Succeeded.class, step.deadline())) {
            case Delivery.Ending.Reached(RestoreJobs.State state) -> seal(state);
            case Delivery.Ending.Fault(String reason) -> new StepResult.Failed(reason);
            case Delivery.Ending.Trouble(String reason) -> new StepResult.Failed(reason);
        };
    }

    private Optional<String> adoptOrRemove(Step.LoadSnapshot step) {
        var found = loading.jobs().read(context.ref().namespace(), RestoreJobs.restoreName(context.ref()));
        boolean carriesOn = found.filter(s -> s.incarnation().equals(context.incarnation(0)))
                .filter(s -> s.sha256().equals(journalled().sha256()))
                .filter(s -> s.operation().equals(step.operationId()))
                .filter(s -> !(s.phase() instanceof Phase.Failed))
                .isPresent();
        return carriesOn
                ? Optional.empty()
                : jobs.remove(context.ref().namespace(), RestoreJobs.restoreName(context.ref()));
    }

    private RestoreJob job(Step.LoadSnapshot step, String incarnation) {
        var token = context.journal().token();
        return new RestoreJob(
                context.objectsAtRest(),
                new Target.Volume(incarnation, token, FoundingSteps.peerUrl(context.ref(), 0)),
                new RestoreJobs.Snapshot(journalled(), false),
                step.order().bumpRevision(),
                loading.image().get(),
                step.deadline(),
                step.operationId());
    }

    private SnapshotDigest journalled() {
        return origin().map(o -> new SnapshotDigest(o.size(), o.sha256()))
                .orElseThrow(() -> new Fenced("the journal does not say what is restored"));
    }

    private void send(Source source, Delivery.Sending sending) throws IOException {
        try (var store = backups.stores().open(source.place());
                var plain = switch (source) {
                    case Source.Certified(var unused, var alsoUnused, Manifest manifest) ->
                        new SnapshotReader(backups.encodings()).open(store, manifest.stored());
                    case Source.Bare(var unused, String key, var alsoUnused) -> store.open(key);
                }) {
            sending.send(plain);
        } catch (SnapshotReader.Damaged e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /// Only of the directory that this Job has filled.
    private StepResult seal(RestoreJobs.State state) {
        context.refresh();
        if (!state.incarnation().equals(context.incarnation(0))) {
            return new StepResult.Failed("the Job has filled " + state.incarnation() + ", and the journal names "
                    + context.incarnation(0) + "; the next run begins anew");
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

    StepResult compare(Step.CompareData step) {
        var member = context.member(0);
        if (member.isEmpty()) {
            return new StepResult.Held(context.ref().podName(0) + " is not in the member list");
        }
        return switch (step.order().source()) {
            case Source.Bare _ -> new StepResult.Done("there is no manifest to compare with");
            case Source.Certified(var unused, var alsoUnused, Manifest manifest) -> {
                var version = context.journal().applied().version();
                long bump = step.order().bumpRevision().orElse(0L);
                var result = context.through(
                        member.get(), (etcd, route) -> new Comparison(etcd, route, manifest).with(version, bump));
                yield switch (result) {
                    case Comparison.Result.Alike(String detail) -> new StepResult.Done(detail);
                    case Comparison.Result.Differs(String reason) ->
                        new StepResult.Failed(reason + "; no client was let in. Look at the backup, then delete the"
                                + " ring's objects and claim to begin anew");
                };
            }
        };
    }

    private Optional<Journal.Origin> origin() {
        return context.journalState().flatMap(j -> j.journal().origin());
    }

    private Optional<KubeState.StatefulSetState> set() {
        return context.state().kube().statefulSet().optional().flatMap(s -> s);
    }
}
