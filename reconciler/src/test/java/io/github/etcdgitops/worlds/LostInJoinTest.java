package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.fake.Crash;
import io.github.etcdgitops.fake.Faults;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.state.journal.Journal;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ObjIntConsumer;
import org.junit.jupiter.api.Test;

/// The joining member's disk is gone in the middle of its join, before or after any step.
class LostInJoinTest {
    private static final int STEPS_AT_MOST = 30;
    private static final int NEW = 3;

    @Test
    void restartsJoinAfterWipedDisk() {
        for (String version : Worlds.VERSIONS) {
            for (int boundary = 0; boundary < STEPS_AT_MOST; boundary++) {
                var play = struck(version, boundary, Faults::loseDisk);
                if (play.ring.voters().contains(NEW)
                        && play.ring.journal().flatMap(Journal::intent).isEmpty()) {
                    // The join was over: that is a dead member, not a stuck join.
                    continue;
                }

                assertThat(play.notAtRest(play.untilQuiet(4)))
                        .as(version + ", boundary " + boundary + "\n" + play)
                        .isEmpty();
                assertThat(play.breaches()).isEmpty();
            }
        }
    }

    /// It came with the join: nobody misses it.
    @Test
    void restartsJoinOnAnotherVolume() {
        int lost = 0;
        for (int boundary = 0; boundary < STEPS_AT_MOST; boundary++) {
            var play = struck("3.5.16", boundary, Faults::loseVolume);
            if (!play.ring.voters().contains(NEW)) {
                lost++;
                assertThat(play.notAtRest(play.untilQuiet(4)))
                        .as("boundary " + boundary + "\n" + play)
                        .isEmpty();
                assertThat(play.breaches()).isEmpty();
            }
        }
        assertThat(lost).isGreaterThan(3);
    }

    /// An earlier member of that ordinal had it: only a person knows whether anybody wants it back.
    @Test
    void cancelsJoinOnLostRetainedVolumeUntilClaimIsDeleted() {
        int ended = 0;
        for (int boundary = 0; boundary < STEPS_AT_MOST; boundary++) {
            var play = struck(grownBefore("3.5.16"), boundary, Faults::loseVolume);
            if (play.ring.voters().contains(NEW)) {
                continue;
            }
            var plan = play.untilQuiet(3);
            ended++;
            assertThat(play.ring.voters()).hasSize(NEW);
            assertThat(codes(plan)).as(play.toString()).contains("claim-lost");

            play.world.faults(Play.REF).deleteClaim(NEW);

            assertThat(play.notAtRest(play.untilQuiet(4))).as(play.toString()).isEmpty();
            assertThat(play.breaches()).isEmpty();
        }
        assertThat(ended).isGreaterThan(3);
    }

    /// Whoever is added after it is another member: the journal forgets the one that was taken out before.
    @Test
    void restartsJoinOfMemberRemovedByHand() {
        int removed = 0;
        for (int boundary = 0; boundary < STEPS_AT_MOST; boundary++) {
            var play = struck("3.5.16", boundary, (faults, ordinal) -> {
                faults.removeMemberByHand(ordinal);
                throw new Crash("beside it");
            });
            removed += play.ring.learners().contains(NEW) || play.ring.voters().contains(NEW) ? 0 : 1;

            assertThat(play.notAtRest(play.untilQuiet(4)))
                    .as("boundary " + boundary + "\n" + play)
                    .isEmpty();
            assertThat(play.breaches()).isEmpty();
        }
        assertThat(removed).isGreaterThan(8);
    }

    private static List<String> codes(ClusterPlan plan) {
        return plan.findings().stream().map(Finding::code).toList();
    }

    /// A ring of three on its way to four, and what happens to the fourth.
    private static Play struck(String version, int boundary, ObjIntConsumer<Faults> fault) {
        return struck(
                new Play(Worlds.ring().version(version).members(NEW).build(), Given.spec(Play.REF, NEW + 1, version)),
                boundary,
                fault);
    }

    private static Play struck(Play play, int boundary, ObjIntConsumer<Faults> fault) {
        var reached = new AtomicInteger();
        try {
            play.once(_ -> {
                if (reached.getAndIncrement() == boundary) {
                    fault.accept(play.world.faults(Play.REF), NEW);
                }
            });
        } catch (Crash _) {
            // The next run carries on.
        }
        play.world.tick(20);
        return play;
    }

    /// It had four members once, and the volume of the fourth was kept.
    private static Play grownBefore(String version) {
        var world = Worlds.ring().version(version).members(NEW + 1).build();
        new Play(world, Given.spec(Play.REF, NEW, version)).untilQuiet(3);
        return new Play(world, Given.spec(Play.REF, NEW + 1, version));
    }
}
