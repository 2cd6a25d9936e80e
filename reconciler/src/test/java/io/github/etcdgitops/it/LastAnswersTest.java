package io.github.etcdgitops.it;

import static io.github.etcdgitops.it.LastAnswers.Answer.LED;
import static io.github.etcdgitops.it.LastAnswers.Answer.NONE;
import static io.github.etcdgitops.it.LastAnswers.Answer.WITHOUT_LEADER;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.it.LastAnswers.Answer;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LastAnswersTest {
    private static final String VOTER = "orders-0";
    private static final long BEGAN = Long.MAX_VALUE - 1;

    private final LastAnswers answers = new LastAnswers();

    @Test
    void countsVoterAsDownUntilItHasHadALeader() {
        assertThat(isDown(0)).isTrue();
        heard(WITHOUT_LEADER, 0);
        assertThat(isDown(0)).isTrue();

        heard(LED, 100);

        assertThat(isDown(100)).isFalse();
    }

    @Test
    void countsVoterAsDownAfterHalfASecondWithoutAnAnswer() {
        heard(LED, 0);
        heard(NONE, 500);
        assertThat(isDown(500)).isFalse();

        heard(NONE, 501);

        assertThat(isDown(501)).isTrue();
    }

    /// What a busy machine does to a ring: an election, in which everybody answers.
    @Test
    void countsVoterAsUpThroughAnElection() {
        heard(LED, 0);

        for (int at = 100; at <= 5_000; at += 100) {
            heard(WITHOUT_LEADER, at);
            assertThat(isDown(at)).isFalse();
        }
        heard(WITHOUT_LEADER, 5_001);

        assertThat(isDown(5_001)).isTrue();
    }

    /// Whoever restarts answers before it has found the others: until then nobody else may be taken away.
    @Test
    void countsVoterThatCameBackAsDownUntilItHasALeader() {
        heard(LED, 0);
        heard(NONE, 600);

        heard(WITHOUT_LEADER, 700);
        assertThat(isDown(700)).isTrue();
        heard(WITHOUT_LEADER, 900);
        assertThat(isDown(900)).isTrue();
        heard(LED, 1_000);

        assertThat(isDown(1_000)).isFalse();
    }

    @Test
    void countsVoterOfANewPodAsDownUntilItHasALeader() {
        heard(LED, 0);

        answers.forget(VOTER);
        heard(WITHOUT_LEADER, 100);

        assertThat(isDown(100)).isTrue();
    }

    @Test
    void waitsTwoSecondsForAnAnswerThatIsUnderWay() {
        heard(LED, 0);

        assertThat(answers.isDown(VOTER, nanos(1_999), true)).isFalse();
        assertThat(answers.isDown(VOTER, nanos(2_000), true)).isTrue();
    }

    @Test
    void takesALateAnswerWithoutLeaderForOneOfARunningVoter() {
        heard(LED, 0);
        assertThat(answers.isDown(VOTER, nanos(1_500), true)).isFalse();

        heard(WITHOUT_LEADER, 1_500);

        assertThat(isDown(1_500)).isFalse();
    }

    @Test
    void forgivesTimeInWhichNobodyAsked() {
        heard(LED, 0);

        answers.forgive(TimeUnit.SECONDS.toNanos(10));

        assertThat(isDown(10_500)).isFalse();
        assertThat(isDown(10_501)).isTrue();
    }

    /// Questions fail when this process stands still, and their end may be seen before the standstill is.
    @Test
    void forgivesFailureThatWasSeenBefore() {
        heard(LED, 0);
        heard(NONE, 3_100);

        answers.forgive(TimeUnit.SECONDS.toNanos(3));

        assertThat(isDown(3_100)).isFalse();
        heard(WITHOUT_LEADER, 3_200);
        assertThat(isDown(3_700)).isFalse();
    }

    private void heard(Answer answer, long millis) {
        answers.heard(VOTER, answer, nanos(millis));
    }

    private boolean isDown(long millis) {
        return answers.isDown(VOTER, nanos(millis), false);
    }

    /// The clock may begin anywhere, also where it soon flows over.
    private static long nanos(long millis) {
        return BEGAN + TimeUnit.MILLISECONDS.toNanos(millis);
    }
}
