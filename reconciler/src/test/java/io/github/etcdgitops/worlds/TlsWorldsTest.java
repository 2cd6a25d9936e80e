package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// Every small ring on its way to TLS, planned and played to its end. A sample by default; all of them
/// with `-Dworlds=all`.
class TlsWorldsTest {
    @Test
    void movesIdleRingsToTls() {
        assertThat(Judge.wrong(Case.sample(TlsWorlds.atRest(), 30))).isEmpty();
    }

    @Test
    void interruptedMovesContinueOrGoBack() {
        assertThat(Judge.wrong(Case.sample(TlsWorlds.underWay(), 60))).isEmpty();
    }

    @Test
    void neverHarmsRingsWithUnhealthyMembers() {
        assertThat(Judge.wrong(Case.sample(TlsWorlds.unwell(), 150))).isEmpty();
    }

    @Test
    void oneMoreFailureAtAnyPointHarmsNothing() {
        assertThat(OneMore.wrong(TlsWorlds.atRest(), 250)).isEmpty();
    }

    @Test
    void oneMoreFailureAtAnyPointOfInterruptedMoveHarmsNothing() {
        assertThat(OneMore.wrong(TlsWorlds.underWay(), 250)).isEmpty();
    }
}
