package io.github.etcdgitops.plan.fleet;

import static io.github.etcdgitops.observe.Reading.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.plan.PlannedOperation;
import io.github.etcdgitops.ring.RingModel;
import io.github.etcdgitops.ring.membership.MemberStep;
import io.github.etcdgitops.ring.scale.ScaleIn;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class TempoTest {
    private static final PlannedOperation SHRINK = PlannedOperation.of(new ScaleIn(ORDERS, 2, false), RingModel.EMPTY);

    private static Tempo recorded(long... millis) {
        var tempo = Tempo.NONE;
        for (var planned : SHRINK.steps()) {
            for (long time : millis) {
                tempo = tempo.and(planned.step().name(), time);
            }
        }
        return tempo;
    }

    @Test
    void guessesWhereNothingIsRecorded() {
        var range = Tempo.NONE.of(List.of(SHRINK));

        assertThat(range.recorded()).isZero();
        assertThat(range.all()).isEqualTo(SHRINK.steps().size());
        assertThat(range.most()).isEqualTo(Estimate.of(SHRINK.operation()));
        assertThat(range.least()).isCloseTo(range.most().dividedBy(3), Duration.ofSeconds(1));
    }

    @Test
    void addsUpWhatStepsTookFromTheQuickestToTheSlowest() {
        var range = recorded(1000, 5000, 2000).of(List.of(SHRINK, SHRINK));

        assertThat(range.recorded()).isEqualTo(range.all());
        assertThat(range.least())
                .isEqualTo(Duration.ofSeconds(2L * SHRINK.steps().size()));
        assertThat(range.most())
                .isEqualTo(Duration.ofSeconds(10L * SHRINK.steps().size()));
    }

    @Test
    void leavesOutTheTenthThatIsOddAtEachEnd() {
        var range = recorded(1, 2000, 2000, 2000, 2000, 2000, 2000, 2000, 2000, 90_000)
                .of(List.of(SHRINK));

        assertThat(range.least()).isEqualTo(range.most());
    }

    @Test
    void tellsNothingUsualFromTwoTimes() {
        assertThat(recorded(1000, 2000).of(List.of(SHRINK)).recorded()).isZero();
    }

    @Test
    void forgetsTheOldestTimes() {
        var tempo = Tempo.NONE;
        String name = new MemberStep.AwaitGreen().name();
        for (long time = 0; time < 100; time++) {
            tempo = tempo.and(name, time);
        }

        assertThat(tempo.steps().get(name)).hasSize(40).startsWith(60L).endsWith(99L);
    }
}
