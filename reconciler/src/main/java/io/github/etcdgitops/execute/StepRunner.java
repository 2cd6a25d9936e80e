package io.github.etcdgitops.execute;

import io.github.etcdgitops.execute.lease.Fenced;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.ring.RingModel;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.ring.StepResult;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/// The interpreter of steps: observe, report "already so" where it is, ask the gate, act, verify.
final class StepRunner {
    /// How long a step waits for the gate to open, before it is left to the next run.
    private static final Duration GATE_PATIENCE = Duration.ofSeconds(60);

    private static final int ATTEMPTS = 5;

    private final StepContext context;
    private final StepHandlers handlers;
    private Identity known;

    StepRunner(StepContext context, StepHandlers handlers) {
        this.context = context;
        this.handlers = handlers;
        this.known = Identity.of(context.state());
    }

    /// `expected` is the ring's planned state before this step.
    ///
    /// After a write conflict, the runner decides again on a fresh reading, gate included. The
    /// StatefulSet's controller writes its status at any time, and that must not end a run between a
    /// removal and the scale-down.
    StepResult run(Step step, RingModel expected) {
        for (int attempt = 1; ; attempt++) {
            try {
                var result = once(step, expected);
                if (result.ok()) {
                    known = known.after(expected, step.apply(expected), context.state());
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

    /// If an object has changed since it was read (mostly its status), it is read again, and the gate is
    /// asked again.
    private StepResult once(Step step, RingModel expected) {
        context.compares(step.compares());
        context.refresh();
        var handling = handlers.handling(step);
        var already = handling.alreadySo();
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
        return handling.act();
    }

    private static Duration gatePatience(Step step) {
        return step.gate() == Step.Gate.NONE ? Duration.ZERO : GATE_PATIENCE;
    }
}
