package io.github.etcdgitops.execute.lease;

import static io.github.etcdgitops.observe.Reading.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Given;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PollerTest {
    private final FakeWorld world = Given.ring("demo", "orders").build();
    private final List<Duration> pauses = new ArrayList<>();
    private final List<String> told = new ArrayList<>();
    /// Of its own: the world counts whole seconds.
    private long nanos;

    private Poller poller() {
        var applicant = new ClusterLease.Applicant("a", _ -> false, world, world::sleep);
        var attempt = ClusterLease.acquire(world.kubernetes(), ORDERS, applicant, 0);
        assertThat(attempt).isInstanceOf(ClusterLease.Attempt.Held.class);
        var lease = ((ClusterLease.Attempt.Held) attempt).lease();
        Pause pause = time -> {
            pauses.add(time);
            nanos += time.toNanos();
        };
        return new Poller(Timepiece.of(world, () -> nanos), pause, lease, told::add);
    }

    private Optional<String> missingAfter(Duration aCheckTakes) {
        nanos += aCheckTakes.toNanos();
        return Optional.of("a leader");
    }

    @Test
    void asksOftenAtFirstAndEveryFiveSecondsInTheEnd() {
        var still = poller().await(Duration.ofMinutes(3), () -> missingAfter(Duration.ZERO));

        assertThat(still).contains("a leader");
        assertThat(pauses.subList(0, 4))
                .containsExactly(
                        Duration.ofMillis(100), Duration.ofMillis(200), Duration.ofMillis(250), Duration.ofMillis(250));
        assertThat(pauses.getLast()).isEqualTo(Duration.ofSeconds(5));
        assertThat(pauses).isSorted();
    }

    @Test
    void asksSlowServersLessOften() {
        poller().await(Duration.ofSeconds(5), () -> missingAfter(Duration.ofMillis(200)));

        assertThat(pauses.subList(2, 5))
                .containsExactly(Duration.ofMillis(400), Duration.ofMillis(800), Duration.ofMillis(800));
    }

    @Test
    void asksOnceWithoutTime() {
        assertThat(poller().await(Duration.ZERO, () -> missingAfter(Duration.ZERO)))
                .contains("a leader");
        assertThat(pauses).isEmpty();
    }

    @Test
    void tellsWhatIsMissingOnceUntilThatChanges() {
        poller().await(Duration.ofSeconds(30), () -> missingAfter(Duration.ZERO));

        assertThat(told).containsExactly("a leader");
    }
}
