package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.fake.Crash;
import io.github.etcdgitops.fake.Faults;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Specs;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.Repairs.Mode;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.journal.RestartAttempts;
import io.github.etcdgitops.state.member.Alarm;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What befalls another member in the midst of a join, a departure or a replacement is mended first.
class SecondFaultPlaysTest {
    private static final int STRUCK = 1;
    private static final int NEW = 3;
    private static final String VERSION = "3.5.16";

    private enum Second {
        VOLUME_LOST(faults -> faults.loseVolume(STRUCK)),
        MACHINE_GONE(faults -> {
            faults.loseMachine(STRUCK);
            faults.missedFor(STRUCK, Duration.ofHours(1));
        }),
        SPOILT(faults -> {
            faults.spoil(STRUCK);
            faults.triedThrice(STRUCK);
        }),
        NOSPACE(faults -> faults.alarm(Alarm.Kind.NOSPACE, STRUCK)),
        CORRUPT(faults -> faults.diverge(STRUCK)),
        REMOVED(faults -> faults.removeMemberByHand(STRUCK));

        private final Consumer<Faults> strike;

        Second(Consumer<Faults> strike) {
            this.strike = strike;
        }
    }

    private enum Change {
        JOIN(() -> play(4, spec(5, Mode.AUTOMATIC))),
        JOIN_ASKED(() -> play(3, spec(4, Mode.MANUAL))),
        DEPARTURE(() -> play(5, spec(4, Mode.AUTOMATIC))),
        DEPARTURE_ASKED(() -> play(5, spec(4, Mode.MANUAL))),
        REPLACEMENT(() -> replacing(Mode.AUTOMATIC)),
        REPLACEMENT_ASKED(() -> replacing(Mode.MANUAL));

        private final Supplier<Play> begun;

        Change(Supplier<Play> begun) {
            this.begun = begun;
        }
    }

    @ParameterizedTest
    @EnumSource
    void repairsSecondFaultAndContinuesChange(Change change) {
        var boundaries = new LinkedHashSet<String>();
        change.begun.get().once(boundaries::add);
        for (var second : Second.values()) {
            for (String boundary : boundaries) {
                var play = struck(change.begun.get(), boundary, second.strike);

                assertThat(followed(play, 14))
                        .as("%s, %s before %s%n%s", change, second, boundary, play)
                        .isEmpty();
                assertThat(play.breaches())
                        .as("%s, %s before %s%n%s", change, second, boundary, play)
                        .isEmpty();
            }
        }
    }

    /// etcd lets one learner in at a time, and nobody while a voter is away.
    @Test
    void removesLearnerBeforeReplacingVoter() {
        var play = struck(play(3, spec(4, Mode.AUTOMATIC)), "ScaleOut/Promote/before", f -> f.loseVolume(STRUCK));

        assertThat(kinds(play.plan())).containsExactly("ScaleIn", "ResetVolume");
        play.once(FaultHook.NONE);

        assertThat(play.ring.voters()).containsExactly(0, 1, 2);
        assertThat(play.ring.learners()).isEmpty();
        assertThat(followed(play, 3)).as("%s", play).isEmpty();
    }

    /// Its pod alone is made anew: that is in nobody's way.
    @Test
    void keepsLearnerWhileVoterGetsAnotherPod() {
        var play = struck(play(3, spec(4, Mode.AUTOMATIC)), "ScaleOut/Promote/before", f -> f.spoil(STRUCK));

        assertThat(kinds(play.plan())).containsExactly("RestartMember");
        play.once(FaultHook.NONE);

        assertThat(play.ring.learners()).containsExactly(NEW);
    }

    /// etcd's alarm names no member. All voters have the same data until the new one is promoted.
    @ParameterizedTest
    @EnumSource(
            value = Change.class,
            names = {"JOIN", "JOIN_ASKED", "REPLACEMENT", "REPLACEMENT_ASKED"})
    void removesNewMemberWithWrongDataBeforeAlarm(Change change) {
        var boundaries = new LinkedHashSet<String>();
        change.begun.get().once(boundaries::add);
        int played = 0;
        for (String boundary : boundaries) {
            var play = change.begun.get();
            int joining = play.spec.size() - 1;
            var former = play.ring.memberId(joining);
            struck(play, boundary, faults -> {
                if (play.ring
                                .memberId(joining)
                                .filter(id -> !Optional.of(id).equals(former))
                                .isPresent()
                        && play.ring.up().contains(joining)) {
                    faults.diverge(joining);
                }
            });
            played += play.ring.alarms().isEmpty() ? 0 : 1;

            assertThat(followed(play, 6))
                    .as("%s before %s%n%s", change, boundary, play)
                    .isEmpty();
            assertThat(play.ring.differing())
                    .as("%s before %s", change, boundary)
                    .isEmpty();
            assertThat(play.breaches())
                    .as("%s before %s%n%s", change, boundary, play)
                    .isEmpty();
        }
        assertThat(played).isGreaterThan(4);
    }

    @Test
    void doesNotProposeClearingAlarmWhileLearnerMayHaveWrongData() {
        for (var play : List.of(play(3, spec(4, Mode.MANUAL)), replacing(Mode.MANUAL))) {
            boolean join = play.spec.size() == 4;
            int joining = play.spec.size() - 1;
            struck(
                    play,
                    join ? "ScaleOut/Promote/before" : "ReplaceMember/PromoteNewcomer/before",
                    faults -> faults.diverge(joining));

            assertThat(said(play.plan(), "corrupt"))
                    .contains("may be that of orders-" + joining + ", which does not vote yet")
                    .doesNotContain("disarm");
            assertThat(kinds(play.plan())).contains(join ? "ScaleIn" : "ReplaceMember");
            play.once(FaultHook.NONE);
            assertThat(play.ring.alarms()).isEmpty();
        }
    }

    @Test
    void repairsSecondLossWithinReplacement() {
        var play = struck(replacing(Mode.AUTOMATIC), "ReplaceMember/FreeVolume/before", f -> f.loseVolume(STRUCK));

        assertThat(followed(play, 3)).as("%s", play).isEmpty();
    }

    @Test
    void keepsServingMemberWhileAnotherIsAway() {
        var play = play(5, spec(4, Mode.AUTOMATIC));
        crashed(play, "ScaleIn/BlockEvictions/after");

        struck(play, "ScaleIn/RemoveMember/before", f -> f.stop(STRUCK));

        assertThat(play.ring.voters()).hasSize(5);
    }

    // --- joins that come to nothing

    /// Each attempt copies all the data, and leaves nothing behind.
    @Test
    void retriesFailedJoinThreeTimesThenWaitsForApproval() {
        var play = play(3, spec(4, Mode.MANUAL));

        var attempts = spoilt(play, "ScaleOut/SealMember/after", 40);

        assertThat(attempts).hasSize(3);
        long first = attempts.get(1) - attempts.get(0);
        assertThat(first).isLessThan(7 * 60L);
        assertThat(attempts.get(2) - attempts.get(1)).isGreaterThanOrEqualTo(first + 4 * 60L);
        assertThat(play.ring.voters()).containsExactly(0, 1, 2);
        assertThat(play.ring.claims()).containsExactly(0, 1, 2);
        var plan = play.plan();
        assertThat(kinds(plan)).containsExactly("ScaleOut");
        assertThat(plan.operations().getFirst().verdict().lets()).isFalse();
        assertThat(said(plan, "join-stuck"))
                .contains("3 times")
                .contains("approve the next attempt, or set /spec/size to 3");
        assertThat(plan.situation()).isNotEqualTo(ClusterPlan.Situation.IN_SYNC);

        assertThat(followed(play, 4)).as("%s", play).isEmpty();
        assertThat(tries(play).joins()).isEmpty();
    }

    /// Somebody has put another claim of that name there, and may have put data on it.
    @Test
    void deletesOnlyClaimMadeForFailedJoin() {
        var play = play(3, spec(4, Mode.MANUAL));
        crashed(play, "ScaleOut/SealMember/before");
        play.world.faults(Play.REF).exchangeClaim(3);
        play.world.tick(20);
        String other = play.ring.claimUid(3);
        var smaller = new Play(play.world, spec(3, Mode.MANUAL));

        assertThat(followed(smaller, 4)).as("%s", smaller).isEmpty();

        assertThat(smaller.ring.claims()).containsExactly(0, 1, 2, 3);
        assertThat(smaller.ring.claimUid(3)).isEqualTo(other);
    }

    /// Only a claim that came with the join has nothing else on it than a copy.
    @Test
    void retainsVolumeOfFormerMemberWhenJoinIsCalledOff() {
        var play = play(3, spec(4, Mode.MANUAL));
        play.world.faults(Play.REF).departed(3, play.world.instant());
        String kept = play.ring.claimUid(3);
        crashed(play, "ScaleOut/SealMember/before");
        play.world.tick(20);
        var smaller = new Play(play.world, spec(3, Mode.MANUAL));

        assertThat(followed(smaller, 4)).as("%s", smaller).isEmpty();

        assertThat(smaller.ring.voters()).containsExactly(0, 1, 2);
        assertThat(smaller.ring.claims()).containsExactly(0, 1, 2, 3);
        assertThat(smaller.ring.claimUid(3)).isEqualTo(kept);
    }

    @Test
    void approvalCoversOneMoreAttemptOnly() {
        var play = play(3, spec(4, Mode.MANUAL));
        spoilt(play, "ScaleOut/SealMember/after", 40);
        new Person(play).follow(play.plan());

        var attempts = spoilt(play, "ScaleOut/SealMember/after", 120);

        assertThat(attempts).hasSize(3);
        assertThat(attempts.get(1) - attempts.get(0)).isGreaterThanOrEqualTo(45 * 60L);
    }

    @Test
    void forgetsAttemptsAfterTwoDays() {
        var play = play(3, spec(4, Mode.MANUAL));
        spoilt(play, "ScaleOut/SealMember/after", 40);

        play.world.tick(48 * 60 * 60);

        assertThat(play.notAtRest(play.untilQuiet(3))).as("%s", play).isEmpty();
    }

    @Test
    void otherChangesDoNotWaitForFailedJoin() {
        var play = play(3, spec(4, Mode.MANUAL));
        spoilt(play, "ScaleOut/SealMember/after", 40);

        var upgraded = new Play(play.world, Specs.healing(Given.spec(Play.REF, 4, "3.5.30"), Mode.MANUAL));

        assertThat(kinds(upgraded.plan())).containsExactly("UpgradeVersion", "ScaleOut");
        upgraded.untilQuiet(2);
        assertThat(upgraded.ring.versions()).containsOnly("3.5.30").hasSize(3);
    }

    /// It gets yet another volume each time.
    @Test
    void restartsFailedReplacementThreeTimesThenWaitsForApproval() {
        var play = replacing(Mode.AUTOMATIC);

        var attempts = spoilt(play, "ReplaceMember/SealMember/after", 40);

        assertThat(attempts).hasSize(3);
        var plan = play.plan();
        assertThat(kinds(plan)).containsExactly("ReplaceMember");
        assertThat(plan.operations().getFirst().verdict().lets()).isFalse();
        assertThat(followed(play, 4)).as("%s", play).isEmpty();
        assertThat(tries(play).joins()).isEmpty();
    }

    // --- whoever is to leave

    @Test
    void removesLostSurplusMemberBeforeReplacingAnother() {
        var play = play(5, spec(3, Mode.AUTOMATIC));
        play.world.faults(Play.REF).loseVolume(4);
        play.world.faults(Play.REF).loseVolume(STRUCK);
        play.world.tick(20);

        assertThat(kinds(play.plan())).containsExactly("ScaleIn");
        play.once(FaultHook.NONE);
        assertThat(play.ring.voters()).containsExactly(0, 1, 2, 3);
        assertThat(play.ring.claims()).contains(4);
        assertThat(kinds(play.plan())).containsExactly("ResetVolume");
        assertThat(followed(play, 4)).as("%s", play).isEmpty();
        assertThat(play.breaches()).isEmpty();
    }

    /// It serves for as long as nobody ends its process: the ring is better off with it until then.
    @Test
    void keepsServingSurplusMemberUntilAnotherIsReplaced() {
        var play = play(5, spec(3, Mode.AUTOMATIC));
        play.world.faults(Play.REF).loseClaim(4);
        play.world.faults(Play.REF).loseVolume(STRUCK);
        play.world.tick(20);

        assertThat(kinds(play.plan())).containsExactly("ResetVolume");
        assertThat(play.plan().operations().getFirst().operation().summary()).doesNotContain("orders-4");
        play.once(FaultHook.NONE);
        assertThat(kinds(play.plan())).containsOnly("ScaleIn");
        assertThat(followed(play, 4)).as("%s", play).isEmpty();
        assertThat(play.breaches()).isEmpty();
    }

    @Test
    void doesNotReplaceSurplusMemberOnLostNode() {
        var play = play(5, spec(3, Mode.AUTOMATIC));
        play.world.faults(Play.REF).loseMachine(4);
        play.world.faults(Play.REF).missedFor(4, Duration.ofHours(1));
        play.world.faults(Play.REF).stop(STRUCK);
        play.world.tick(20);

        assertThat(kinds(play.plan())).containsExactly("ScaleIn");
        play.once(FaultHook.NONE);
        assertThat(play.ring.voters()).containsExactly(0, 1, 2, 3);
        play.mend();
        assertThat(followed(play, 4)).as("%s", play).isEmpty();
    }

    @Test
    void removesDivergedSurplusMemberAndClearsAlarm() {
        for (int leader : List.of(0, 4)) {
            var world = Worlds.ring().version(VERSION).members(5).leader(leader).build();
            var play = new Play(world, spec(3, Mode.MANUAL));
            play.world.faults(Play.REF).diverge(4);
            play.world.tick(20);

            assertThat(kinds(play.plan())).containsExactly("ScaleIn");
            play.once(FaultHook.NONE);

            assertThat(play.ring.voters()).as("%s", play).containsExactly(0, 1, 2, 3);
            assertThat(followed(play, 3)).as("%s", play).isEmpty();
            assertThat(play.breaches()).as("%s", play).isEmpty();
        }
    }

    /// Whoever made the ring smaller meanwhile does not wait for a member that leaves at once.
    @Test
    void removesSurplusMemberDuringItsReplacement() {
        var play = play(5, spec(5, Mode.AUTOMATIC));
        play.world.faults(Play.REF).loseVolume(4);
        play.world.tick(20);
        crashed(play, "ResetVolume/AddNewcomer/before");

        var smaller = new Play(play.world, spec(3, Mode.AUTOMATIC));

        assertThat(kinds(smaller.plan())).containsExactly("ScaleIn");
        assertThat(followed(smaller, 4)).as("%s", smaller).isEmpty();
        assertThat(smaller.breaches()).isEmpty();
    }

    /// Nobody confirms that its pod has ended.
    @Test
    void memberOnUnresponsiveNodeLeavesOncePodIsReleased() {
        var play = play(5, spec(4, Mode.AUTOMATIC));
        struck(play, "ScaleIn/SetReplicas/before", f -> f.silence(4));
        play.once(FaultHook.NONE);

        assertThat(kinds(play.plan())).startsWith("ReleasePod");
        assertThat(followed(play, 3)).as("%s", play).isEmpty();
        assertThat(play.breaches()).isEmpty();
    }

    // --- what they have in common

    private static EtcdClusterSpec spec(int size, Mode mode) {
        return Specs.freeing(Specs.healing(Given.spec(Play.REF, size, VERSION), mode), mode, 10_000);
    }

    private static Play play(int members, EtcdClusterSpec spec) {
        var world = Worlds.ring().version(VERSION).members(members).leader(2).build();
        world.faults(Play.REF).put("a");
        return new Play(world, spec);
    }

    /// A document asks for another member in the place of the last one.
    private static Play replacing(Mode mode) {
        var world = Worlds.ring().version(VERSION).members(5).leader(2).build();
        world.faults(Play.REF).put("a");
        var member = world.look(Play.REF).memberId(4).orElseThrow();
        return new Play(world, Specs.replacing(spec(5, mode), Map.of(4, member)));
    }

    private static Play struck(Play play, String boundary, Consumer<Faults> strike) {
        play.once(at -> {
            if (at.equals(boundary)) {
                strike.accept(play.world.faults(Play.REF));
            }
        });
        play.world.tick(20);
        return play;
    }

    private static void crashed(Play play, String boundary) {
        try {
            play.once(at -> {
                if (at.equals(boundary)) {
                    throw new Crash(at);
                }
            });
        } catch (Crash _) {
            play.world.tick(20);
        }
    }

    /// Runs, with whatever their plans ask for done; what is missing at the end.
    private static List<String> followed(Play play, int most) {
        var person = new Person(play);
        for (int i = 0; i < most; i++) {
            person.follow(play.plan());
            play.once(FaultHook.NONE);
            play.world.tick(60);
            var plan = play.plan();
            if (play.notAtRest(plan).isEmpty()) {
                return List.of();
            }
        }
        var plan = play.plan();
        var missing = new ArrayList<>(play.notAtRest(plan));
        missing.add(TwoFaults.told(plan));
        return missing;
    }

    /// When attempts were begun in so many minutes, where no process comes up on what a new member has copied.
    private static List<Long> spoilt(Play play, String boundary, int minutes) {
        var attempts = new ArrayList<Long>();
        for (int minute = 0; minute < minutes; minute++) {
            play.once(at -> {
                if (at.equals(boundary)) {
                    attempts.add(play.world.ticks());
                    play.world.faults(Play.REF).spoil(newest(play));
                }
            });
            play.world.tick(60);
        }
        return attempts;
    }

    private static int newest(Play play) {
        return play.ring.learners().first();
    }

    private static RestartAttempts tries(Play play) {
        return play.ring.journal().map(Journal::past).orElseThrow().tries();
    }

    private static List<String> kinds(ClusterPlan plan) {
        return plan.operations().stream().map(o -> o.operation().kind()).toList();
    }

    private static String said(ClusterPlan plan, String code) {
        return plan.findings().stream()
                .filter(f -> f.code().equals(code))
                .map(Finding::message)
                .findFirst()
                .orElse("");
    }
}
