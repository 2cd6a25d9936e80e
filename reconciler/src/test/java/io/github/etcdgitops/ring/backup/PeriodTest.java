package io.github.etcdgitops.ring.backup;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PeriodTest {
    @ParameterizedTest
    @CsvSource({"1, 1m", "90, 90m", "60, 1h", "1560, 26h", "1440, 1d", "10080, 7d"})
    void isWrittenInTheLargestUnitThatFits(long minutes, String title) {
        assertThat(Period.title(Duration.ofMinutes(minutes))).isEqualTo(title);
    }
}
