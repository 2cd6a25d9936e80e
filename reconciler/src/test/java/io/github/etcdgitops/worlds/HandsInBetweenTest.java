package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.fake.Faults;
import io.github.etcdgitops.fake.Given;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// Somebody changes the ring by hand while a run is at work on it.
class HandsInBetweenTest {
    private static final int STEPS_AT_MOST = 50;
    private static final List<List<Integer>> SIZES = List.of(List.of(3, 5), List.of(5, 3), List.of(5, 2));

    @Test
    void stopsPlanWhenMemberIsRemovedByHand() {
        for (var sizes : SIZES) {
            for (int boundary = 0; boundary < STEPS_AT_MOST; boundary++) {
                assertThat(actsAfter(sizes, boundary, f -> f.removeMemberByHand(1)))
                        .as("boundary " + boundary + " of " + sizes)
                        .noneMatch(HandsInBetweenTest::changesMembers);
            }
        }
    }

    /// Removed and added again: the same ordinals as planned, so only the IDs tell.
    @Test
    void stopsPlanWhenMemberIsReplacedByHand() {
        for (var sizes : SIZES) {
            for (int boundary = 0; boundary < STEPS_AT_MOST; boundary++) {
                assertThat(actsAfter(sizes, boundary, f -> f.replaceMemberByHand(1)))
                        .as("boundary " + boundary + " of " + sizes)
                        .noneMatch(HandsInBetweenTest::changesMembers);
            }
        }
    }

    @Test
    void stopsPlanWhenStatefulSetIsScaledByHand() {
        for (var sizes : SIZES) {
            for (int boundary = 0; boundary < STEPS_AT_MOST; boundary++) {
                assertThat(actsAfter(sizes, boundary, f -> f.scaleByHand(8)))
                        .as("boundary " + boundary + " of " + sizes)
                        .noneMatch(HandsInBetweenTest::changesMembers);
            }
        }
    }

    @Test
    void stopsPlanWhenForeignMemberIsAdded() {
        for (var sizes : SIZES) {
            for (int boundary = 0; boundary < STEPS_AT_MOST; boundary++) {
                assertThat(actsAfter(sizes, boundary, f -> f.addForeignMember("http://elsewhere:2380")))
                        .as("boundary " + boundary + " of " + sizes)
                        .noneMatch(a -> changesMembers(a) && !a.startsWith("set replicas"));
            }
        }
    }

    /// An eviction is not ours to forbid before we removed anything; a removal while one is allowed would be ours.
    @Test
    void removesNoMemberWhileEvictionIsAllowed() {
        for (int removal = 0; removal < 2; removal++) {
            var play = resize(List.of(5, 3));
            var removals = new AtomicInteger();
            int at = removal;

            play.once(boundary -> {
                if (boundary.equals("ScaleIn/RemoveMember/before") && removals.getAndIncrement() == at) {
                    play.world.faults(Play.REF).budgetByHand(0);
                    play.world.tick();
                }
            });

            assertThat(play.ring.voters()).as("removal " + removal).hasSize(5 - removal);
            assertThat(play.breaches()).isEmpty();
        }
    }

    @Test
    void returningMemberStartsOnItsOwnDisk() {
        for (String version : Worlds.VERSIONS) {
            var world = Worlds.ring().version(version).members(3).build();
            for (int size : List.of(2, 3, 2, 3, 5, 3, 5)) {
                var play = new Play(world, Given.spec(Play.REF, size, version));

                assertThat(play.notAtRest(play.untilQuiet(3)))
                        .as(version + " " + play)
                        .isEmpty();
                assertThat(play.breaches()).isEmpty();
            }
        }
    }

    private static boolean changesMembers(String act) {
        return act.startsWith("add ")
                || act.startsWith("promote ")
                || act.startsWith("remove ")
                || act.startsWith("set replicas");
    }

    private static Play resize(List<Integer> sizes) {
        return new Play(
                Worlds.ring()
                        .members(sizes.getFirst())
                        .leader(sizes.getFirst() - 1)
                        .build(),
                Given.spec(Play.REF, sizes.getLast(), "3.5.16"));
    }

    private static List<String> actsAfter(List<Integer> sizes, int boundary, Consumer<Faults> deed) {
        var play = resize(sizes);
        var reached = new AtomicInteger();
        var acts = new AtomicInteger(Integer.MAX_VALUE);
        play.once(_ -> {
            if (reached.getAndIncrement() == boundary) {
                deed.accept(play.world.faults(Play.REF));
                play.world.tick();
                acts.set(play.world.acts().size());
            }
        });
        assertThat(play.world.oracle().breaches())
                .as("boundary " + boundary + " of " + sizes)
                .isEmpty();
        var all = play.world.acts();
        return all.subList(Math.min(acts.get(), all.size()), all.size());
    }
}
