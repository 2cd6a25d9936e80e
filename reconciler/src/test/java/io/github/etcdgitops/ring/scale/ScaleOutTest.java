package io.github.etcdgitops.ring.scale;

import static io.github.etcdgitops.observe.Reading.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.fake.Blueprints;
import io.github.etcdgitops.ring.StepOrder;
import io.github.etcdgitops.ring.membership.MemberStep;
import io.github.etcdgitops.ring.membership.ObjectStep;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScaleOutTest {
    @Test
    void sealsTheLearnerBeforeItMayVote() {
        var join = new ScaleOut(ORDERS, 3, true, Blueprints.ANY);

        assertThat(StepOrder.first(join, MemberStep.SealMember.class))
                .isLessThan(StepOrder.first(join, MemberStep.Promote.class));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void addsTheMemberBeforeItsPodStarts(boolean learner) {
        var join = new ScaleOut(ORDERS, 3, learner, Blueprints.ANY);
        int added = Math.max(
                StepOrder.first(join, MemberStep.AddLearner.class), StepOrder.first(join, MemberStep.AddVoter.class));

        assertThat(added).isBetween(1, StepOrder.first(join, ObjectStep.SetReplicas.class) - 1);
        assertThat(StepOrder.first(join, MemberStep.Begin.class)).isZero();
        assertThat(StepOrder.last(join, MemberStep.Finish.class))
                .isEqualTo(join.steps().size() - 1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void admitsClientsLast(boolean learner) {
        var join = new ScaleOut(ORDERS, 3, learner, Blueprints.ANY);

        assertThat(StepOrder.first(join, MemberStep.AdmitClients.class))
                .isGreaterThan(StepOrder.first(join, MemberStep.AwaitGreen.class));
    }

    @Test
    void raisesTheBudgetBeforeTheLearnerVotes() {
        var join = new ScaleOut(ORDERS, 3, true, Blueprints.ANY);

        assertThat(join.steps()).contains(new ObjectStep.SetBudget(3));
        assertThat(join.steps().indexOf(new ObjectStep.SetBudget(3)))
                .isLessThan(StepOrder.first(join, MemberStep.Promote.class));
    }

    @Test
    void neverAsksAnOldServerForALearner() {
        assertThat(StepOrder.names(new ScaleOut(ORDERS, 3, false, Blueprints.ANY)))
                .doesNotContain("AddLearner", "Promote");
    }
}
