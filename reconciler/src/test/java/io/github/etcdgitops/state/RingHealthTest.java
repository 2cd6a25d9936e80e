package io.github.etcdgitops.state;

import static io.github.etcdgitops.observe.Reading.fresh;
import static io.github.etcdgitops.observe.Reading.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.health.RingHealth;
import io.github.etcdgitops.state.member.Alarm;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RingHealthTest {
    private static Given orders() {
        return Given.ring("demo", "orders");
    }

    private static List<String> problems(FakeWorld world, Integer... exempt) {
        return RingHealth.problems(fresh(world, spec(3)), Set.of(exempt));
    }

    @Test
    void findsNoProblemInGreenRing() {
        assertThat(problems(orders().build())).isEmpty();
    }

    @Test
    void reportsDownMemberUnlessStepIsAboutIt() {
        var world = orders().down(2).build();

        assertThat(problems(world)).anyMatch(p -> p.contains("orders-2"));
        assertThat(problems(world, 2)).isEmpty();
    }

    @Test
    void anyAlarmIsAProblem() {
        assertThat(problems(orders().alarm(Alarm.Kind.NOSPACE, 1).build(), 1)).anyMatch(p -> p.contains("NOSPACE"));
    }

    @Test
    void onlyUnknownAlarmCountsAmongProblemsThatWaitingMayEnd() {
        for (var known : List.of(Alarm.Kind.NOSPACE, Alarm.Kind.CORRUPT)) {
            assertThat(RingHealth.passing(fresh(orders().alarm(known, 1).build(), spec(3))))
                    .noneMatch(p -> p.contains("alarm"));
        }
        assertThat(RingHealth.passing(
                        fresh(orders().alarm(Alarm.Kind.UNKNOWN, 1).build(), spec(3))))
                .anyMatch(p -> p.startsWith("alarm UNKNOWN"));
    }

    @Test
    void unreachableMemberIsUnhealthy() {
        assertThat(problems(orders().hidden(1).build())).anyMatch(p -> p.startsWith("orders-1 does not answer"));
    }

    @Test
    void laggingMemberIsUnhealthy() {
        assertThat(problems(orders().lagging(1, 5000).build()))
                .anyMatch(p -> p.startsWith("orders-1 is more than 1000 entries behind"));
    }

    @Test
    void reportsForeignMember() {
        assertThat(problems(
                        orders().foreignMember("http://elsewhere.example:2380").build()))
                .anyMatch(p -> p.contains("does not belong to this ring"));
    }

    @Test
    void reportsNoProblemForLearner() {
        assertThat(problems(orders().learner().build())).isEmpty();
    }

    @Test
    void reportsRingThatDoesNotAnswer() {
        assertThat(problems(orders().down(0, 1, 2).build())).hasSize(1);
    }

    @Test
    void oldestServerDecidesFeatures() {
        var ring = fresh(orders().memberVersion(1, "3.4.23").build(), spec(3))
                .ring()
                .optional()
                .orElseThrow();

        assertThat(RingHealth.lowestVersion(ring)).contains(new EtcdVersion(3, 4, 23));
    }
}
