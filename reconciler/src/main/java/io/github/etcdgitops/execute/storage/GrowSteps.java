package io.github.etcdgitops.execute.storage;

import io.github.etcdgitops.execute.PodStartWait;
import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.execute.StepHandler;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.ring.StepResult;
import io.github.etcdgitops.ring.storage.GrowStep;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.Storage;
import io.github.etcdgitops.spec.value.Quantity;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.health.RingHealth;
import io.github.etcdgitops.state.health.Space;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Makes claims larger, one at a time, and restarts a member whose file system needs that.
public final class GrowSteps implements StepHandler<GrowStep> {
    /// A driver that can grow a mounted file system does so within moments. This time is for the kubelet,
    /// which tries again at growing intervals.
    private static final Duration MOUNTED_PATIENCE = Duration.ofMinutes(3);

    private static final Duration LAST_CHANCE = Duration.ofSeconds(30);

    private final StepContext context;
    private final RecreationSteps recreation;

    public GrowSteps(StepContext context) {
        this.context = context;
        this.recreation = new RecreationSteps(context);
    }

    @Override
    public Optional<String> alreadySo(GrowStep step) {
        return switch (step) {
            case GrowStep.ExpandClaim expand -> grown(expand.ordinal(), expand.size());
            case GrowStep.RestartForVolume(int ordinal, String size) -> grown(ordinal, size);
            case GrowStep.BeginRecreation(Storage storage, String operationId) ->
                recreation.begun(storage, operationId);
            case GrowStep.OrphanPods _ -> recreation.gone();
            case GrowStep.RecreateStatefulSet _ -> recreation.there();
            case GrowStep.FinishRecreation _ -> recreation.finished();
        };
    }

    @Override
    public StepResult act(GrowStep step) {
        return switch (step) {
            case GrowStep.ExpandClaim expand -> expand(expand);
            case GrowStep.RestartForVolume restart -> restart(restart);
            case GrowStep.BeginRecreation(Storage storage, String operationId) ->
                recreation.begin(storage, operationId);
            case GrowStep.OrphanPods _ -> recreation.orphan(step.deadline());
            case GrowStep.RecreateStatefulSet _ -> recreation.recreate(step.deadline());
            case GrowStep.FinishRecreation _ -> recreation.finish();
        };
    }

    private Optional<String> grown(int ordinal, String size) {
        return context.claim(ordinal)
                .filter(claim -> claim.volume().has(quantity(size)))
                .flatMap(claim -> claim.volume().capacity())
                .map(capacity -> "it has " + capacity);
    }

    private static Quantity quantity(String size) {
        return Quantity.parse(size).orElseThrow();
    }

    private StepResult expand(GrowStep.ExpandClaim step) {
        int ordinal = step.ordinal();
        var claim = context.claim(ordinal);
        if (claim.isEmpty()) {
            return new StepResult.Held("the claim " + step.claim() + " is gone");
        }
        try {
            context.volumes().expand(context.ref(), step.claim(), claim.get().uid(), step.size());
        } catch (GatewayException e) {
            return switch (e.kind()) {
                case REJECTED, UNAUTHORIZED ->
                    new StepResult.Held(e.getMessage() + ". Set spec.storage.size back to "
                            + claim.get().storage().size() + " if that will not change");
                case CONFLICT, NOT_FOUND, TIMEOUT, UNREACHABLE -> throw e;
            };
        }
        var from = claim.get().volume().capacity().orElse("unknown");
        return awaitGrown(step, from);
    }

    /// For a claim without a pod only the volume grows now; its file system grows when it is mounted.
    private StepResult awaitGrown(GrowStep.ExpandClaim step, String from) {
        int ordinal = step.ordinal();
        String size = step.size();
        var stuck = new Waiting();
        var missing = context.await(step.deadline(), () -> {
            var unreadable = context.state().kube().pods().unknownReason();
            if (unreadable.isPresent()) {
                return Optional.of("the pods could not be read: " + unreadable.get());
            }
            boolean mounted = context.pod(ordinal).isPresent() && !step.restarted();
            boolean pending =
                    context.claim(ordinal).filter(c -> c.volume().awaitsMount()).isPresent();
            if (stuck.over(pending, mounted ? MOUNTED_PATIENCE : Duration.ZERO)) {
                return Optional.empty();
            }
            return grown(ordinal, size).isPresent() ? unwell() : Optional.of(still(ordinal, size));
        });
        if (missing.isPresent()) {
            return new StepResult.Failed(missing.get());
        }
        if (grown(ordinal, size).isPresent()) {
            return new StepResult.Done(from + " → " + capacity(ordinal));
        }
        return context.pod(ordinal).isEmpty() || step.restarted()
                ? new StepResult.Done("its file system grows when a pod mounts it")
                : new StepResult.Held(
                        "the volume of " + context.ref().podName(ordinal) + " has grown. Its file system grows only"
                                + " when the pod restarts. The next run restarts it");
    }

    /// Since when only the file system is missing.
    private final class Waiting {
        private Optional<Instant> since = Optional.empty();

        boolean over(boolean pending, Duration patience) {
            since = pending ? since.or(() -> Optional.of(context.now())) : Optional.empty();
            return since.filter(s -> !context.now().isBefore(s.plus(patience))).isPresent();
        }
    }

    private String still(int ordinal, String size) {
        var conditions = context.claim(ordinal)
                .map(c -> c.volume().conditions())
                .filter(c -> !c.isEmpty())
                .map(c -> "; Kubernetes says: " + String.join(", ", c))
                .orElse("");
        return context.claim(ordinal).map(KubeState.ClaimState::name).orElse("its claim") + " has " + capacity(ordinal)
                + ", and asks for " + size + conditions;
    }

    private String capacity(int ordinal) {
        return context.claim(ordinal).flatMap(c -> c.volume().capacity()).orElse("nothing yet");
    }

    private Optional<String> unwell() {
        return RingHealth.problems(Space.ignored(context.state()), Set.of()).stream()
                .findFirst();
    }

    /// Gives the running pod's file system time to grow once more: the run that saw it may have been killed
    /// right after.
    private StepResult restart(GrowStep.RestartForVolume step) {
        int ordinal = step.ordinal();
        String size = step.size();
        var missing = context.await(
                LAST_CHANCE,
                () -> grown(ordinal, size).isPresent() ? Optional.empty() : Optional.of(still(ordinal, size)));
        if (missing.isEmpty()) {
            return new StepResult.Done("it has grown without a restart");
        }
        var refused = unwell().or(() -> step.obstacle(context.state()));
        var pod = context.pod(ordinal);
        if (refused.isPresent() || pod.isEmpty()) {
            return new StepResult.Held(refused.orElse(context.ref().podName(ordinal) + " does not exist"));
        }
        String uid = pod.get().uid();
        context.deletePod(ordinal, uid);
        return new PodStartWait(context, List.of(ordinal))
                .await(
                        step.deadline(),
                        () -> anew(ordinal, uid)
                                ? unwell().or(() -> grown(ordinal, size).isPresent()
                                        ? Optional.empty()
                                        : Optional.of(still(ordinal, size)))
                                : Optional.of(context.ref().podName(ordinal) + " is not ready again yet"))
                .<StepResult>map(StepResult.Failed::new)
                .orElseGet(() -> new StepResult.Done(capacity(ordinal)));
    }

    private boolean anew(int ordinal, String uid) {
        return context.pod(ordinal)
                .filter(p -> !p.uid().equals(uid))
                .filter(KubeState.PodState::ready)
                .isPresent();
    }
}
