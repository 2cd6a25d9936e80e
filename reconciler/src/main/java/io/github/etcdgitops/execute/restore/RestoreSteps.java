package io.github.etcdgitops.execute.restore;

import io.github.etcdgitops.backup.SnapshotReader;
import io.github.etcdgitops.execute.Comparison;
import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.execute.StepHandler;
import io.github.etcdgitops.execute.auth.TokenKeys;
import io.github.etcdgitops.execute.backup.Backups;
import io.github.etcdgitops.execute.backup.TransferMeter;
import io.github.etcdgitops.execute.founding.FoundingSteps;
import io.github.etcdgitops.execute.job.ImageOrder;
import io.github.etcdgitops.gateway.BackupStore;
import io.github.etcdgitops.gateway.SnapshotDigest;
import io.github.etcdgitops.ring.RestoreOrder;
import io.github.etcdgitops.ring.RestoreOrder.Stored;
import io.github.etcdgitops.ring.StepResult;
import io.github.etcdgitops.ring.restore.RestoreStep;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.backup.BackupKey;
import io.github.etcdgitops.state.backup.Manifest;
import io.github.etcdgitops.state.backup.SnapshotContents;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.journal.MemberSettings;
import io.github.etcdgitops.state.journal.SnapshotOrigin;
import io.github.etcdgitops.state.member.MemberState;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/// Fills member 0 of a new ring. Nothing is created before the whole snapshot is read and verified, and
/// existing data is never overwritten: each attempt has its own data directory, and only the sealed
/// configuration says which of them is complete.
public final class RestoreSteps implements StepHandler<RestoreStep> {
    private final StepContext context;
    private final Backups backups;
    private final ImageOrder loading;
    private final LoadSteps load;
    private final FoundingSteps founding;
    private Optional<SnapshotDigest> proven = Optional.empty();
    private List<BackupStore.Entry> read = List.of();

    public RestoreSteps(
            StepContext context, Backups backups, ImageOrder loading, LoadSteps load, FoundingSteps founding) {
        this.context = context;
        this.backups = backups;
        this.loading = loading;
        this.load = load;
        this.founding = founding;
    }

    @Override
    public Optional<String> alreadySo(RestoreStep step) {
        return switch (step) {
            case RestoreStep.VerifySource(var order) -> verified(order);
            case RestoreStep.OpenRestore open -> open(open);
            case RestoreStep.CreateClaim _ -> claimThere();
            case RestoreStep.LoadSnapshot _ -> load.loaded();
            case RestoreStep.EndRestoreJob _ -> load.jobGone();
            case RestoreStep.CompareData _ -> Optional.empty();
            case RestoreStep.RecordRestored _ -> founding.recorded();
        };
    }

    @Override
    public StepResult act(RestoreStep step) {
        return switch (step) {
            case RestoreStep.VerifySource verify -> verify(verify);
            case RestoreStep.OpenRestore open -> openJournal(open);
            case RestoreStep.CreateClaim _ -> createClaim();
            case RestoreStep.LoadSnapshot snapshot -> load.load(snapshot);
            case RestoreStep.EndRestoreJob _ -> load.endJob();
            case RestoreStep.CompareData compare -> compare(compare);
            case RestoreStep.RecordRestored _ -> founding.recordRestored();
        };
    }

    /// The journal of a restore is opened only for a verified snapshot. The journal of a ring that started
    /// from a snapshot long ago says nothing about what is stored now. An object without a manifest may be
    /// another one by now, of the same size: it is read again until it is in the volume.
    Optional<String> verified(RestoreOrder order) {
        boolean settled =
                !(order.source() instanceof Stored.Bare) || load.loaded().isPresent();
        return context.origin()
                .filter(origin -> settled && order.isOf(origin))
                .filter(_ -> context.journal().isUnderWay(Intent.Kind.RESTORE))
                .map(_ -> "it was verified before the journal was created");
    }

    /// Also asks for our image: a restore that cannot create its Job does not start.
    StepResult verify(RestoreStep.VerifySource step) {
        loading.requireImage();
        if (!(step.order().source() instanceof Stored source)) {
            return new StepResult.Held("the journal no longer names the source of the data");
        }
        var meter = new TransferMeter(context, backups, step.deadline(), source.size());
        try (var store = backups.stores().open(source.place())) {
            read = objects(store, source);
            proven = Optional.of(prove(store, source, meter::moved));
            return new StepResult.Done(
                    proven.get().size() + " bytes, SHA-256 " + proven.get().sha256());
        } catch (SnapshotReader.Damaged e) {
            return new StepResult.Failed(e.getMessage() + ". Nothing was created");
        } catch (IOException e) {
            return new StepResult.Failed("reading " + step.order().from() + " was interrupted. Nothing was created");
        }
    }

    private SnapshotDigest prove(BackupStore store, Stored source, LongConsumer moved)
            throws SnapshotReader.Damaged, IOException {
        return switch (source) {
            case Stored.Certified(var unused, var alsoUnused, Manifest manifest) -> {
                new SnapshotReader(backups.encodings())
                        .read(store, manifest, java.io.OutputStream.nullOutputStream(), moved);
                yield new SnapshotDigest(
                        manifest.content().size(), manifest.content().sha256());
            }
            case Stored.Bare(var unused, String key, var alsoUnused) -> {
                var result = SnapshotReader.readBare(store, key, moved);
                yield new SnapshotDigest(result.size(), result.sha256());
            }
        };
    }

    /// The objects that make up the backup, as the store lists them.
    private static List<BackupStore.Entry> objects(BackupStore store, Stored source) {
        return switch (source) {
            case Stored.Certified(var unused, BackupKey backup, Manifest manifest) -> {
                var parts = Set.of(
                        backup.file(BackupKey.MANIFEST),
                        backup.file(BackupKey.DAMAGED),
                        manifest.stored().key());
                yield store.list(backup.prefix()).stream()
                        .filter(entry -> parts.contains(entry.key()))
                        .toList();
            }
            case Stored.Bare(var unused, String key, var alsoUnused) ->
                store.list(key).stream()
                        .filter(entry -> entry.key().equals(key))
                        .toList();
        };
    }

    /// Why a ring must not be ended for it now; empty where the object is unchanged since this run has read
    /// it completely.
    Optional<String> gone(RestoreOrder order) {
        if (proven.isEmpty() || !(order.source() instanceof Stored source)) {
            return Optional.of("this run has not verified the snapshot");
        }
        try (var store = backups.stores().open(source.place())) {
            return objects(store, source).equals(read)
                    ? Optional.empty()
                    : Optional.of(order.from() + " was changed or deleted after it was verified. No member was"
                            + " stopped. Name another backup, or restore this one");
        }
    }

    /// The digest of what this run has read completely.
    Optional<SnapshotDigest> proven() {
        return proven;
    }

    Optional<String> open(RestoreStep.OpenRestore step) {
        boolean same = context.origin()
                        .filter(step.order()::isOf)
                        .filter(origin ->
                                proven.isEmpty() || proven.get().sha256().equals(origin.sha256()))
                        .isPresent()
                && (load.loaded().isPresent() || context.journal().applied().equals(founding(step.version())));
        return same ? Optional.of("the journal exists") : Optional.empty();
    }

    /// Until the data is in the volume, a journal may be opened again for another snapshot or version.
    StepResult openJournal(RestoreStep.OpenRestore step) {
        boolean again = context.journalState()
                .map(j -> j.journal().isUnderWay(Intent.Kind.RESTORE))
                .orElse(false);
        var there = again ? Optional.<String>empty() : founding.notVacant();
        if (there.isPresent()) {
            return new StepResult.Held(there.get());
        }
        if (again && (load.loaded().isPresent() || context.statefulSet().isPresent())) {
            return new StepResult.Held("the ring already has the data of another restore");
        }
        var held = new TokenKeys(context).ofNew(step.version());
        if (held.isPresent()) {
            return held.get();
        }
        var digest = proven.or(() -> context.origin()
                .filter(step.order()::isOf)
                .map(origin -> new SnapshotDigest(origin.size(), origin.sha256())));
        if (digest.isEmpty()) {
            return new StepResult.Held("this run has not verified the snapshot");
        }
        write(step, digest.get(), again);
        return new StepResult.Done("journal created");
    }

    private void write(RestoreStep.OpenRestore step, SnapshotDigest digest, boolean again) {
        var members = new TreeMap<>(Map.of(0, context.newMember()));
        var intent = new Intent(Intent.Kind.RESTORE, 0, step.operationId(), context.epoch());
        var origin = step.order().origin(digest.size(), digest.sha256());
        var journal = new Journal(
                        context.epoch(),
                        context.ref().namespace() + "-" + context.ref().name() + "-" + context.random(),
                        Optional.empty(),
                        founding(step.version()),
                        members,
                        Optional.of(intent),
                        past(origin, again))
                .withNewLog();
        if (again) {
            context.journal(_ -> journal);
        } else {
            context.kube().writeJournal(context.ref(), journal, Optional.empty());
            context.refresh();
        }
    }

    private MemberSettings founding(EtcdVersion version) {
        return MemberSettings.founding(context.spec().server(), version);
    }

    private Journal.Past past(SnapshotOrigin origin, boolean again) {
        var certificates = again ? context.journal().past().certificates() : Optional.<Journal.Certificates>empty();
        return new Journal.Past(Optional.of(origin), Optional.empty(), certificates);
    }

    Optional<String> claimThere() {
        return context.claim(0)
                .filter(claim -> claim.ours() && !claim.terminating())
                .map(KubeState.ClaimState::name);
    }

    StepResult createClaim() {
        if (context.claim(0).isPresent()) {
            return new StepResult.Held("the claim " + context.claim(0).get().name()
                    + " is not managed by etcd-gitops, or is being deleted");
        }
        loading.jobs().createClaim(context.objectsAtRest(), 0);
        return new StepResult.Done("created");
    }

    StepResult compare(RestoreStep.CompareData step) {
        var member = context.member(0);
        if (member.isEmpty()) {
            return new StepResult.Held(context.ref().podName(0) + " is not in the member list");
        }
        return step.order()
                .contents()
                .map(contents -> compare(step.order(), member.get(), contents))
                .orElseGet(() -> new StepResult.Done("there is no manifest to compare with"));
    }

    private StepResult compare(RestoreOrder order, MemberState member, SnapshotContents contents) {
        var version = context.journal().applied().version();
        long bump = order.bumpRevision().orElse(0L);
        var calls = context.calls();
        LongSupplier shown =
                () -> calls.onMetrics(member, (etcd, route) -> etcd.shownRevision(route, StepContext.CALL));
        var result = calls.through(
                member, (etcd, route) -> new Comparison(etcd, route, contents, shown).with(version, bump));
        return switch (result) {
            case Comparison.Result.Alike(String detail) -> new StepResult.Done(detail);
            case Comparison.Result.Differs(String reason) ->
                new StepResult.Failed(
                        reason + ". No client has access. Check the backup. To restore another one, " + another(order));
        };
    }

    /// A recovery comes from no document. As long as the journal is there, it is what is restored. In both cases a
    /// volume may also have the data of a former member.
    private String another(RestoreOrder order) {
        String ring = context.ref().name();
        String first =
                " Save what is on the volumes of the ring, if it may be needed. Then delete the StatefulSet " + ring;
        return order.recovers()
                ? "commit an EtcdRestore that names it, without inPlace." + first + ", the ConfigMaps " + ring
                        + "-journal and " + ring + "-members, and all volume claims of the ring"
                : "name it in " + order.asker() + "." + first + " and the volume claim of "
                        + context.ref().podName(0);
    }
}
