package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// Every small ring of which members are to be replaced, planned and played to its end. A sample by
/// default; all of them with `-Dworlds=all`.
class MemberWorldsTest {
    @Test
    void replacesMembersWhileQuorumHolds() {
        assertThat(Judge.wrong(Case.sample(MemberWorlds.all(), 200))).isEmpty();
    }

    @Test
    void replacesCrashLoopingMemberWhileQuorumHolds() {
        assertThat(Judge.wrong(Case.sample(MemberWorlds.failing(), 200))).isEmpty();
        assertThat(OneMore.wrong(MemberWorlds.failing(), 300)).isEmpty();
    }

    @Test
    void neverHarmsRingsWithOtherUnhealthyMembers() {
        assertThat(Judge.wrong(Case.sample(MemberWorlds.unwell(), 400))).isEmpty();
    }

    @Test
    void oneMoreFailureAtAnyPointHarmsNothing() {
        assertThat(OneMore.wrong(MemberWorlds.all(), 1_000)).isEmpty();
    }
}
