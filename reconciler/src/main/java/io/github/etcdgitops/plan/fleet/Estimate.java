package io.github.etcdgitops.plan.fleet;

import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.ring.Step.Gate;
import io.github.etcdgitops.ring.roll.RollStep;
import java.time.Duration;

/// How long an operation usually takes: two minutes for each step that stops or starts a member, ten
/// seconds for any other, plus the soak time of a roll. A real ring of five members takes a third of it.
/// Deadlines are no estimate: they are the limit for when something is wrong.
public final class Estimate {
    private static final Duration TOUCH = Duration.ofMinutes(2);
    private static final Duration NOTE = Duration.ofSeconds(10);

    private Estimate() {}

    public static Duration of(Operation operation) {
        return operation.steps().stream().map(Estimate::of).reduce(Duration.ZERO, Duration::plus);
    }

    static Duration of(Step step) {
        if (step instanceof RollStep.Soak(Duration time)) {
            return time;
        }
        return step.gate() == Gate.GREEN ? TOUCH : NOTE;
    }
}
