package io.github.etcdgitops.execute;

import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.ring.StepResult;
import io.github.etcdgitops.ring.adoption.AdoptStep;
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
import io.github.etcdgitops.ring.repair.LookStep;
import io.github.etcdgitops.ring.repair.NodeStep;
import io.github.etcdgitops.ring.repair.ReplaceStep;
import io.github.etcdgitops.ring.repair.RestartStep;
import io.github.etcdgitops.ring.restore.RecoverStep;
import io.github.etcdgitops.ring.restore.RestoreStep;
import io.github.etcdgitops.ring.roll.RollStep;
import io.github.etcdgitops.ring.roll.UnrollStep;
import io.github.etcdgitops.ring.storage.GrowStep;
import io.github.etcdgitops.ring.tls.TlsStep;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Who carries out which family of steps. Every family has one handler.
final class StepHandlers {
    static final List<Family<?>> FAMILIES = List.of(
            new Family<>(FoundStep.class, parts -> parts.founding),
            new Family<>(ObjectStep.class, parts -> new ObjectSteps(parts.context)),
            new Family<>(
                    MemberStep.class,
                    parts -> new MemberSteps(parts.context, parts.intents, parts.joining, parts.leaving)),
            new Family<>(BackupStep.class, parts -> new BackupSteps(parts.context, parts.backups, parts.loading)),
            new Family<>(RestoreStep.class, parts -> parts.restoring),
            new Family<>(RollStep.class, parts -> new RollSteps(parts.context, parts.leaving)),
            new Family<>(UnrollStep.class, parts -> new UnrollSteps(parts.context)),
            new Family<>(
                    ReplaceStep.class,
                    parts -> new ReplaceSteps(parts.context, parts.joining, parts.leaving, parts.intents)),
            new Family<>(RestartStep.class, parts -> new RestartSteps(parts.context, parts.leaving)),
            new Family<>(NodeStep.class, parts -> new NodeSteps(parts.context)),
            new Family<>(MaintainStep.class, parts -> new MaintainSteps(parts.context, parts.leaving)),
            new Family<>(TlsStep.class, parts -> new TlsSteps(parts.context)),
            new Family<>(GrowStep.class, parts -> new GrowSteps(parts.context)),
            new Family<>(AdoptStep.class, parts -> new AdoptSteps(parts.context)),
            new Family<>(DeleteStep.class, parts -> new DeleteSteps(parts.context, parts.stopping)),
            new Family<>(SnapshotStep.class, parts -> new SnapshotSteps(parts.context, parts.backups)),
            new Family<>(PurgeStep.class, parts -> new PurgeSteps(parts.context)),
            new Family<>(ReturnStep.class, parts -> new ReturnSteps(parts.context)),
            new Family<>(RecoverStep.class, parts -> parts.recovering),
            new Family<>(RefoundStep.class, parts -> new RefoundSteps(parts.context, parts.stopping)),
            new Family<>(InspectStep.class, parts -> new InspectSteps(parts.context, parts.loading)),
            new Family<>(LookStep.class, parts -> new WitnessSteps(parts.context, parts.loading)));

    private final List<? extends Registered<?>> all;

    StepHandlers(StepContext context, Backups backups, Loading loading) {
        var parts = new Parts(context, backups, loading);
        this.all = FAMILIES.stream().map(family -> family.registered(parts)).toList();
    }

    /// A family of steps, and how what carries it out is made.
    record Family<S extends Step>(Class<S> steps, Function<Parts, StepHandler<S>> make) {
        private Registered<S> registered(Parts parts) {
            return new Registered<>(steps, make.apply(parts));
        }
    }

    /// What handlers share.
    static final class Parts {
        private final StepContext context;
        private final Backups backups;
        private final Loading loading;
        private final IntentSteps intents;
        private final JoinSteps joining;
        private final LeaveSteps leaving;
        private final FoundingSteps founding;
        private final StopSteps stopping;
        private final RestoreSteps restoring;
        private final RecoverSteps recovering;

        private Parts(StepContext context, Backups backups, Loading loading) {
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

    record Registered<S extends Step>(Class<S> family, StepHandler<S> handler) {
        Optional<Bound<S>> bound(Step step) {
            return family.isInstance(step) ? Optional.of(new Bound<>(handler, family.cast(step))) : Optional.empty();
        }
    }

    /// One step together with its handler.
    record Bound<S extends Step>(StepHandler<S> handler, S step) {
        Optional<String> alreadySo() {
            return handler.alreadySo(step);
        }

        StepResult act() {
            return handler.act(step);
        }
    }

    /// Fails for a step of a family that has no handler: a bug, which a test looks for.
    Bound<?> handling(Step step) {
        return all.stream()
                .flatMap(registered -> registered.bound(step).stream())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no handler for the step " + step.name()));
    }
}
