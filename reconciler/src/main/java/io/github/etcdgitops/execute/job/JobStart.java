package io.github.etcdgitops.execute.job;

import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.gateway.RestoreJobs;
import io.github.etcdgitops.gateway.RestoreJobs.Lack;
import io.github.etcdgitops.gateway.RestoreJobs.Phase;
import io.github.etcdgitops.state.health.StartTrouble;
import io.github.etcdgitops.state.health.StartTrouble.Subject;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// Waits for the pod of one Job to start, and stops waiting when it cannot, as [PodStartWait] does for
/// members.
public final class JobStart {
    private static final Duration ASKS_EVERY = Duration.ofSeconds(5);

    /// How long it may take to attach a volume to the node, or to pull an image.
    private static final Duration LONGEST = Duration.ofMinutes(10);

    private final StepContext context;
    private final String namespace;
    private final String name;
    private Optional<Lack> lack = Optional.empty();
    private Instant since = Instant.EPOCH;
    private Instant asked = Instant.EPOCH;
    private Optional<String> warning = Optional.empty();

    public JobStart(StepContext context, String namespace, String name) {
        this.context = context;
        this.namespace = namespace;
        this.name = name;
    }

    /// What blocks the start, and whether it has done so for too long to wait for it.
    public record Seen(String said, boolean hopeless) {}

    /// Call it with each reading in which the pod has not started.
    public Seen look(RestoreJobs.State state, Phase.Pending pending) {
        if (!lack.equals(Optional.of(pending.lack()))) {
            lack = Optional.of(pending.lack());
            since = context.now();
            asked = Instant.EPOCH;
        }
        ask(state);
        var patience = patience(pending.lack());
        boolean hopeless = !context.now().isBefore(since.plus(patience));
        return new Seen(
                "the pod of Job " + name + " does not start"
                        + (pending.why().isEmpty() ? "" : ": " + pending.why())
                        + warning.map(text -> "; Kubernetes says: " + text).orElse("")
                        + (hopeless
                                ? "; that has not changed for " + patience.toMinutes()
                                        + " min, and it will not start by itself"
                                : ""),
                hopeless);
    }

    /// The Job's Events say why it cannot create a pod; those of the pod say why its volume or its image is
    /// missing.
    private void ask(RestoreJobs.State state) {
        if (context.now().isBefore(asked.plus(ASKS_EVERY))) {
            return;
        }
        asked = context.now();
        var about = state.pod()
                .map(pod -> new Subject("Pod", pod.name(), pod.uid(), Optional.of(namespace)))
                .orElseGet(() -> new Subject("Job", name, state.uid(), Optional.of(namespace)));
        warning = context.kube().warning(context.ref(), about);
    }

    private static Duration patience(Lack lack) {
        return switch (lack) {
            case POD, CONTAINER -> StartTrouble.SHORT;
            case MACHINE -> StartTrouble.LONG;
            case TIME -> LONGEST;
        };
    }
}
