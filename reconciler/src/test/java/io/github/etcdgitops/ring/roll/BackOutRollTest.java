package io.github.etcdgitops.ring.roll;

import static io.github.etcdgitops.observe.Reading.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.ring.StepOrder;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.journal.MemberSettings;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class BackOutRollTest {
    private static final MemberSettings TARGET = new MemberSettings(new EtcdVersion(3, 5, 16), new TreeMap<>());

    @Test
    void replacesPodOfStuckMemberFirst() {
        var back = new BackOutRoll(
                ORDERS,
                new BackOutRoll.Members(5, List.of(3), List.of(4)),
                TARGET,
                BackOutRoll.Also.NOTHING,
                "op",
                Optional.of("no image"),
                "its image is not there");

        assertThat(back.steps().stream().filter(UnrollStep.ReplacePod.class::isInstance))
                .containsExactly(new UnrollStep.ReplacePod(3), new UnrollStep.ReplacePod(4));
        assertThat(StepOrder.names(back))
                .startsWith("BeginUnroll", "BlockEvictions")
                .containsSubsequence("WriteMemberFile", "ReinstateTemplate", "ReplacePod");
        assertThat(back.steps().stream().filter(RollStep.WriteMemberFile.class::isInstance))
                .hasSize(5);
        assertThat(back.steps()).contains(new UnrollStep.BeginUnroll(Optional.of("no image")));
    }

    @Test
    void allowsBackedOutRollWhenWantedAgain() {
        var back = new BackOutRoll(
                ORDERS,
                new BackOutRoll.Members(3, List.of(), List.of(2)),
                TARGET,
                BackOutRoll.Also.NOTHING,
                "op",
                Optional.empty(),
                "wanted no more");

        assertThat(back.steps()).contains(new UnrollStep.BeginUnroll(Optional.empty()));
    }

    /// The ring may agree on nothing without the stuck member.
    @Test
    void cancelsDowngradeOnceStuckMembersAreBackAndBeforeTheOthersReturn() {
        var back = new BackOutRoll(
                ORDERS,
                new BackOutRoll.Members(3, List.of(1), List.of(2)),
                TARGET,
                BackOutRoll.Also.DOWNGRADE,
                "op",
                Optional.empty(),
                "wanted no more");

        assertThat(StepOrder.names(back))
                .containsSubsequence(
                        "ReinstateTemplate",
                        "ReplacePod",
                        "AwaitRolled",
                        "CancelDowngrade",
                        "YieldLeadership",
                        "ReplacePod",
                        "FinishUnroll")
                .containsOnlyOnce("CancelDowngrade");
    }
}
