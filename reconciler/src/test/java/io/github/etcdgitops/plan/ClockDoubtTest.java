package io.github.etcdgitops.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClockDoubtTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

    @ParameterizedTest
    @ValueSource(strings = {"PT1H", "-PT1H", "PT601S", "-PT601S"})
    void doubtsAClockThatIsFarFromTheApiServers(String off) {
        assertThat(ClockDoubt.ofServer(Optional.of(NOW.plus(Duration.parse(off))), NOW))
                .hasValueSatisfying(why -> assertThat(why).contains("2026-01-02T03:04:05Z", "NTP"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT10M", "-PT10M"})
    void doubtsNoClockThatIsNear(String off) {
        assertThat(ClockDoubt.ofServer(Optional.of(NOW.plus(Duration.parse(off))), NOW))
                .isEmpty();
    }

    @Test
    void doubtsNothingWhereTheServerSaysNothing() {
        assertThat(ClockDoubt.ofServer(Optional.empty(), NOW)).isEmpty();
    }
}
