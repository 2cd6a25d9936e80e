package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/// Every small ring, planned and played to its end. A sample by default; all of them with `-Dworlds=all`.
class SmallWorldsTest {
    private static final long BEGAN = System.nanoTime();

    @AfterAll
    static void countsWhatItPlayed() {
        System.out.println("small worlds: " + Judge.WORLDS + " worlds and " + Judge.PLAYS + " plays of "
                + (Worlds.well().size()
                        + Worlds.unwell().size()
                        + Worlds.unknown().size()
                        + ByHand.all().size())
                + " worlds and " + OneMore.all() + " failures, " + (System.nanoTime() - BEGAN) / 1_000_000 + " ms");
    }

    @Test
    void ringsWithHealthyMembersConvergeFromEveryPoint() {
        var worlds = Case.sample(Worlds.well(), 900);

        var wrong = Judge.wrong(worlds);

        assertThat(wrong).isEmpty();
    }

    @Test
    void ringsWithUnhealthyMembersAreNeverHarmedAndConvergeOnceRepaired() {
        var worlds = Case.sample(Worlds.unwell(), 700);

        var wrong = Judge.wrong(worlds);

        assertThat(wrong).isEmpty();
    }

    @Test
    void neverActsOnUnreadableState() {
        var worlds = Case.sample(Worlds.unknown(), 600);

        var wrong = Judge.wrong(worlds);

        assertThat(wrong).isEmpty();
    }

    @Test
    void repairsOrHoldsChangesByHand() {
        var worlds = Case.sample(ByHand.all(), 600);

        var wrong = Judge.wrong(worlds);

        assertThat(wrong).isEmpty();
    }

    @Test
    void oneMoreFailureAtAnyPointHarmsNothing() {
        var wrong = OneMore.wrong(4_000);

        assertThat(wrong).isEmpty();
    }
}
