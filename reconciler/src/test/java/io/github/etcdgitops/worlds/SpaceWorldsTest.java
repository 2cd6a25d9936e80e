package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// Every small ring whose files are large or full, planned and played to its end. A sample by default;
/// all of them with `-Dworlds=all`.
class SpaceWorldsTest {
    @Test
    void defragmentsFilesAndClearsAlarms() {
        assertThat(Judge.wrong(Case.sample(SpaceWorlds.all(), 150))).isEmpty();
    }

    @Test
    void neverHarmsRingsWithUnhealthyMembers() {
        assertThat(Judge.wrong(Case.sample(SpaceWorlds.unwell(), 400))).isEmpty();
    }

    @Test
    void oneMoreFailureAtAnyPointOfItHarmsNothing() {
        assertThat(OneMore.wrong(SpaceWorlds.all(), 1_000)).isEmpty();
    }
}
