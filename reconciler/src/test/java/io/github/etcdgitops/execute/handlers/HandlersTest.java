package io.github.etcdgitops.execute.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.arch.Production;
import io.github.etcdgitops.ring.Step;
import org.junit.jupiter.api.Test;

class HandlersTest {
    @Test
    void everyStepHasOneHandler() {
        for (var step : Production.records(Step.class).toList()) {
            assertThat(Handlers.FAMILIES.stream()
                            .filter(family -> family.steps().isAssignableFrom(step)))
                    .as(step.getName())
                    .hasSize(1);
        }
    }

    /// What is sealed has a case for each of its steps, or does not compile.
    @Test
    void everyFamilyIsSealedOrOneStep() {
        assertThat(Handlers.FAMILIES)
                .extracting(Handlers.Family::steps)
                .allMatch(steps -> steps.isSealed() || steps.isRecord());
    }
}
