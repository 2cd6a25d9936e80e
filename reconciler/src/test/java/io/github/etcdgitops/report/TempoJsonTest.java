package io.github.etcdgitops.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.execute.progress.ClusterResult;
import io.github.etcdgitops.plan.fleet.Tempo;
import io.github.etcdgitops.report.RingRun.StepRun;
import io.github.etcdgitops.report.RingRun.Time;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TempoJsonTest {
    private static StepRun step(String result, long millis) {
        return new StepRun(
                "id", "ScaleOut", "AwaitGreen", "Wait", result, "", new Time("2026-01-01T00:00:00Z", millis));
    }

    private static Tempo after(StepRun... steps) {
        var ring = new RingRun("demo/orders", ClusterResult.Outcome.DONE, "", List.of(steps));
        return TempoJson.and(Tempo.NONE, new RunJson.Run("id", "commit", "hash", "success", List.of(ring)));
    }

    @Test
    void keepsDurationsOfDoneSteps() {
        var tempo = after(step("done", 1200), step("already so", 1), step("failed", 600_000), step("done", 1300));

        assertThat(tempo.steps()).containsOnlyKeys("AwaitGreen").containsValue(List.of(1200L, 1300L));
        assertThat(TempoJson.read(Optional.of(TempoJson.json(tempo)))).isEqualTo(tempo);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[]", "{\"millis\":[1]}", "{\"millis\":3}"})
    void knowsNothingFromInvalidFile(String json) {
        assertThat(TempoJson.read(Optional.of(json))).isEqualTo(Tempo.NONE);
    }

    /// Whoever may write to the branch can make it so.
    @Test
    void ignoresEntriesThatNoRunWrites() {
        var tempo = TempoJson.read(Optional.of("""
            {"millis": {"RestartMember": [9223372036854775807, -5, 20], "::error file=x::text": [1], "": [1]}}
            """));

        assertThat(tempo.steps()).containsOnlyKeys("RestartMember");
        assertThat(tempo.steps().get("RestartMember")).containsExactly(86_400_000L, 0L, 20L);
    }
}
