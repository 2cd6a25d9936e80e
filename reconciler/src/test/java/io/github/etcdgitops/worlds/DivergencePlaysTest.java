package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.fake.Crash;
import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Faults;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Specs;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.spec.ring.Repairs.Mode;
import io.github.etcdgitops.state.member.Alarm;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Members whose data differs from that of the others, played from the alarm to the end.
class DivergencePlaysTest {
    private static final List<Consumer<Faults>> OTHERS_DOWN =
            List.of(faults -> faults.loseVolume(3), faults -> faults.spoil(3), faults -> faults.loseDisk(3), faults -> {
                faults.loseMachine(3);
                faults.missedFor(3, Duration.ofHours(1));
            });

    @ParameterizedTest
    @CsvSource({"3.5.16, 3, 0", "3.5.16, 3, 2", "3.5.16, 5, 4", "3.3.25, 3, 2", "3.3.25, 5, 2", "3.4.23, 4, 3"})
    void replacesMemberThatDiffersFromMajority(String version, int size, int ordinal) {
        var play = diverged(version, size, Mode.AUTOMATIC, ordinal);
        var former = play.ring.memberId(ordinal);
        long written = play.ring.acknowledged();
        assertThat(play.ring.readyPods()).isEmpty();
        assertThat(kinds(play.plan())).containsExactly("ReplaceMember");

        done(play);

        assertThat(play.ring.memberId(ordinal)).isNotEqualTo(former);
        assertThat(play.ring.alarms()).isEmpty();
        play.world.tick(5);
        assertThat(play.ring.acknowledged()).isGreaterThan(written);
    }

    @Test
    void clearsAlarmBeforeNewMemberJoins() {
        var play = diverged("3.5.16", 3, Mode.AUTOMATIC, 1);
        var boundaries = new LinkedHashSet<String>();

        play.once(boundaries::add);

        assertThat(boundaries.stream().filter(b -> b.endsWith("/before")).limit(6))
                .containsExactly(
                        "ReplaceMember/BeginReplacement/before",
                        "ReplaceMember/BlockEvictions/before",
                        "ReplaceMember/LeadElsewhere/before",
                        "ReplaceMember/RemoveFormer/before",
                        "ReplaceMember/DisarmCorrupt/before",
                        "ReplaceMember/FreeVolume/before");
    }

    @Test
    void continuesAfterKillAtAnyPoint() {
        for (String version : List.of("3.3.25", "3.5.16")) {
            var boundaries = boundaries(version);
            for (String boundary : boundaries) {
                var play = diverged(version, 3, Mode.AUTOMATIC, 2);
                kill(play, boundary, _ -> {});

                rests(play, boundary);
            }
            assertThat(boundaries).hasSizeGreaterThan(26);
        }
    }

    /// A member that differs may end when it is started anew. The journal says what it was.
    @Test
    void replacesMemberThatDiesMeanwhile() {
        for (String boundary : boundaries("3.5.16")) {
            var play = diverged("3.5.16", 3, Mode.AUTOMATIC, 1);
            var former = play.ring.memberId(1);
            kill(play, boundary, faults -> {
                if (play.ring.memberId(1).equals(former) && underWay(play)) {
                    faults.spoil(1);
                }
            });

            rests(play, boundary);
        }
    }

    /// The one that does not answer may be the one that differs.
    @Test
    void doesNotProposeClearingAlarmWhileMemberIsDown() {
        var play = diverged("3.5.16", 5, Mode.AUTOMATIC, 1);
        play.world.faults(Play.REF).cutOff(1);
        play.world.tick(20);

        assertThat(play.plan().findings())
                .filteredOn(f -> f.code().equals("corrupt"))
                .singleElement()
                .satisfies(f -> assertThat(f.message())
                        .contains("orders-1 does not answer")
                        .doesNotContain("disarm"));
    }

    /// Somebody takes the alarm back at each boundary: who was found to differ still does.
    @Test
    void finishesStartedReplacementWithoutAlarm() {
        for (String boundary : boundaries("3.5.16")) {
            var play = diverged("3.5.16", 3, Mode.AUTOMATIC, 1);
            kill(play, boundary, faults -> {
                if (underWay(play)) {
                    faults.disarmAll();
                }
            });

            rests(play, boundary);
        }
    }

    @Test
    void removesTwoOfFiveBeforeClearingAlarm() {
        var play = diverged("3.5.16", 5, Mode.AUTOMATIC, 0, 3);

        rests(play, "two of five");
    }

    @Test
    void touchesNothingWithoutMajority() {
        untouched(diverged("3.5.16", 4, Mode.AUTOMATIC, 0, 3), "no majority of the 4 voters");
        untouched(diverged("3.5.16", 2, Mode.AUTOMATIC, 1), "no majority of the 2 voters");
    }

    @Test
    void touchesNothingIfOneCannotBeCompared() {
        var play = diverged("3.5.16", 3, Mode.AUTOMATIC, 1);
        play.world.faults(Play.REF).hashless(0);

        untouched(play, "the data of orders-0 could not be compared");
    }

    @Test
    void touchesNothingIfOneDoesNotAnswer() {
        var play = diverged("3.5.16", 5, Mode.AUTOMATIC, 1);
        play.world.faults(Play.REF).stop(3);
        play.world.tick(20);

        untouched(play, "orders-3 does not answer. No member is replaced while it may come back");
    }

    /// Three of five have the same data, whatever the one has that is down.
    @ParameterizedTest
    @EnumSource(Mode.class)
    void replacesLostMemberTogetherWithDivergedOne(Mode mode) {
        for (Consumer<Faults> down : OTHERS_DOWN) {
            var play = beside(5, mode, 1, down);
            if (mode == Mode.OFF) {
                assertThat(play.plan().operations()).isEmpty();
            } else {
                var person = new Person(play);
                for (int run = 0; run < 5; run++) {
                    person.follow(play.plan());
                    play.once(FaultHook.NONE);
                    play.world.tick(30);
                }
                assertThat(play.notAtRest(play.plan())).as("%s", play).isEmpty();
                assertThat(play.breaches()).isEmpty();
            }
        }
    }

    /// It ends when it is started again, and another one is lost: three of five agree, so the wrong data
    /// is that of one of the two.
    @ParameterizedTest
    @EnumSource(value = Mode.class, names = "OFF", mode = EnumSource.Mode.EXCLUDE)
    void replacesAllMembersThatAreDownIfOthersAgree(Mode mode) {
        for (Consumer<Faults> other : OTHERS_DOWN) {
            var play = beside(5, mode, 1, other.andThen(faults -> faults.killPod(1)));
            assertThat(play.plan().findings())
                    .anyMatch(f -> f.code().equals("corrupt")
                            && f.message().contains("the wrong data is that of orders-1 or orders-3"));
            var person = new Person(play);
            for (int run = 0; run < 5; run++) {
                person.follow(play.plan());
                play.once(FaultHook.NONE);
                play.world.tick(30);
            }
            assertThat(play.notAtRest(play.plan())).as("%s", play).isEmpty();
            assertThat(play.ring.alarms()).isEmpty();
            assertThat(play.breaches()).isEmpty();
        }
    }

    /// It may be the one with the wrong data.
    @Test
    void replacesNoneOfTwoWhileOneMayComeBack() {
        var play = beside(5, Mode.AUTOMATIC, 1, faults -> {
            faults.killPod(1);
            faults.stop(3);
        });

        assertThat(kinds(play.plan())).doesNotContain("ReplaceMember", "ResetVolume");
        assertThat(play.plan().findings())
                .anyMatch(f -> f.code().equals("corrupt")
                        && f.message().contains("orders-1, orders-3 do not answer and may have the wrong data"));
    }

    /// The finding says so: bring back who may come back, or name it in a document.
    @ParameterizedTest
    @CsvSource({"3, -1, orders-1 does not answer", "5, 3, 'orders-1, orders-3 do not answer'"})
    void documentsThatNameAllSilentMembersAreEnough(int size, int other, String said) {
        var silent = other < 0 ? Set.of(1) : Set.of(1, other);
        var play = beside(size, Mode.OFF, 1, faults -> silent.forEach(faults::stop));
        assertThat(play.plan().findings())
                .anyMatch(f -> f.code().equals("corrupt")
                        && f.message().contains(said)
                        && f.message().contains("kind: MemberReplacement"));
        var named = new Play(play.world, MemberWorlds.asking("3.5.16", size, play.world, silent));

        named.once(FaultHook.NONE);
        assertThat(named.ring.alarms()).as("%s", named).isEmpty();
        play.mend();

        assertThat(named.notAtRest(named.untilQuiet(4))).as("%s", named).isEmpty();
        assertThat(named.breaches()).isEmpty();
    }

    /// Neither of the two has a majority: whoever is on call brings the third back, or restores a backup.
    @Test
    void namesTheWayOutIfNoMajorityIsLeft() {
        var play = beside(3, Mode.AUTOMATIC, 1, faults -> faults.spoil(2));
        play.once(FaultHook.NONE);
        play.world.tick(20);

        assertThat(play.plan().findings())
                .anyMatch(f -> f.code().equals("corrupt")
                        && f.message().contains("no majority of the 3 voters")
                        && f.message().contains("Bring back orders-2")
                        && f.message()
                                .contains("etcd-gitops restore demo/orders --in-place "
                                        + play.ring.clusterId().orElseThrow() + " --document"));
    }

    private static Play beside(int size, Mode mode, int ordinal, Consumer<Faults> down) {
        var world = Worlds.ring().members(size).build();
        world.faults(Play.REF).diverge(ordinal);
        down.accept(world.faults(Play.REF));
        world.tick(60);
        return new Play(world, Specs.healing(Given.spec(Play.REF, size, "3.5.16"), mode));
    }

    /// One that ends after the plan was made: who differs still serves, and the ring needs it.
    @Test
    void keepsServingMemberWhileAnotherIsAway() {
        var play = diverged("3.5.16", 5, Mode.AUTOMATIC, 1);

        var result = play.once(boundary -> {
            if (boundary.equals("ReplaceMember/RemoveFormer/before")) {
                play.world.faults(Play.REF).stop(3);
                play.world.tick(5);
            }
        });

        assertThat(result.outcome()).isEqualTo(Outcome.HELD);
        assertThat(result.detail()).contains("orders-1 still serves");
        assertThat(play.ring.voters()).hasSize(5);
        play.mend();
        rests(play, "mended");
    }

    /// It is compared once more before it goes, with who is there by then.
    @Test
    void keepsMemberThatNoLongerDiffers() {
        var play = diverged("3.5.16", 3, Mode.AUTOMATIC, 1);

        var result = play.once(boundary -> {
            if (boundary.equals("ReplaceMember/RemoveFormer/before")) {
                play.world.faults(Play.REF).mendData(1);
            }
        });

        assertThat(result.outcome()).isEqualTo(Outcome.HELD);
        assertThat(result.detail()).contains("all voters have the same data");
        assertThat(play.ring.voters()).containsExactly(0, 1, 2);

        // Somebody has looked: it is well, or it goes all the same.
        play.world.faults(Play.REF).disarmAll();
        play.world.tick(20);
        assertThat(play.once(FaultHook.NONE).outcome()).isEqualTo(Outcome.HELD);
        var named = new Play(play.world, MemberWorlds.asking("3.5.16", 3, play.world, Set.of(1)));
        done(named);
        assertThat(named.notAtRest(named.plan())).isEmpty();
    }

    /// The alarm stays for as long as somebody differs.
    @Test
    void keepsAlarmWhileAnotherDiffers() {
        var play = diverged("3.5.16", 5, Mode.AUTOMATIC, 1);

        var result = play.once(boundary -> {
            if (boundary.equals("ReplaceMember/DisarmCorrupt/before")) {
                play.world.faults(Play.REF).corrupt(3);
            }
        });

        assertThat(result.outcome()).isEqualTo(Outcome.HELD);
        assertThat(result.detail()).contains("has different data than 3 voters");
        assertThat(play.ring.alarms()).isNotEmpty();
        assertThat(play.breaches()).isEmpty();
    }

    /// A document named it before etcd raised the alarm.
    @Test
    void replacesNamedMemberThatTurnsOutToDiffer() {
        var world = world("3.5.16", 3);
        var play = new Play(world, MemberWorlds.asking("3.5.16", 3, world, Set.of(1)));

        kill(play, "ReplaceMember/RemoveFormer/before", faults -> faults.diverge(1));

        rests(play, "named");
    }

    @Test
    void manualWaitsForApproval() {
        var play = diverged("3.5.16", 3, Mode.MANUAL, 1);
        int before = play.world.acts().size();

        var result = play.once(FaultHook.NONE);

        assertThat(kinds(play.plan())).containsExactly("ReplaceMember");
        assertThat(result.outcome()).isEqualTo(Outcome.HELD);
        assertThat(play.world.acts()).hasSize(before);
    }

    @Test
    void offOnlyReports() {
        untouched(diverged("3.5.16", 3, Mode.OFF, 1), "set /spec/repair/members to manual or automatic");
    }

    @Test
    void documentThatNamesItIsEnough() {
        var world = world("3.5.16", 3, 1);
        var play = new Play(world, MemberWorlds.asking("3.5.16", 3, world, Set.of(1)));

        done(play);
    }

    /// Who is well is not replaced from others whose data is in doubt, whoever asks for it.
    @Test
    void documentThatNamesAnotherWaits() {
        var world = world("3.5.16", 5, 1);
        var play = new Play(world, MemberWorlds.asking("3.5.16", 5, world, Set.of(2)));

        var waits = play.once(FaultHook.NONE);

        assertThat(waits.outcome()).isEqualTo(Outcome.HELD);
        assertThat(play.ring.voters()).hasSize(5);
        assertThat(play.ring.alarms()).isNotEmpty();
        assertThat(play.breaches()).isEmpty();
    }

    @Test
    void onlyReportsAlarmWithoutDivergedMember() {
        var world = Worlds.ring().members(3).build();
        world.faults(Play.REF).alarmOfNobody(Alarm.Kind.CORRUPT);
        world.tick(20);

        untouched(
                new Play(world, Specs.mendingMembers(Given.spec(Play.REF, 3, "3.5.16"), Mode.AUTOMATIC)),
                "all voters that answer now have the same data up to revision");
    }

    // --- what they have in common

    private static void untouched(Play play, String why) {
        int before = play.world.acts().size();
        var plan = play.plan();

        play.once(FaultHook.NONE);

        assertThat(plan.operations()).isEmpty();
        assertThat(plan.situation()).isEqualTo(ClusterPlan.Situation.HELD);
        assertThat(plan.findings())
                .anyMatch(f -> f.code().equals("corrupt") && f.message().contains(why));
        assertThat(plan.findings().stream().filter(f -> f.code().equals("corrupt")))
                .extracting(Finding::level)
                .containsOnly(Finding.Level.ERROR);
        assertThat(play.world.acts()).hasSize(before);
    }

    private static boolean underWay(Play play) {
        return play.ring.journal().filter(j -> j.replacement().isPresent()).isPresent();
    }

    private static void done(Play play) {
        var result = play.once(FaultHook.NONE);
        assertThat(result.outcome()).as(result.detail()).isEqualTo(Outcome.DONE);
        play.world.tick(5);
        assertThat(play.ring.readyPods()).hasSize(play.spec.size());
        assertThat(play.ring.alarms()).isEmpty();
        assertThat(play.breaches()).isEmpty();
    }

    private static void rests(Play play, String as) {
        play.world.tick(30);
        assertThat(play.notAtRest(play.untilQuiet(3))).as("%s %s", as, play).isEmpty();
        assertThat(play.ring.alarms()).as(as).isEmpty();
        assertThat(play.breaches()).as("%s %s", as, play).isEmpty();
    }

    private static Set<String> boundaries(String version) {
        var boundaries = new LinkedHashSet<String>();
        diverged(version, 3, Mode.AUTOMATIC, 1).once(boundaries::add);
        return boundaries;
    }

    private static void kill(Play play, String at, Consumer<Faults> fault) {
        try {
            play.once(boundary -> {
                if (boundary.equals(at)) {
                    fault.accept(play.world.faults(Play.REF));
                    throw new Crash(boundary);
                }
            });
        } catch (Crash _) {
            // Killed.
        }
    }

    private static Play diverged(String version, int size, Mode mode, int... odd) {
        return new Play(world(version, size, odd), Specs.mendingMembers(Given.spec(Play.REF, size, version), mode));
    }

    private static FakeWorld world(String version, int size, int... odd) {
        var world =
                Worlds.ring().version(version).members(size).leader(size - 1).build();
        for (int ordinal : odd) {
            world.faults(Play.REF).diverge(ordinal);
        }
        world.tick(20);
        return world;
    }

    private static List<String> kinds(ClusterPlan plan) {
        return plan.operations().stream().map(o -> o.operation().kind()).toList();
    }
}
