package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// Every small ring that loses volumes, planned and played to its end. A sample by default; all of them
/// with `-Dworlds=all`.
class VolumeWorldsTest {
    @Test
    void replacesLostVolumesWhileQuorumHolds() {
        assertThat(Judge.wrong(Case.sample(VolumeWorlds.all(), 200))).isEmpty();
    }

    @Test
    void replacementNeverHarmsRingsWithUnhealthyMembers() {
        assertThat(Judge.wrong(Case.sample(VolumeWorlds.unwell(), 400))).isEmpty();
    }

    @Test
    void oneMoreFailureAtAnyPointOfReplacementHarmsNothing() {
        assertThat(OneMore.wrong(VolumeWorlds.sturdy(), 1_000)).isEmpty();
    }
}
