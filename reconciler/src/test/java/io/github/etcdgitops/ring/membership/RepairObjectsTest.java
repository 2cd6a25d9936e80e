package io.github.etcdgitops.ring.membership;

import static io.github.etcdgitops.observe.Reading.fresh;
import static io.github.etcdgitops.observe.Reading.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.state.ManagedObject;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RepairObjectsTest {
    private static Optional<RepairObjects> detect(Given given) {
        return RepairObjects.detect(spec(3), fresh(given.build(), spec(3)), 3, Optional.empty());
    }

    @Test
    void findsNothingToRepairInHealthyRing() {
        assertThat(detect(Given.ring("demo", "orders"))).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            value = ManagedObject.class,
            names = {"STATEFUL_SET_LABELS"},
            mode = EnumSource.Mode.EXCLUDE)
    void recreatesEveryMissingObject(ManagedObject object) {
        assertThat(detect(Given.ring("demo", "orders").without(object)))
                .hasValueSatisfying(o -> assertThat(o.steps())
                        .containsExactly(new ObjectStep.ApplyObjects(new TreeSet<>(Set.of(object)))));
    }

    @Test
    void putsReplicasBackAndPinsThePartition() {
        assertThat(detect(Given.ring("demo", "orders").scaledByHand(2)))
                .hasValueSatisfying(o -> assertThat(o.steps()).contains(new ObjectStep.SetReplicas(3)));
        assertThat(detect(Given.ring("demo", "orders").partitionByHand(0)))
                .hasValueSatisfying(o -> assertThat(o.steps()).contains(new ObjectStep.SetReplicas(3)));
    }

    @Test
    void restartsNothing() {
        assertThat(detect(Given.ring("demo", "orders").without(ManagedObject.BUDGET)))
                .hasValueSatisfying(o -> assertThat(o.steps()).allMatch(s -> s.gate() != Step.Gate.GREEN));
    }
}
