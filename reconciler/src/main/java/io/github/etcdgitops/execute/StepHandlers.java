package io.github.etcdgitops.execute;

import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.ring.StepResult;
import java.util.List;
import java.util.Optional;

/// Maps each family of steps to its handler, for one ring.
public final class StepHandlers {
    private final List<? extends Registered<?>> all;

    public StepHandlers(List<? extends Registered<?>> all) {
        this.all = List.copyOf(all);
    }

    public record Registered<S extends Step>(Class<S> family, StepHandler<S> handler) {
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

    /// Fails for a step whose family has no handler: that is a bug, and a test checks for it.
    Bound<?> handling(Step step) {
        return all.stream()
                .flatMap(registered -> registered.bound(step).stream())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no handler for the step " + step.name()));
    }
}
