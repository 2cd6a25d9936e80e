package io.github.etcdgitops.execute;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.step.AdoptStep;
import io.github.etcdgitops.step.DeleteStep;
import io.github.etcdgitops.step.GrowStep;
import io.github.etcdgitops.step.InspectStep;
import io.github.etcdgitops.step.LookStep;
import io.github.etcdgitops.step.MaintainStep;
import io.github.etcdgitops.step.PurgeStep;
import io.github.etcdgitops.step.RecoverStep;
import io.github.etcdgitops.step.RefoundStep;
import io.github.etcdgitops.step.ReplaceStep;
import io.github.etcdgitops.step.ReturnStep;
import io.github.etcdgitops.step.RingModel;
import io.github.etcdgitops.step.RollStep;
import io.github.etcdgitops.step.SnapshotStep;
import io.github.etcdgitops.step.Step;
import io.github.etcdgitops.step.StepResult;
import io.github.etcdgitops.step.TlsStep;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/// The interpreter of steps: observe, say "already so" where it is, ask the gate, act, verify.
///
/// Each case is written so that a run that was killed in it, at any point, can be followed by another one
/// doing the same step.
final class StepRunner {
    /// How long a step waits for the ring to become as the gate wants it, before it is left to the next
    /// run.
    private static final Duration GATE_PATIENCE = Duration.ofSeconds(60);

    private static final int ATTEMPTS = 5;

    private final StepContext context;
    private final FoundingSteps founding;
    private final IntentSteps intents;
    private final JoinSteps joining;
    private final LeaveSteps leaving;
    private final ReplaceSteps replacing;
    private final MaintainSteps maintaining;
    private final RollSteps rolling;
    private final TlsSteps securing;
    private final GrowSteps growing;
    private final AdoptSteps adopting;
    private final DeleteSteps deleting;
    private final SnapshotSteps snapshots;
    private final PurgeSteps purging;
    private final ReturnSteps returning;
    private final ObjectSteps objects;
    private final BackupSteps backups;
    private final DrillSteps drills;
    private final LoadSteps load;
    private final RestoreSteps restoring;
    private final RecoverSteps recovering;
    private final RefoundSteps refounding;
    private final InspectSteps inspecting;
    private final WitnessSteps witnesses;
    private Identity known;

    StepRunner(StepContext context, Backups backups, Loading loading) {
        this.context = context;
        this.founding = new FoundingSteps(context);
        this.intents = new IntentSteps(context);
        this.joining = new JoinSteps(context);
        this.leaving = new LeaveSteps(context);
        this.replacing = new ReplaceSteps(context, joining, leaving, intents);
        this.maintaining = new MaintainSteps(context, leaving);
        this.rolling = new RollSteps(context, leaving);
        this.securing = new TlsSteps(context);
        this.growing = new GrowSteps(context);
        this.adopting = new AdoptSteps(context);
        this.objects = new ObjectSteps(context);
        this.deleting = new DeleteSteps(context);
        this.snapshots = new SnapshotSteps(context, backups);
        this.purging = new PurgeSteps(context);
        this.returning = new ReturnSteps(context);
        this.backups = new BackupSteps(context, backups);
        this.drills = new DrillSteps(context, backups, loading);
        this.load = new LoadSteps(context, backups, loading);
        this.restoring = new RestoreSteps(context, backups, loading, load);
        this.recovering = new RecoverSteps(context, deleting, restoring, new RoomSteps(context, loading));
        this.refounding = new RefoundSteps(context, deleting, recovering);
        this.inspecting = new InspectSteps(context, loading);
        this.witnesses = new WitnessSteps(context, loading);
        this.known = Identity.of(context.state());
    }

    /// `expected` is what the plan says the ring is before this step.
    ///
    /// A write that met another one is decided anew on a fresh reading, gate included: the StatefulSet's
    /// controller writes its status at any time, and a run must not end between a removal and the
    /// shrinking because of it.
    StepResult run(Step step, RingModel expected) {
        for (int attempt = 1; ; attempt++) {
            try {
                var result = once(step, expected);
                if (result.ok()) {
                    known = known.after(step, context.state());
                }
                return result;
            } catch (Fenced e) {
                return new StepResult.Fenced(String.valueOf(e.getMessage()));
            } catch (Stopped e) {
                return new StepResult.Held(String.valueOf(e.getMessage()));
            } catch (GatewayException e) {
                if (e.kind() != GatewayException.Kind.CONFLICT || attempt == ATTEMPTS) {
                    return new StepResult.Failed(String.valueOf(e.getMessage()));
                }
            }
        }
    }

    /// An object that changed since it was read (its status, mostly) is read again, and the gate asked
    /// again.
    private StepResult once(Step step, RingModel expected) {
        context.compares(SafetyGate.compares(step));
        context.refresh();
        var already = alreadySo(step);
        if (already.isPresent()) {
            return new StepResult.AlreadySo(already.get());
        }
        Supplier<Optional<String>> gate = () -> SafetyGate.check(step, expected, known, context.state());
        var refused = gate.get();
        if (refused.isPresent()) {
            refused = context.await(gatePatience(step), gate);
        }
        if (refused.isPresent()) {
            return new StepResult.Held(refused.get());
        }
        context.gatedBy(gate);
        return act(step);
    }

    private static Duration gatePatience(Step step) {
        return step.gate() == Step.Gate.NONE ? Duration.ZERO : GATE_PATIENCE;
    }

    /// What makes the step unnecessary, seen on the freshest reading.
    private Optional<String> alreadySo(Step step) {
        return switch (step) {
            case Step.OpenJournal _ -> founding.journalOpen();
            case Step.WriteFoundingConfigs(int size) -> founding.configsWritten(size);
            case Step.CreateStatefulSet _ -> founding.statefulSetThere();
            case Step.RecordRing _ -> founding.recorded();
            case Step.ApplyObjects(var wanted) -> objects.allApplied(wanted);
            case Step.SetBudget(int minAvailable) -> objects.budgetIs(minAvailable);
            case Step.SetReplicas(int replicas) -> objects.replicasAre(replicas);
            case Step.Begin(var kind, int ordinal, var unused) -> intents.begun(kind, ordinal);
            case Step.AddLearner(int ordinal) -> joining.isMember(ordinal);
            case Step.AddVoter(int ordinal) -> joining.isMember(ordinal);
            case Step.WriteJoinConfig(int ordinal) -> joining.joinConfigWritten(ordinal);
            case Step.SealMember(int ordinal) -> joining.sealed(ordinal);
            case Step.Promote(int ordinal) -> joining.votes(ordinal);
            case Step.AdmitClients(int ordinal) -> joining.admitted(ordinal);
            case Step.YieldLeadership(int ordinal) -> leaving.followsAlready(ordinal);
            case Step.RemoveMember(int ordinal, var unused) -> context.isNoMember(ordinal);
            case Step.ReleaseMember(int ordinal, var unused) -> leaving.released(ordinal);
            case Step.Finish _ -> intents.finished();
            case Step.DeleteBackups(var order, var expired, var leftovers) ->
                backups.deleted(order, expired, leftovers);
            case Step.SaveSnapshot _, Step.CertifyBackup _, Step.TryRestore _ -> Optional.empty();
            case Step.OfRestore restore -> alreadySo(restore);
            case ReplaceStep replace -> replacing.alreadySo(replace);
            case MaintainStep maintain -> maintaining.alreadySo(maintain);
            case RollStep roll -> rolling.alreadySo(roll);
            case TlsStep tls -> securing.alreadySo(tls);
            case GrowStep grow -> growing.alreadySo(grow);
            case AdoptStep adopt -> adopting.alreadySo(adopt);
            case Step.OfDeletion deletion -> alreadySo(deletion);
            case Step.AwaitRing _, Step.AwaitStarted _, Step.AwaitGreen _, Step.AwaitPodGone _, Step.BlockEvictions _ ->
                Optional.empty();
        };
    }

    private Optional<String> alreadySo(Step.OfRestore step) {
        return switch (step) {
            case Step.VerifySource(var order) -> restoring.verified(order);
            case Step.OpenRestore open -> restoring.open(open);
            case Step.CreateClaim _ -> restoring.claimThere();
            case Step.LoadSnapshot _ -> load.loaded();
            case Step.EndRestoreJob _ -> load.jobGone();
            case Step.CompareData _ -> Optional.empty();
            case Step.RecordRestored _ -> founding.recorded();
        };
    }

    private Optional<String> alreadySo(Step.OfDeletion step) {
        return switch (step) {
            case DeleteStep delete -> deleting.alreadySo(delete);
            case SnapshotStep _ -> Optional.empty();
            case PurgeStep purge -> purging.alreadySo(purge);
            case ReturnStep back -> returning.alreadySo(back);
            case RecoverStep recover -> recovering.alreadySo(recover);
            case RefoundStep refound -> refounding.alreadySo(refound);
            case InspectStep inspect -> inspecting.alreadySo(inspect);
            case LookStep look -> witnesses.alreadySo(look);
        };
    }

    private StepResult act(Step.OfDeletion step) {
        return switch (step) {
            case DeleteStep delete -> deleting.act(delete);
            case SnapshotStep snapshot -> snapshots.act(snapshot);
            case PurgeStep purge -> purging.act(purge);
            case ReturnStep back -> returning.act(back);
            case RecoverStep recover -> recovering.act(recover);
            case RefoundStep refound -> refounding.act(refound);
            case InspectStep inspect -> inspecting.act(inspect);
            case LookStep look -> witnesses.act(look);
        };
    }

    private StepResult act(Step.OfRestore step) {
        return switch (step) {
            case Step.VerifySource verify -> restoring.verify(verify);
            case Step.OpenRestore open -> restoring.openJournal(open);
            case Step.CreateClaim _ -> restoring.createClaim();
            case Step.LoadSnapshot snapshot -> load.load(snapshot);
            case Step.EndRestoreJob _ -> load.endJob();
            case Step.CompareData compare -> restoring.compare(compare);
            case Step.RecordRestored _ -> founding.recordRestored();
        };
    }

    private StepResult act(Step step) {
        return switch (step) {
            case Step.OpenJournal(int size, var version, var id) -> founding.openJournal(size, version, id);
            case Step.WriteFoundingConfigs(int size) -> founding.writeConfigs(size);
            case Step.CreateStatefulSet(int size) -> founding.createStatefulSet(size);
            case Step.AwaitRing(int size) -> founding.awaitRing(size, step.deadline());
            case Step.RecordRing(int size) -> founding.record(size);
            case Step.ApplyObjects(var wanted) -> objects.apply(wanted);
            case Step.SetBudget(int minAvailable) -> objects.setBudget(minAvailable);
            case Step.BlockEvictions(int pods) -> objects.blockEvictions(pods, step.deadline());
            case Step.SetReplicas(int replicas) -> objects.setReplicas(replicas);
            case Step.Begin(var kind, int ordinal, String operationId) -> intents.begin(kind, ordinal, operationId);
            case Step.AddLearner(int ordinal) -> joining.add(ordinal, true, step.deadline());
            case Step.AddVoter(int ordinal) -> joining.add(ordinal, false, step.deadline());
            case Step.WriteJoinConfig(int ordinal) -> joining.writeJoinConfig(ordinal);
            case Step.AwaitStarted(int ordinal) -> joining.awaitStarted(ordinal, step.deadline());
            case Step.SealMember(int ordinal) -> joining.seal(ordinal);
            case Step.Promote(int ordinal) -> joining.promote(ordinal, step.deadline());
            case Step.AdmitClients(int ordinal) -> joining.admit(ordinal);
            case Step.AwaitGreen _ -> joining.awaitGreen(step.deadline());
            case Step.YieldLeadership(int ordinal) -> leaving.yieldLeadership(ordinal, step.deadline());
            case Step.RemoveMember(int ordinal, var unused) -> leaving.remove(ordinal, step.deadline());
            case Step.AwaitPodGone(int ordinal) -> leaving.awaitPodGone(ordinal, step.deadline());
            case Step.ReleaseMember(int ordinal, boolean copy) -> leaving.release(ordinal, copy, step.deadline());
            case Step.Finish _ -> intents.finish();
            case Step.SaveSnapshot save -> backups.save(save);
            case Step.CertifyBackup certify -> backups.certify(certify);
            case Step.DeleteBackups(var order, var expired, var leftovers) -> backups.delete(order, expired, leftovers);
            case Step.TryRestore drill -> drills.tryRestore(drill);
            case Step.OfRestore restore -> act(restore);
            case ReplaceStep replace -> replacing.act(replace);
            case MaintainStep maintain -> maintaining.act(maintain);
            case RollStep roll -> rolling.act(roll);
            case TlsStep tls -> securing.act(tls);
            case GrowStep grow -> growing.act(grow);
            case AdoptStep adopt -> adopting.act(adopt);
            case Step.OfDeletion deletion -> act(deletion);
        };
    }
}
