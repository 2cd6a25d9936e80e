package io.github.etcdgitops.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ObserverTest {
    /// One identity may list the quotas of the namespace, another one may not.
    @Test
    void eachRingAsksWithItsOwnRights() {
        var world = new FakeWorld();
        var allowed = new ClusterRef("demo", "orders");
        var refused = new ClusterRef("demo", "payments");
        world.quotas().quota("team", Map.of("pods", "9"), Map.of());
        world.quotas().forbid(refused);
        var observer = Reading.observer(world);

        var first = observer.fresh(Given.spec(allowed, 3, "3.5.16")).supply().quotas();
        var second = observer.fresh(Given.spec(refused, 3, "3.5.16")).supply().quotas();

        assertThat(first.optional())
                .hasValueSatisfying(quotas -> assertThat(quotas).hasSize(1));
        assertThat(second.unknownReason()).hasValue("resourcequotas is forbidden");
    }
}
