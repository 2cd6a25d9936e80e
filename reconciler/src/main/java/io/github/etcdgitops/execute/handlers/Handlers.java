package io.github.etcdgitops.execute.handlers;

import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.execute.StepHandler;
import io.github.etcdgitops.execute.StepHandlers;
import io.github.etcdgitops.execute.adoption.AdoptSteps;
import io.github.etcdgitops.execute.auth.AuthSteps;
import io.github.etcdgitops.execute.backup.BackupSteps;
import io.github.etcdgitops.execute.backup.Backups;
import io.github.etcdgitops.execute.deletion.DeleteSteps;
import io.github.etcdgitops.execute.deletion.PurgeSteps;
import io.github.etcdgitops.execute.deletion.ReturnSteps;
import io.github.etcdgitops.execute.deletion.SnapshotSteps;
import io.github.etcdgitops.execute.founding.FoundingSteps;
import io.github.etcdgitops.execute.founding.RefoundSteps;
import io.github.etcdgitops.execute.job.ImageOrder;
import io.github.etcdgitops.execute.maintenance.MaintainSteps;
import io.github.etcdgitops.execute.membership.IntentSteps;
import io.github.etcdgitops.execute.membership.JoinSteps;
import io.github.etcdgitops.execute.membership.LeaveSteps;
import io.github.etcdgitops.execute.membership.MemberSteps;
import io.github.etcdgitops.execute.membership.ObjectSteps;
import io.github.etcdgitops.execute.membership.StopSteps;
import io.github.etcdgitops.execute.repair.InspectSteps;
import io.github.etcdgitops.execute.repair.NodeSteps;
import io.github.etcdgitops.execute.repair.ReplaceSteps;
import io.github.etcdgitops.execute.repair.RestartSteps;
import io.github.etcdgitops.execute.repair.WitnessSteps;
import io.github.etcdgitops.execute.restore.LoadSteps;
import io.github.etcdgitops.execute.restore.RecoverSteps;
import io.github.etcdgitops.execute.restore.RestoreSteps;
import io.github.etcdgitops.execute.restore.RoomSteps;
import io.github.etcdgitops.execute.roll.DowngradeSteps;
import io.github.etcdgitops.execute.roll.OldRecordSteps;
import io.github.etcdgitops.execute.roll.RollSteps;
import io.github.etcdgitops.execute.roll.UnrollSteps;
import io.github.etcdgitops.execute.roll.V2KeySteps;
import io.github.etcdgitops.execute.storage.GrowSteps;
import io.github.etcdgitops.execute.storage.LeftSteps;
import io.github.etcdgitops.execute.tls.TlsSteps;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.ring.adoption.AdoptStep;
import io.github.etcdgitops.ring.auth.AuthStep;
import io.github.etcdgitops.ring.backup.BackupStep;
import io.github.etcdgitops.ring.deletion.DeleteStep;
import io.github.etcdgitops.ring.deletion.PurgeStep;
import io.github.etcdgitops.ring.deletion.ReturnStep;
import io.github.etcdgitops.ring.deletion.SnapshotStep;
import io.github.etcdgitops.ring.founding.FoundStep;
import io.github.etcdgitops.ring.founding.RefoundStep;
import io.github.etcdgitops.ring.maintenance.MaintainStep;
import io.github.etcdgitops.ring.membership.MemberStep;
import io.github.etcdgitops.ring.membership.ObjectStep;
import io.github.etcdgitops.ring.repair.InspectStep;
import io.github.etcdgitops.ring.repair.NodeStep;
import io.github.etcdgitops.ring.repair.ReplaceStep;
import io.github.etcdgitops.ring.repair.RestartStep;
import io.github.etcdgitops.ring.repair.WitnessInspectionStep;
import io.github.etcdgitops.ring.restore.RecoverStep;
import io.github.etcdgitops.ring.restore.RestoreStep;
import io.github.etcdgitops.ring.roll.DowngradeStep;
import io.github.etcdgitops.ring.roll.RollStep;
import io.github.etcdgitops.ring.roll.UnrollStep;
import io.github.etcdgitops.ring.roll.v2.FindOldKeys;
import io.github.etcdgitops.ring.roll.v2.PassOldRecords;
import io.github.etcdgitops.ring.storage.GrowStep;
import io.github.etcdgitops.ring.storage.LeftStep;
import io.github.etcdgitops.ring.tls.TlsStep;
import java.util.List;
import java.util.function.Function;

/// The list of all handlers. Every family of steps has one handler.
public record Handlers(Backups backups, ImageOrder loading) implements Function<StepContext, StepHandlers> {
    static final List<Family<?>> FAMILIES = List.of(
            new Family<>(FoundStep.class, parts -> parts.founding),
            new Family<>(ObjectStep.class, parts -> new ObjectSteps(parts.context)),
            new Family<>(
                    MemberStep.class,
                    parts -> new MemberSteps(parts.context, parts.intents, parts.joining, parts.leaving)),
            new Family<>(BackupStep.class, parts -> new BackupSteps(parts.context, parts.backups, parts.loading)),
            new Family<>(RestoreStep.class, parts -> parts.restoring),
            new Family<>(RollStep.class, parts -> new RollSteps(parts.context, parts.leaving)),
            new Family<>(DowngradeStep.class, parts -> new DowngradeSteps(parts.context)),
            new Family<>(PassOldRecords.class, parts -> new OldRecordSteps(parts.context)),
            new Family<>(FindOldKeys.class, parts -> new V2KeySteps(parts.context, parts.loading.jobs())),
            new Family<>(UnrollStep.class, parts -> new UnrollSteps(parts.context)),
            new Family<>(ReplaceStep.class, parts -> new ReplaceSteps(parts.context, parts.joining, parts.leaving)),
            new Family<>(RestartStep.class, parts -> new RestartSteps(parts.context, parts.leaving)),
            new Family<>(NodeStep.class, parts -> new NodeSteps(parts.context)),
            new Family<>(MaintainStep.class, parts -> new MaintainSteps(parts.context, parts.leaving)),
            new Family<>(TlsStep.class, parts -> new TlsSteps(parts.context)),
            new Family<>(AuthStep.class, parts -> new AuthSteps(parts.context)),
            new Family<>(GrowStep.class, parts -> new GrowSteps(parts.context)),
            new Family<>(LeftStep.class, parts -> new LeftSteps(parts.context)),
            new Family<>(AdoptStep.class, parts -> new AdoptSteps(parts.context)),
            new Family<>(DeleteStep.class, parts -> new DeleteSteps(parts.context, parts.stopping)),
            new Family<>(SnapshotStep.class, parts -> new SnapshotSteps(parts.context, parts.backups)),
            new Family<>(PurgeStep.class, parts -> new PurgeSteps(parts.context)),
            new Family<>(ReturnStep.class, parts -> new ReturnSteps(parts.context)),
            new Family<>(RecoverStep.class, parts -> parts.recovering),
            new Family<>(RefoundStep.class, parts -> new RefoundSteps(parts.context, parts.stopping)),
            new Family<>(InspectStep.class, parts -> new InspectSteps(parts.context, parts.loading)),
            new Family<>(WitnessInspectionStep.class, parts -> new WitnessSteps(parts.context, parts.loading)));

    @Override
    public StepHandlers apply(StepContext context) {
        var parts = new Parts(context, backups, loading);
        return new StepHandlers(
                FAMILIES.stream().map(family -> family.registered(parts)).toList());
    }

    /// A family of steps, and how to create its handler.
    record Family<S extends Step>(Class<S> steps, Function<Parts, StepHandler<S>> make) {
        private StepHandlers.Registered<S> registered(Parts parts) {
            return new StepHandlers.Registered<>(steps, make.apply(parts));
        }
    }

    /// What handlers share.
    static final class Parts {
        private final StepContext context;
        private final Backups backups;
        private final ImageOrder loading;
        private final IntentSteps intents;
        private final JoinSteps joining;
        private final LeaveSteps leaving;
        private final FoundingSteps founding;
        private final StopSteps stopping;
        private final RestoreSteps restoring;
        private final RecoverSteps recovering;

        private Parts(StepContext context, Backups backups, ImageOrder loading) {
            this.context = context;
            this.backups = backups;
            this.loading = loading;
            this.intents = new IntentSteps(context);
            this.joining = new JoinSteps(context);
            this.leaving = new LeaveSteps(context);
            this.founding = new FoundingSteps(context);
            this.stopping = new StopSteps(context);
            var load = new LoadSteps(context, backups, loading);
            this.restoring = new RestoreSteps(context, backups, loading, load, founding);
            this.recovering = new RecoverSteps(context, stopping, restoring, new RoomSteps(context, loading));
        }
    }
}
