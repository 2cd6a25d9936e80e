package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.execute.progress.ClusterResult;
import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.gateway.KubernetesGateway.LeaseState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Two runs, one ring.
class TwoRunsTest {
    private static final int STEPS_AT_MOST = 60;

    @Test
    void secondRunIsBusy() {
        var play = resize(3, 5);
        var others = new ArrayList<Outcome>();

        var result = play.once(_ -> {
            var other = play.run();
            others.add(other.execute(other.plan(), FaultHook.NONE, _ -> false).outcome());
        });

        assertThat(result.outcome()).isEqualTo(Outcome.DONE);
        assertThat(others).contains(Outcome.BUSY).containsOnly(Outcome.BUSY, Outcome.NOTHING);
        assertThat(play.notAtRest(play.plan())).isEmpty();
        assertThat(play.breaches()).isEmpty();
    }

    @Test
    void pausedHolderDoesNothingAfterLosingLease() {
        for (int boundary = 0; boundary < STEPS_AT_MOST; boundary++) {
            for (var sizes : List.of(List.of(3, 5), List.of(5, 3), List.of(1, 3), List.of(3, 1))) {
                var play = resize(sizes.getFirst(), sizes.getLast());
                var paused = new Paused(play, boundary, TwoRunsTest::takeOver);

                var result = paused.result();

                paused.assertNothingMore(result);
            }
        }
    }

    /// The first one's pod was thought gone, so its Lease was taken over at once, and its successor wrote the
    /// journal and ended before the first one renewed.
    @Test
    void journalFencesFormerHolder() {
        for (int boundary = 0; boundary < STEPS_AT_MOST; boundary++) {
            var play = resize(3, 4);
            var paused = new Paused(play, boundary, TwoRunsTest::journalOfANewerEpoch);

            var result = paused.result();

            if (paused.struck() && !result.events().isEmpty()) {
                var journal = play.ring.journal().orElseThrow();
                assertThat(journal.epoch()).as("boundary " + boundary).isGreaterThanOrEqualTo(1000);
                assertThat(result.outcome())
                        .as("boundary " + boundary + ": " + result.detail())
                        .isIn(Outcome.FENCED, Outcome.FAILED, Outcome.HELD, Outcome.DONE);
                assertThat(paused.journalWrites()).isZero();
            }
            assertThat(play.breaches()).isEmpty();
        }
    }

    @Test
    void twoRunsThatThinkTheOtherGoneHarmNothing() {
        for (int boundary = 0; boundary < STEPS_AT_MOST; boundary++) {
            for (var sizes : List.of(List.of(3, 5), List.of(5, 3), List.of(3, 1), List.of(1, 3))) {
                var play = resize(sizes.getFirst(), sizes.getLast());
                var paused = new Paused(play, boundary, p -> {
                    var other = p.run();
                    other.execute(other.plan(), FaultHook.NONE, _ -> true);
                });

                paused.result();

                assertThat(play.breaches())
                        .as("boundary " + boundary + " of " + sizes)
                        .isEmpty();
                play.world.tick(20);
                assertThat(play.notAtRest(play.untilQuiet(4)))
                        .as("boundary " + boundary + " of " + sizes + " " + play)
                        .isEmpty();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {-3600, 3600})
    void continuesRingOfFrozenRunWithClockAnHourOff(long seconds) {
        for (int boundary = 0; boundary < STEPS_AT_MOST; boundary++) {
            for (var sizes : List.of(List.of(3, 5), List.of(5, 3))) {
                var play = resize(sizes.getFirst(), sizes.getLast());
                var paused = new Paused(play, boundary, p -> {
                    p.world.tick(180);
                    var other = p.run().off(Duration.ofSeconds(seconds));
                    other.execute(other.plan(), FaultHook.NONE, _ -> false);
                });

                paused.result();

                var as = "boundary " + boundary + " of " + sizes + " " + play;
                assertThat(play.breaches()).as(as).isEmpty();
                play.world.tick(200);
                assertThat(play.notAtRest(play.untilQuiet(4))).as(as).isEmpty();
            }
        }
    }

    @Test
    void refusesPlanOfAnotherRing() {
        for (int boundary = 0; boundary < STEPS_AT_MOST; boundary++) {
            var play = resize(3, 5);
            var slow = play.run();
            var plan = slow.plan();
            int last = boundary;
            var count = new AtomicInteger();
            try {
                play.once(_ -> {
                    if (count.getAndIncrement() == last) {
                        throw new Ended();
                    }
                });
            } catch (Ended _) {
                play.world.tick();
            }
            boolean same = play.plan().operations().equals(plan.operations())
                    && play.plan().fingerprint().equals(plan.fingerprint());
            play.world.tick(20);
            int acts = play.world.acts().size();

            var result = slow.execute(plan, FaultHook.NONE, _ -> true);

            if (!same) {
                assertThat(result.outcome()).as("boundary " + boundary).isEqualTo(Outcome.STALE);
                assertThat(play.world.acts().subList(acts, play.world.acts().size()))
                        .allMatch(a -> a.startsWith("lease"));
            }
        }
    }

    private static Play resize(int from, int to) {
        return new Play(Worlds.ring().members(from).leader(from - 1).build(), Given.spec(Play.REF, to, "3.5.16"));
    }

    private static void takeOver(Play play) {
        play.world.tick(130);
        var kube = play.world.kubernetes();
        var lease = kube.readLease(Play.REF).orElseThrow();
        var other = new LeaseState(
                Optional.of("somebody"), play.world.instant(), 60, lease.transitions() + 1, Optional.empty());
        kube.writeLease(Play.REF, other, lease.resourceVersion());
    }

    private static void journalOfANewerEpoch(Play play) {
        var kube = play.world.kubernetes();
        var read = kube.read(Play.REF, 9).journal().optional().orElseThrow().orElseThrow();
        kube.writeJournal(Play.REF, read.journal().withEpoch(1000), Optional.of(read.resourceVersion()));
    }

    /// Thrown out of a hook: the run ends between two steps.
    private static final class Ended extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /// A run that stands still at one boundary while something else happens.
    private static final class Paused {
        private final Play play;
        private final int boundary;
        private final Consumer<Play> meanwhile;
        private int acts = -1;
        private int reached;

        Paused(Play play, int boundary, Consumer<Play> meanwhile) {
            this.play = play;
            this.boundary = boundary;
            this.meanwhile = meanwhile;
        }

        ClusterResult result() {
            return play.once(_ -> {
                if (reached++ == boundary) {
                    meanwhile.accept(play);
                    acts = play.world.acts().size();
                }
            });
        }

        boolean struck() {
            return acts >= 0;
        }

        /// What was asked for after the pause, but for tries to renew or give up the Lease.
        private List<String> later() {
            return play.world.acts().subList(acts, play.world.acts().size()).stream()
                    .filter(a -> !a.startsWith("lease"))
                    .toList();
        }

        long journalWrites() {
            return later().stream().filter(a -> a.startsWith("journal")).count();
        }

        void assertNothingMore(ClusterResult result) {
            if (struck() && reached > boundary + 1) {
                assertThat(result.outcome())
                        .as("paused at " + boundary + ": " + result.detail())
                        .isEqualTo(Outcome.FENCED);
            }
            if (struck()) {
                assertThat(later()).as("paused at " + boundary).isEmpty();
            }
            assertThat(play.breaches()).isEmpty();
        }
    }
}
