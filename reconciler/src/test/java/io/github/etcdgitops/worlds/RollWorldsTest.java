package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// Every small ring that is rolled, planned and played to its end. A sample by default; all of them with
/// `-Dworlds=all`.
class RollWorldsTest {
    @Test
    void ringsAtRestAreRolled() {
        assertThat(Judge.wrong(Case.sample(RollWorlds.atRest(), 60))).isEmpty();
    }

    @Test
    void rollsThatWereLeftGoOnOrBack() {
        assertThat(Judge.wrong(Case.sample(RollWorlds.underWay(), 150))).isEmpty();
    }

    @Test
    void rolloutNeverHarmsRingsWithUnhealthyMembers() {
        assertThat(Judge.wrong(Case.sample(RollWorlds.unwell(), 500))).isEmpty();
    }

    @Test
    void oneMoreFailureAtAnyPointOfARollHarmsNothing() {
        assertThat(OneMore.wrong(RollWorlds.atRest(), 1_000)).isEmpty();
    }

    @Test
    void oneMoreFailureAtAnyPointOfARollThatGoesOnOrBackHarmsNothing() {
        assertThat(OneMore.wrong(RollWorlds.underWay(), 1_000)).isEmpty();
    }
}
