package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.fake.Faults;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Releases;
import io.github.etcdgitops.fake.Specs;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.Repairs.Mode;
import io.github.etcdgitops.state.value.EtcdId;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// An upgrade is taken back, and the former template is in place, when somebody removes the last member
/// of the former minor version: etcd raises the cluster version. Pods that are made now have the former
/// template, and no process of it starts any more.
class RaisedVersionPlaysTest {
    private static final String FORMER = "3.4.23";
    private static final String TARGET = "3.5.16";

    @ParameterizedTest
    @CsvSource({"3, 1", "3, 2", "5, 4", "5, 1"})
    void startsMemberOnTheVersionThatTheRingHas(int size, int deleted) {
        var play = raised(size, FORMER);
        var id = play.ring.memberId(deleted);
        recreated(play, deleted);
        assertThat(play.ring.hasQuorum()).isEqualTo(size > 3);
        assertThat(kinds(play.plan())).containsExactly("UpgradeVersion");

        play.once(FaultHook.NONE);

        assertThat(play.ring.hasQuorum()).as("%s", play).isTrue();
        assertThat(play.ring.memberId(deleted)).isEqualTo(id);
        rests(play);
        assertThat(play.ring.memberId(deleted)).isEqualTo(id);
    }

    /// One of them waits for the other one to be ready, as the controller of a StatefulSet does.
    @ParameterizedTest
    @CsvSource({FORMER, TARGET})
    void startsAllMembersThatLackTheTemplate(String wanted) {
        var play = raised(5, wanted);
        var cluster = play.ring.clusterId();
        recreated(play, 1, 3);
        assertThat(play.ring.hasQuorum()).isFalse();

        play.once(FaultHook.NONE);

        assertThat(play.ring.hasQuorum()).as("%s", play).isTrue();
        rests(play);
        assertThat(play.ring.clusterId()).isEqualTo(cluster);
    }

    /// The data of the members is there: nothing is restored as long as the template may be all that they
    /// lack.
    @Test
    void startsMembersBeforeRecoveringQuorum() {
        var play = raised(5, FORMER);
        play.vault.keep(Duration.ofDays(30), 2);
        recreated(play, 3, 4);

        assertThat(kinds(play.plan())).startsWith("UpgradeVersion").doesNotContain("RecoverQuorum");
    }

    @Test
    void continuesAfterKillAtAnyPoint() {
        var boundaries = new LinkedHashSet<String>();
        for (int size : List.of(3, 5)) {
            raisedAndRecreated(size).once(boundaries::add);
            for (String boundary : boundaries) {
                var play = raisedAndRecreated(size);
                var cluster = play.ring.clusterId();
                if (play.killAt(boundary)) {
                    play.world.tick(20);
                }

                rests(play);
                assertThat(play.ring.clusterId()).as(boundary).isEqualTo(cluster);
            }
        }
        assertThat(boundaries).hasSizeGreaterThan(12);
    }

    /// Nobody tells the cluster version any more: the former members may be back on what they ran. Whoever is on call
    /// reads their logs, and asks for the upgrade again.
    @ParameterizedTest
    @CsvSource({"3, false", "5, false", "3, true", "5, true"})
    void asksWhereNoMemberTellsTheClusterVersion(int size, boolean someRestart) {
        var play = raised(size, FORMER);
        var cluster = play.ring.clusterId();
        for (int ordinal = 1; ordinal < size; ordinal++) {
            if (someRestart && ordinal <= size / 2) {
                play.world.faults(Play.REF).killPod(ordinal);
            } else {
                play.world.faults(Play.REF).deletePod(ordinal);
            }
        }
        play.world.tick(60);
        assertThat(play.ring.hasQuorum()).isFalse();

        for (int run = 0; run < 2; run++) {
            assertThat(said(play.plan(), "roll-stuck"))
                    .contains("stop at each start on etcd 3.4.23")
                    .contains("Set spec.version to 3.5.16 again: the next run");
            play.once(FaultHook.NONE);
            play.world.tick(60);
        }
        play.spec = wanted(size, TARGET);
        assertThat(kinds(play.plan())).startsWith("UpgradeVersion");
        play.once(FaultHook.NONE);

        assertThat(play.ring.hasQuorum()).as("%s", play).isTrue();
        rests(play);
        assertThat(play.ring.clusterId()).isEqualTo(cluster);
    }

    /// The image is missing, and nobody answers who could tell that there is no way back.
    @Test
    void asksForAnotherAttemptWhereTheUpgradeHadFailed() {
        var play = new Play(RollPlaysTest.halfRolled(FORMER, TARGET, 3, 2), wanted(3, TARGET));
        play.world.faults(Play.REF).removeMemberByHand(0);
        play.world.tick(20);
        play.world.faults(Play.REF).unpullable(TARGET, true);
        recreated(play, 1, 2);
        assertThat(kinds(play.plan())).startsWith("BackOutRoll");
        play.once(FaultHook.NONE);
        play.world.tick(60);
        play.world.faults(Play.REF).unpullable(TARGET, false);
        play.once(FaultHook.NONE);
        assertThat(said(play.plan(), "roll-stuck")).contains(". Raise spec.rollout.attempt: the next run");

        play.spec = Specs.rollout(play.spec, new EtcdClusterSpec.Rollout(List.of(), Duration.ZERO, 1, Releases.KNOWN));

        rests(play);
    }

    /// Its newcomer would start from the former template, on which etcd lets nobody in any more.
    @ParameterizedTest
    @CsvSource({"RemoveFormer/before", "FreeVolume/before", "AddNewcomer/before", "AwaitStarted/before"})
    void replacementUnderWayGetsTheNewTemplate(String boundary) {
        for (Consumer<Faults> last : List.<Consumer<Faults>>of(f -> f.removeMemberByHand(0), f -> f.loseVolume(0))) {
            var play = new Play(RollPlaysTest.halfRolled(FORMER, TARGET, 5, 4), wanted(5, FORMER));
            play.world.faults(Play.REF).put("a");
            assertThat(play.killAt("BackOutRoll/ReinstateTemplate/after")).isTrue();
            play.world.tick(20);
            play.world.faults(Play.REF).loseVolume(2);
            play.world.tick(60);
            assertThat(play.killAt("ResetVolume/" + boundary)).isTrue();
            play.world.tick(5);
            last.accept(play.world.faults(Play.REF));
            play.world.tick(20);

            rests(play);
        }
    }

    /// The partition would restart it with those above.
    @Test
    void restartsNoRunningMemberOfTheFormerVersion() {
        var play = new Play(RollPlaysTest.halfRolled(FORMER, TARGET, 5, 2), wanted(5, FORMER));
        assertThat(play.killAt("BackOutRoll/ReinstateTemplate/after")).isTrue();
        play.world.tick(20);
        for (int ordinal : List.of(3, 4)) {
            play.world.faults(Play.REF).loseVolume(ordinal);
        }
        play.world.faults(Play.REF).spoil(1);
        play.world.faults(Play.REF).killPod(0);
        play.world.faults(Play.REF).killPod(2);
        play.world.tick(60);
        play.spec = wanted(5, TARGET);
        assertThat(codes(play.plan())).contains("quorum-lost");

        assertThat(kinds(play.plan())).doesNotContain("UpgradeVersion");
        play.once(FaultHook.NONE);

        assertThat(play.world.acts()).doesNotContain("delete pod 2", "delete pod 0");
        assertThat(play.breaches()).as("%s", play).isEmpty();
    }

    /// What its own disk lacks no template gives it.
    @Test
    void lostVolumeIsNotBlamedOnTemplate() {
        var play = raised(5, FORMER);
        play.vault.keep(Duration.ofDays(30), 2);
        play.world.faults(Play.REF).loseVolume(4);
        play.world.faults(Play.REF).loseVolume(3);
        play.world.tick(60);

        play.once(FaultHook.NONE);
        new Person(play).follow(play.plan());

        assertThat(play.spec.server().version()).hasToString(TARGET);
        assertThat(kinds(play.plan())).startsWith("RecoverQuorum");
    }

    private static Play raisedAndRecreated(int size) {
        var play = raised(size, FORMER);
        recreated(play, size == 3 ? new int[] {1} : new int[] {2, 4});
        return play;
    }

    private static Play raised(int size, String wanted) {
        var play = new Play(RollPlaysTest.halfRolled(FORMER, TARGET, size, size - 1), wanted(size, FORMER));
        play.world.faults(Play.REF).put("a");
        assertThat(play.killAt("BackOutRoll/ReinstateTemplate/after")).isTrue();
        play.world.tick(20);
        play.world.faults(Play.REF).removeMemberByHand(0);
        play.world.tick(20);
        play.spec = wanted(size, wanted);
        return play;
    }

    private static EtcdClusterSpec wanted(int size, String version) {
        return Specs.healing(Given.spec(Play.REF, size, version), Mode.AUTOMATIC);
    }

    private static void recreated(Play play, int... ordinals) {
        for (int ordinal : ordinals) {
            play.world.faults(Play.REF).deletePod(ordinal);
        }
        play.world.tick(60);
    }

    private static void rests(Play play) {
        Optional<EtcdId> cluster = play.ring.clusterId();
        var person = new Person(play);
        for (int run = 0; run < 8; run++) {
            person.follow(play.plan());
            play.once(FaultHook.NONE);
            play.world.tick(60);
        }
        assertThat(play.notAtRest(play.plan())).as("%s", play).isEmpty();
        assertThat(play.ring.clusterId()).as("%s", play).isEqualTo(cluster);
        assertThat(play.breaches()).as("%s", play).isEmpty();
    }

    private static String said(ClusterPlan plan, String code) {
        return plan.findings().stream()
                .filter(f -> f.code().equals(code))
                .map(Finding::message)
                .findFirst()
                .orElse("");
    }

    private static List<String> codes(ClusterPlan plan) {
        return plan.findings().stream().map(Finding::code).toList();
    }

    private static List<String> kinds(ClusterPlan plan) {
        return plan.operations().stream().map(o -> o.operation().kind()).toList();
    }
}
