package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Faults;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Releases;
import io.github.etcdgitops.fake.Specs;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.Repairs.Mode;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.member.Alarm;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/// Something else fails while members are restarted, or while that is taken back: it is healed first, and the roll
/// goes on afterwards.
class RollFaultPlaysTest {
    private static final long MIB = 1 << 20;

    private enum Second {
        VOLUME_LOST(Faults::loseVolume),
        /// The process goes on with the files that it has open.
        CLAIM_LOST(Faults::loseClaim),
        CLAIM_EXCHANGED(Faults::exchangeClaim),
        MACHINE_GONE((faults, ordinal) -> {
            faults.loseMachine(ordinal);
            faults.missedFor(ordinal, Duration.ofHours(2));
        }),
        SPOILT((faults, ordinal) -> {
            faults.spoil(ordinal);
            faults.triedThrice(ordinal);
        }),
        OUT_OF_SPACE((faults, ordinal) -> {
            faults.fill(40 * MIB, 0, 1900 * MIB);
            faults.alarm(Alarm.Kind.NOSPACE, ordinal);
        }),
        DIVERGED(Faults::diverge);

        private final BiConsumer<Faults, Integer> strike;

        Second(BiConsumer<Faults, Integer> strike) {
            this.strike = strike;
        }

        boolean losesData() {
            return this != OUT_OF_SPACE;
        }
    }

    /// From the first restart to the last, whoever is struck, on one line of releases and from one to the next.
    @Test
    void repairsFaultBeforeContinuingRollout() {
        var failures = new ArrayList<String>();
        for (String from : List.of("3.4.23", "3.5.16")) {
            String to = from.startsWith("3.4") ? "3.5.16" : "3.5.30";
            for (int size : List.of(3, 5)) {
                for (int restarts = 1; restarts <= size; restarts++) {
                    for (int struck = 0; struck < size; struck++) {
                        for (var second : Second.values()) {
                            String as = second + " of " + struck + " of " + size + " after " + restarts
                                    + " restarts to " + to;
                            ends(as, struck(from, to, size, restarts, struck, second, to), second, struck, failures);
                        }
                    }
                }
            }
        }
        assertThat(failures).isEmpty();
    }

    /// The spec asks for the former version again, and one member goes back after the other.
    @Test
    void repairsFaultBeforeContinuingRollback() {
        var failures = new ArrayList<String>();
        for (int size : List.of(3, 5)) {
            for (int restarts = 1; restarts < size; restarts++) {
                for (int struck = 0; struck < size; struck++) {
                    for (var second : Second.values()) {
                        String as = second + " of " + struck + " of " + size + " back from " + restarts + " restarts";
                        var play = struck("3.5.16", "3.5.30", size, restarts, struck, second, "3.5.16");
                        ends(as, play, second, struck, failures);
                    }
                }
            }
        }
        assertThat(failures).isEmpty();
    }

    /// Whoever comes new is reached as the others on its side of the partition are.
    @Test
    void continuesTlsMigrationWithNewMember() {
        var failures = new ArrayList<String>();
        for (int restarts = 1; restarts <= 3; restarts++) {
            for (int struck = 0; struck < 3; struck++) {
                for (var second : List.of(Second.VOLUME_LOST, Second.CLAIM_LOST)) {
                    var world = TlsPlaysTest.left(3, restarts);
                    second.strike.accept(world.faults(Play.REF), struck);
                    world.tick(20);
                    var spec = TlsPlaysTest.wanted(3, "3.5.16", TlsPlaysTest.MUTUAL);
                    String as = second + " of " + struck + " after " + restarts + " restarts to TLS";
                    ends(as, new Play(world, Specs.healing(spec, Mode.AUTOMATIC)), second, struck, failures);
                }
            }
        }
        assertThat(failures).isEmpty();
    }

    /// Two of three, or three of five, do not come up on the new template: nobody leads, and the former one
    /// brings them back. The one that is left may have been restarted, and answers nobody then.
    @Test
    void rollbackNeedsNoLeader() {
        for (int size : List.of(2, 3, 5)) {
            for (boolean silent : List.of(false, true)) {
                int restarts = size == 2 ? 1 : size / 2 + 1;
                var world = RollPlaysTest.halfRolled(size, restarts);
                stick(world, size, restarts);
                for (int ordinal = 0; silent && ordinal < size - restarts; ordinal++) {
                    world.faults(Play.REF).killPod(ordinal);
                }
                world.tick(30);
                var play = new Play(world, wanted(size, "3.5.30"));
                assertThat(play.ring.hasQuorum()).isFalse();
                assertThat(kinds(play.plan())).as("%s %s", size, silent).containsExactly("BackOutRoll");

                play.once(FaultHook.NONE);

                assertThat(play.ring.hasQuorum()).as(play.toString()).isTrue();
                play.untilQuiet(4);
                assertThat(toldToTryAgain(play.plan())).as(play.toString()).isTrue();
                assertThat(play.ring.versions()).hasSize(size).allMatch("3.5.16"::equals);
                assertThat(play.breaches()).isEmpty();
            }
        }
    }

    /// The same while a member is replaced in the midst of the roll.
    @Test
    void rollbackNeedsNoLeaderDuringReplacement() {
        for (String boundary : List.of("FreeVolume/after", "AddNewcomer/before", "SealMember/after")) {
            var play = struck("3.5.16", "3.5.30", 5, 3, 0, Second.VOLUME_LOST, "3.5.30");
            killed(play, "ResetVolume/" + boundary);
            assertThat(play.ring.journal().flatMap(j -> j.intent()).map(Intent::kind))
                    .contains(Intent.Kind.REPLACE);
            stick(play.world, 5, 3);
            play.world.tick(30);
            assertThat(kinds(play.plan())).as(boundary).containsExactly("BackOutRoll");

            play.untilQuiet(8);

            assertThat(toldToTryAgain(play.plan())).as(play.toString()).isTrue();
            assertThat(play.ring.voters()).hasSize(5);
            assertThat(play.ring.versions()).hasSize(5).allMatch("3.5.16"::equals);
            assertThat(play.breaches()).isEmpty();
        }
    }

    /// What the former template does not bring back is recovered as any other ring is: somebody is asked.
    @Test
    void lostVolumeIsNotBlamedOnTemplate() {
        var world = RollPlaysTest.halfRolled(3, 2);
        world.faults(Play.REF).loseVolume(2);
        world.faults(Play.REF).loseVolume(1);
        world.tick(30);
        var play = new Play(world, wanted(3, "3.5.30"));
        play.vault.keep(Duration.ofDays(30), 2);

        play.once(FaultHook.NONE);

        assertThat(kinds(play.plan())).startsWith("RecoverQuorum");
    }

    /// Killed at every boundary of the repair, the roll is carried on all the same.
    @Test
    void continuesRepairThenRollout() {
        var boundaries = new LinkedHashSet<String>();
        struck("3.4.23", "3.5.16", 3, 2, 0, Second.VOLUME_LOST, "3.5.16").once(boundaries::add);
        assertThat(boundaries).anyMatch(b -> b.contains("LowerPartition")).hasSizeGreaterThan(25);
        for (int struck = 0; struck < 3; struck++) {
            for (String boundary : boundaries) {
                var play = struck("3.4.23", "3.5.16", 3, 2, struck, Second.VOLUME_LOST, "3.5.16");
                killed(play, boundary);

                assertThat(play.notAtRest(play.untilQuiet(6)))
                        .as(struck + " " + boundary + " " + play)
                        .isEmpty();
                assertThat(play.breaches()).isEmpty();
            }
        }
    }

    /// Somebody has removed the dead member: it is approved, and the roll goes on.
    @Test
    void fillsGapDuringRollout() {
        for (int gone = 0; gone < 3; gone++) {
            var world = RollPlaysTest.halfRolled(3, 2);
            world.faults(Play.REF).removeMemberByHand(gone);
            world.tick(30);
            var play = new Play(world, wanted(3, "3.5.30"));
            assertThat(kinds(play.plan())).containsExactly("ReplaceMember");
        }
    }

    /// It ends on the former template as on the new one, and another one is lost with its node.
    @Test
    void rollbackReplacesDivergedMemberThatEndsBesideLostOne() {
        var play = new Play(RollPlaysTest.halfRolled(5, 2), wanted(5, "3.5.16"));
        play.once(boundary -> {
            if (boundary.equals("BackOutRoll/ReplacePod/after")) {
                play.world.faults(Play.REF).diverge(4);
                play.world.faults(Play.REF).killPod(4);
            }
        });
        play.world.faults(Play.REF).loseMachine(0);
        var person = new Person(play);
        for (int run = 0; run < 12; run++) {
            play.world.tick(run < 6 ? 20 : 7200);
            person.follow(play.plan());
            play.once(FaultHook.NONE);
        }
        play.world.tick(60);

        assertThat(play.ring.versions()).as("%s", play).hasSize(5).allMatch("3.5.16"::equals);
        assertThat(play.notAtRest(play.plan())).as("%s", play).isEmpty();
        assertThat(play.breaches()).as("%s", play).isEmpty();
    }

    private static void killed(Play play, String boundary) {
        if (play.killAt(boundary)) {
            play.world.tick(20);
        }
    }

    /// Those that were restarted do not come up any more.
    private static void stick(FakeWorld world, int size, int restarts) {
        world.faults(Play.REF).unpullable("3.5.30", true);
        for (int ordinal = size - restarts; ordinal < size; ordinal++) {
            world.faults(Play.REF).deletePod(ordinal);
        }
    }

    private static void ends(String as, Play play, Second second, int struck, List<String> failures) {
        var former = play.ring.memberId(struck);
        for (int run = 0; run < 8; run++) {
            play.once(FaultHook.NONE);
            play.world.tick(60);
        }
        var last = toldToTryAgain(play.plan()) ? again(play) : play;
        var missing = new ArrayList<>(last.notAtRest(last.plan()));
        missing.addAll(play.breaches());
        if (second.losesData() && play.ring.memberId(struck).equals(former)) {
            missing.add("the member was not replaced");
        }
        if (!missing.isEmpty()) {
            failures.add(as + ": " + missing + "\n      " + last);
        }
    }

    /// A member that ends again and again on the new template may do so because of it.
    private static boolean toldToTryAgain(ClusterPlan plan) {
        return plan.findings().stream().map(Finding::code).toList().equals(List.of("taken-back"));
    }

    /// It may serve: of the three, another one is away.
    @Test
    void keepsPodThatOnlyTheReconcilerCannotReach() {
        var world = RollPlaysTest.halfRolled(3, 2);
        world.faults(Play.REF).hideFromKubelet(2);
        world.faults(Play.REF).stop(0);
        world.tick(20);
        var play = new Play(world, Given.spec(Play.REF, 3, "3.5.16"));

        var result = play.once(FaultHook.NONE);

        assertThat(result.detail()).contains("but the leader orders-1 still hears from it");
        assertThat(play.breaches()).as("%s", play).isEmpty();
        assertThat(world.acts()).as("%s", play).doesNotContain("delete pod 2");
    }

    /// Who does not answer us and has a ready pod may serve, or not: nobody knows how many are down.
    @Test
    void keepsPodOfMissingMemberWhileAnotherIsUnknown() {
        for (int size : List.of(3, 5)) {
            for (String from : List.of("3.3.25", "3.4.23", "3.5.16")) {
                for (int other = 0; other < size - 1; other++) {
                    var hidden = besideOneAway(from, size, other, Faults::hideFromUs);
                    String as = other + " of " + size + " of " + from + ": " + hidden;
                    assertThat(hidden.world.acts()).as(as).doesNotContain("delete pod " + (size - 1));
                    goesOn(hidden);
                    goesOn(besideOneAway(from, size, other, Faults::cutOff));
                }
            }
        }
    }

    private static void goesOn(Play play) {
        play.mend();
        for (int run = 0; run < 8; run++) {
            play.once(FaultHook.NONE);
            play.world.tick(60);
        }
        var last = toldToTryAgain(play.plan()) ? again(play) : play;

        assertThat(last.notAtRest(last.plan())).as("%s", last).isEmpty();
        assertThat(last.breaches()).as("%s", last).isEmpty();
    }

    /// One is away, and another one is struck right before the first pod is replaced.
    private static Play besideOneAway(String from, int size, int other, BiConsumer<Faults, Integer> strike) {
        String to = from.startsWith("3.3") ? "3.4.23" : from.startsWith("3.4") ? "3.5.16" : "3.5.30";
        var world = RollPlaysTest.halfRolled(from, to, size, 2);
        world.faults(Play.REF).stop(size - 1);
        world.tick(60);
        var play = new Play(world, wanted(size, from));
        play.once(boundary -> {
            if (boundary.equals("BackOutRoll/ReplacePod/before")) {
                strike.accept(world.faults(Play.REF), other);
            }
        });
        return play;
    }

    private static Play again(Play play) {
        var rollout = new EtcdClusterSpec.Rollout(List.of(), Duration.ZERO, 1, Releases.KNOWN);
        var again = new Play(play.world, Specs.rollout(play.spec, rollout));
        again.untilQuiet(4);
        return again;
    }

    private static Play struck(
            String from, String to, int size, int restarts, int struck, Second second, String wanted) {
        var world = RollPlaysTest.halfRolled(from, to, size, restarts);
        second.strike.accept(world.faults(Play.REF), struck);
        world.tick(20);
        return new Play(world, wanted(size, wanted));
    }

    private static EtcdClusterSpec wanted(int size, String version) {
        return Specs.freeing(Specs.healing(Given.spec(Play.REF, size, version), Mode.AUTOMATIC), Mode.AUTOMATIC, 1000);
    }

    private static List<String> kinds(ClusterPlan plan) {
        return plan.operations().stream().map(o -> o.operation().kind()).toList();
    }

    /// etcd takes in nobody of the former minor version any more, so that the roll has to go on for the replacement.
    @Test
    void resumesRolloutForLostMemberIfRollbackIsImpossible() {
        var play = new Play(
                RollPlaysTest.halfRolled("3.4.23", "3.5.16", 3, 2),
                Specs.healing(Given.spec(Play.REF, 3, "3.4.23"), Mode.AUTOMATIC));
        play.killAt("BackOutRoll/ReplacePod/before");
        play.world.tick(20);
        play.world.faults(Play.REF).spoil(0);
        play.world.tick(60);
        var person = new Person(play);
        for (int i = 0; i < 17; i++) {
            play.once(FaultHook.NONE);
            play.world.tick(i < 8 ? 20 : 7200);
            person.follow(play.plan());
        }

        assertThat(play.spec.server().version()).hasToString("3.5.16");
        assertThat(play.notAtRest(play.plan())).as("%s", play).isEmpty();
        assertThat(play.breaches()).as("%s", play).isEmpty();
    }
}
