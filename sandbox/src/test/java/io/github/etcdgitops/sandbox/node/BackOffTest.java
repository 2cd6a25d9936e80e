package io.github.etcdgitops.sandbox.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.sandbox.node.MachineSettings.BackOffs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BackOffTest {
    private static final BackOff NONE =
            BackOff.of(new BackOffs(Duration.ofSeconds(1), Duration.ofSeconds(5), Duration.ofMinutes(10)));

    @Test
    void doublesUpToItsLongest() {
        List<Long> pauses = new ArrayList<>();
        BackOff backOff = NONE;
        for (int i = 0; i < 40; i++) {
            pauses.add(backOff.pause().toSeconds());
            backOff = backOff.after(Duration.ofMinutes(9));
        }

        assertThat(pauses).startsWith(0L, 1L, 2L, 4L, 5L, 5L).endsWith(5L);
    }

    @Test
    void resetsAfterQuietTime() {
        BackOff backOff = NONE.after(Duration.ZERO).after(Duration.ZERO).after(Duration.ZERO);

        assertThat(backOff.after(Duration.ofMinutes(10)).pause()).isEqualTo(Duration.ofSeconds(1));
    }
}
