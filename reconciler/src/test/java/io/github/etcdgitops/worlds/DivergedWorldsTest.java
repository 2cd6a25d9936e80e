package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// Every small ring in which data differs, planned and played to its end. A sample by default; all of them
/// with `-Dworlds=all`.
class DivergedWorldsTest {
    @Test
    void replacesMemberThatDiffersFromMajority() {
        assertThat(Judge.wrong(Case.sample(DivergedWorlds.all(), 200))).isEmpty();
    }

    @Test
    void neverHarmsRingsWithOtherUnhealthyMembers() {
        assertThat(Judge.wrong(Case.sample(DivergedWorlds.unwell(), 400))).isEmpty();
    }

    @Test
    void oneMoreFailureAtAnyPointHarmsNothing() {
        assertThat(OneMore.wrong(DivergedWorlds.all(), 600)).isEmpty();
    }
}
