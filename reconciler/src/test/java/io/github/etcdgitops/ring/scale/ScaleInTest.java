package io.github.etcdgitops.ring.scale;

import static io.github.etcdgitops.observe.Reading.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.ring.StepOrder;
import io.github.etcdgitops.ring.membership.MemberStep;
import io.github.etcdgitops.ring.membership.ObjectStep;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ScaleInTest {
    private final ScaleIn departure = new ScaleIn(ORDERS, 4, false);

    @Test
    void removesTheMemberBeforeItsPodGoes() {
        assertThat(StepOrder.first(departure, MemberStep.RemoveMember.class))
                .isLessThan(StepOrder.first(departure, ObjectStep.SetReplicas.class));
    }

    @Test
    void movesLeadershipAndRefusesEvictionsFirst() {
        assertThat(StepOrder.names(departure)).startsWith("Begin", "YieldLeadership", "BlockEvictions", "RemoveMember");
    }

    @Test
    void releasesTheVolumeOnlyAfterThePodIsGone() {
        assertThat(StepOrder.first(departure, MemberStep.ReleaseMember.class))
                .isGreaterThan(StepOrder.first(departure, MemberStep.AwaitPodGone.class));
    }

    @Test
    void onlyMemberThatIsTakenBackMayBeUnhealthy() {
        assertThat(departure.steps()).contains(new MemberStep.RemoveMember(4, new TreeSet<>()));
        assertThat(new ScaleIn(ORDERS, 4, true).steps())
                .contains(new MemberStep.RemoveMember(4, new TreeSet<>(Set.of(4))));
    }

    @Test
    void leavesTheBudgetOfTheSmallerRing() {
        assertThat(departure.steps()).contains(new ObjectStep.SetBudget(3));
        assertThat(new ScaleIn(ORDERS, 1, false).steps()).contains(new ObjectStep.SetBudget(0));
    }
}
