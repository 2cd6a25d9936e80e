package io.github.etcdgitops.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.etcdgitops.state.health.Quorum;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuorumTest {
    @ParameterizedTest
    @CsvSource({"1,1,0", "2,2,0", "3,2,1", "4,3,1", "5,3,2", "6,4,2", "7,4,3", "9,5,4"})
    void needsMoreThanHalfOfVoters(int voters, int needed, int tolerance) {
        assertThat(new Quorum(voters, voters).needed()).isEqualTo(needed);
        assertThat(new Quorum(voters, voters).tolerance()).isEqualTo(tolerance);
    }

    @Test
    void everyVoterThatIsDownCostsTolerance() {
        assertThat(new Quorum(5, 4).tolerance()).isEqualTo(1);
        assertThat(new Quorum(5, 3).tolerance()).isZero();
        assertThat(new Quorum(5, 3).holds()).isTrue();
        assertThat(new Quorum(5, 2).tolerance()).isEqualTo(-1);
        assertThat(new Quorum(5, 2).holds()).isFalse();
    }

    @Test
    void noVotersAreNoQuorum() {
        assertThat(new Quorum(0, 0).holds()).isFalse();
    }

    @Test
    void moreHealthyThanThereAreIsABug() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Quorum(3, 4));
    }
}
