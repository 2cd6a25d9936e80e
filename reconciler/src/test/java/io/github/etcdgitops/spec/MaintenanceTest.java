package io.github.etcdgitops.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.spec.ring.Maintenance;
import io.github.etcdgitops.spec.ring.Maintenance.Defragment;
import io.github.etcdgitops.spec.ring.Repairs;
import io.github.etcdgitops.spec.time.Crontab;
import io.github.etcdgitops.spec.time.Window;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MaintenanceTest {
    private static Maintenance during(Window... windows) {
        return new Maintenance(Optional.empty(), List.of(windows), Repairs.Mode.MANUAL, 1);
    }

    @Test
    void defragmentsByFileSizeAndFreeShare() {
        var when = new Defragment(50, 1000);

        assertThat(when.worth(1000, 500)).isTrue();
        assertThat(when.worth(1000, 501)).isFalse();
        assertThat(when.worth(999, 0)).isFalse();
        assertThat(when.worth(8L << 30, 4L << 30)).isTrue();
    }

    @Test
    void windowOpensOnScheduleAndClosesAfterDuration() {
        var berlin = new Window(Crontab.parse("0 2 * * 6"), Duration.ofHours(2), ZoneId.of("Europe/Berlin"));
        var maintenance = during(berlin);

        // 2026-08-01 is a Saturday; in summer it is two hours later in Berlin.
        assertThat(maintenance.openAt(Instant.parse("2026-07-31T23:59:59Z"))).isFalse();
        assertThat(maintenance.openAt(Instant.parse("2026-08-01T00:00:00Z"))).isTrue();
        assertThat(maintenance.openAt(Instant.parse("2026-08-01T01:59:59Z"))).isTrue();
        assertThat(maintenance.openAt(Instant.parse("2026-08-01T02:00:00Z"))).isFalse();
    }

    @Test
    void withoutWindowsItIsAlwaysOpen() {
        assertThat(during().openAt(Instant.EPOCH)).isTrue();
    }
}
