package io.github.etcdgitops.execute.adoption;

import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.ring.StepResult;
import io.github.etcdgitops.state.KubeState.StatefulSetState;
import io.github.etcdgitops.state.TemplateParts;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.value.Observed;
import java.time.Duration;
import java.util.Optional;

/// Gives the StatefulSet of a ring that is being adopted our template for every pod created from now on. A
/// controller creates pods below the partition from its current revision, and for a recreated StatefulSet
/// that is the template that it was created with.
record TemplateRenewal(StepContext context) {
    Optional<String> done() {
        return context.statefulSet().filter(TemplateRenewal::isOurs).map(_ -> "new pods get our template");
    }

    private static boolean isOurs(StatefulSetState set) {
        return !set.terminating()
                && !TemplateParts.parse(set.templateDigest()).foreign()
                && set.rollout().settled()
                && !set.rollout().inProgress();
    }

    StepResult renew(int size, Duration deadline) {
        var end = context.now().plus(deadline);
        var kube = context.state().kube();
        if (!kube.statefulSet().isKnown() || !context.journal().unsettled()) {
            return new StepResult.Held("the StatefulSet could not be read, or the adoption has ended");
        }
        context.statefulSet().ifPresent(this::letGo);
        var going = context.await(
                deadline,
                () -> Observed.absent(context.state().kube().statefulSet())
                        ? Optional.empty()
                        : Optional.of("Kubernetes has not released the pods of the former StatefulSet yet"));
        if (going.isPresent()) {
            return new StepResult.Failed(going.get());
        }
        if (!context.state().kube().objects().confirmed()) {
            return new StepResult.Held("the absence of a StatefulSet of this name could not be verified");
        }
        var target = context.journal()
                .roll()
                .map(Intent.Roll::target)
                .orElseGet(() -> context.journal().applied());
        context.kube().createStatefulSet(context.objects(target), size);
        return context.until(
                Duration.between(context.now(), end),
                () -> done().isPresent()
                        ? Optional.empty()
                        : Optional.of("the StatefulSet's controller has not adopted the pods yet"),
                () -> size + " pods, none of them restarted");
    }

    /// The roll is journalled first: until it is over, some pods still run on the former template.
    private void letGo(StatefulSetState set) {
        context.journal(journal -> journal.withIntent(Optional.of(rolling(journal, set))));
        if (!set.terminating()) {
            context.volumes().orphan(context.ref(), set, context.epoch());
        }
    }

    private Intent rolling(Journal journal, StatefulSetState set) {
        var roll = new Intent.Roll(
                journal.roll().map(Intent.Roll::target).orElseGet(journal::applied),
                journal.roll().map(Intent.Roll::formerTemplate).orElseGet(set::templateDigest));
        return journal.intent().orElseThrow().goingOn(roll, context.epoch());
    }
}
