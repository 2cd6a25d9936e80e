package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.fake.Crash;
import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Specs;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.ClusterPlan.Situation;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Upgrades to 3.6 of rings that ran 3.4 or earlier, played from the plan to the end. A fake of 3.6 ends at what such
/// members left, as a real one does.
class OldRecordsPlaysTest {
    private static final String BETWEEN = "3.5.33";
    private static final String LATER = "3.6.14";
    private static final String WRITE = "write nothing";

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 5})
    void goesFrom34To36InOneRun(int size) {
        var play = play("3.4.23", size, LATER);
        var finding = finding(play.plan(), "v2-records");

        var result = play.once(FaultHook.NONE);

        assertThat(result.outcome()).as(result.detail()).isEqualTo(Outcome.DONE);
        assertThat(finding.level()).isEqualTo(Finding.Level.WARNING);
        assertThat(finding.message()).contains("101000 transactions", "etcdctl rm --recursive", "check v2store");
        assertThat(writes(play)).isPositive();
        assertRuns(play, size, LATER);
    }

    @Test
    void continuesAfterKillAtAnyPoint() {
        for (int size : List.of(1, 3)) {
            for (String boundary : boundaries(size)) {
                var play = killed(size, boundary);

                play.untilQuiet(4);

                assertRuns(play, size, LATER);
            }
        }
    }

    @Test
    void continuesFrom33AfterKillAtAnyPoint() {
        var whole = play("3.3.25", 3, LATER);
        for (String boundary : whole.boundaryNames()) {
            var play = play("3.3.25", 3, LATER);
            play.killedAt(boundary);

            play.untilQuiet(6);

            assertRuns(play, 3, LATER);
        }
    }

    /// Nobody can look for them later.
    @Test
    void doesNotLeave33For36WithoutAnAnswer() {
        var play = play("3.3.25", 3, LATER);
        play.world.faults(Play.REF).v2KeysUntold();

        assertThat(play.plan().situation()).isEqualTo(Situation.HELD);
        assertThat(finding(play.plan(), "v2-keys").message()).contains("Ask for a release of 3.5");

        play.spec = spec(3, BETWEEN);
        assertThat(play.once(FaultHook.NONE).outcome()).isEqualTo(Outcome.DONE);
    }

    @Test
    void addsNoEntriesWhereTheRingWritesEnough() {
        var play = play("3.4.23", 3, BETWEEN);
        play.once(FaultHook.NONE);
        play.world.faults(Play.REF).write(150_000);
        play.world.tick(20);
        play.spec = spec(3, LATER);

        assertThat(play.once(FaultHook.NONE).outcome()).isEqualTo(Outcome.DONE);
        assertThat(writes(play)).isZero();
        assertRuns(play, 3, LATER);
    }

    /// Nothing says how such a ring came to 3.5.
    @Test
    void ringOfUnknownPastPassesThemAsWell() {
        var play = play("3.5.33", 3, LATER);
        assertThat(finding(play.plan(), "v2-records").level()).isEqualTo(Finding.Level.NOTE);

        assertThat(play.once(FaultHook.NONE).outcome()).isEqualTo(Outcome.DONE);
        assertThat(writes(play)).isPositive();
        assertRuns(play, 3, LATER);
    }

    @Test
    void ringThatBeganOn35NeedsNothing() {
        var world = Given.absent(Play.REF.namespace(), Play.REF.name()).build();
        var play = new Play(world, spec(3, BETWEEN));
        play.untilQuiet(2);
        play.spec = spec(3, LATER);

        assertThat(play.plan().findings()).extracting(Finding::code).doesNotContain("v2-records");
        assertThat(play.once(FaultHook.NONE).outcome()).isEqualTo(Outcome.DONE);
        assertThat(writes(play)).isZero();
        assertRuns(play, 3, LATER);
    }

    @Test
    void noEntriesAreAddedWhileAMemberIsAway() {
        var play = play("3.5.33", 3, LATER);

        var result = play.once(boundary -> {
            if (boundary.equals("UpgradeVersion/PassOldRecords/before")) {
                play.world.faults(Play.REF).stop(1);
                play.world.tick(5);
            }
        });

        assertThat(result.outcome()).isNotEqualTo(Outcome.DONE);
        assertThat(writes(play)).isZero();
        assertThat(play.ring.versions()).doesNotContain(LATER);
        assertThat(play.breaches()).isEmpty();
    }

    @Test
    void keysOfRingOn33AreToldBeforeAnythingIsDone() {
        var play = play("3.3.25", 3, LATER);
        play.world.faults(Play.REF).v2Keys(true);

        var plan = play.plan();
        play.once(FaultHook.NONE);

        assertThat(plan.situation()).isEqualTo(Situation.HELD);
        assertThat(finding(plan, "v2-keys").level()).isEqualTo(Finding.Level.ERROR);
        assertThat(finding(plan, "v2-keys").message()).contains("etcdctl ls --recursive", "etcdctl rm --recursive");
        assertRuns(play, 3, "3.3.25");

        play.world.faults(Play.REF).v2Keys(false);
        play.untilQuiet(3);
        assertRuns(play, 3, LATER);
    }

    @Test
    void clientsOfTheV2ApiAreToldBeforeTheyAreCutOff() {
        var play = play("3.3.25", 3, BETWEEN);
        play.world.faults(Play.REF).v2Writes(7);

        var finding = finding(play.plan(), "v2-clients");
        assertThat(finding.level()).isEqualTo(Finding.Level.WARNING);
        assertThat(finding.message()).contains("21 times", "v3 API before the upgrade");

        play.untilQuiet(3);
        assertThat(play.plan().findings()).extracting(Finding::code).doesNotContain("v2-clients");
    }

    /// 3.5 does not mind them, and is the last version that does not.
    @Test
    void keysAreAWarningBeforeAnEarlierVersion() {
        var play = play("3.3.25", 3, BETWEEN);
        play.world.faults(Play.REF).v2Keys(true);

        assertThat(finding(play.plan(), "v2-keys").level()).isEqualTo(Finding.Level.WARNING);
        assertThat(play.once(FaultHook.NONE).outcome()).isEqualTo(Outcome.DONE);
    }

    /// Nothing is restarted, and evictions are not blocked for as long as the keys are there.
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void keysOnAVolumeHoldTheUpgradeUntilTheyAreGone(int size) {
        var play = play("3.5.33", size, LATER);
        play.world.faults(Play.REF).v2Keys(true);

        for (int run = 0; run < 2; run++) {
            var result = play.once(FaultHook.NONE);

            assertThat(result.outcome()).isEqualTo(Outcome.HELD);
            assertThat(result.detail()).contains("custom content in v2store", "Nothing was restarted");
            assertThat(finding(play.plan(), "v2-keys").level()).isEqualTo(Finding.Level.WARNING);
            assertThat(play.ring.journal().orElseThrow().intent()).isEmpty();
            assertThat(play.world.jobs().count()).isZero();
            assertRuns(play, size, "3.5.33");
        }

        play.world.faults(Play.REF).v2Keys(false);
        play.untilQuiet(3);
        assertRuns(play, size, LATER);
        assertThat(play.plan().findings()).extracting(Finding::code).doesNotContain("v2-keys");
    }

    @Test
    void keysHoldTheUpgradeAfterKillAtAnyPoint() {
        var whole = play("3.5.33", 3, LATER);
        whole.world.faults(Play.REF).v2Keys(true);
        long first = whole.world.calls();
        whole.once(FaultHook.NONE);
        long calls = whole.world.calls() - first;
        for (int call = 1; call <= calls; call++) {
            var play = play("3.5.33", 3, LATER);
            play.world.faults(Play.REF).v2Keys(true);
            play.world.crashAfterCall(play.world.calls() + call);
            try {
                play.once(FaultHook.NONE);
            } catch (Crash | OneProcess.StillDead _) {
                play.world.tick(30);
            }

            assertThat(play.once(FaultHook.NONE).outcome()).as("call " + call).isEqualTo(Outcome.HELD);
            assertRuns(play, 3, "3.5.33");
        }
    }

    /// A look that failed half-way says nothing about keys, and what it found already counts.
    @Test
    void keysHoldTheUpgradeWhateverAnswerIsLost() {
        var whole = play("3.5.33", 3, LATER);
        whole.world.faults(Play.REF).v2Keys(true);
        long first = whole.world.calls();
        whole.once(FaultHook.NONE);
        long calls = whole.world.calls() - first;
        for (int call = 1; call <= calls; call++) {
            var play = play("3.5.33", 3, LATER);
            play.world.faults(Play.REF).v2Keys(true);
            play.world.loseAnswerOfCall(play.world.calls() + call);

            try {
                play.once(FaultHook.NONE);
            } catch (GatewayException _) {
                // It had not begun with the ring.
            }

            assertThat(play.ring.versions()).as("call " + call).allMatch("3.5.33"::equals);
            assertThat(play.ring.up()).as("call " + call).hasSize(3);
            assertThat(play.once(FaultHook.NONE).outcome()).as("call " + call).isEqualTo(Outcome.HELD);
        }
    }

    /// What a look found is not asked again.
    @Test
    void ringWithoutKeysIsAskedOnce() {
        var play = play("3.5.33", 3, LATER);
        assertThatThrownBy(() -> play.once(boundary -> {
                    if (boundary.equals("UpgradeVersion/BeginRoll/before")) {
                        throw new Crash(boundary);
                    }
                }))
                .isInstanceOf(Crash.class);
        play.world.tick(30);
        assertThat(looks(play)).isEqualTo(1);

        play.untilQuiet(4);

        assertThat(looks(play)).isEqualTo(1);
        assertRuns(play, 3, LATER);
    }

    @Test
    void keysThatNobodyCanLookForEndInARollback() {
        var play = play("3.5.33", 3, LATER);
        play.world.faults(Play.REF).v2Keys(true);
        play.world.jobs().stuck(true);

        var first = play.once(FaultHook.NONE);
        assertThat(first.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(first.detail()).contains("disallowed custom content in v2store", "v2 API");
        assertThat(play.ring.up()).hasSize(2);
        var rest = play.untilQuiet(3);

        assertThat(finding(rest, "taken-back").message()).contains("v2store");
        assertThat(play.ring.versions()).hasSize(3).allMatch("3.5.33"::equals);
        assertThat(play.ring.up()).hasSize(3);
        assertThat(play.breaches()).isEmpty();
    }

    private static void assertRuns(Play play, int size, String version) {
        assertThat(play.ring.versions()).as("%s", play).hasSize(size).allMatch(version::equals);
        assertThat(play.breaches()).as("%s", play).isEmpty();
    }

    private static long writes(Play play) {
        return play.world.acts().stream().filter(WRITE::equals).count();
    }

    private static long looks(Play play) {
        return play.world.acts().stream()
                .filter(act -> act.contains("create Job ") && act.contains("-keys"))
                .count();
    }

    private static Finding finding(ClusterPlan plan, String code) {
        return plan.findings().stream()
                .filter(f -> f.code().equals(code))
                .findFirst()
                .orElseThrow(() -> new AssertionError(code + " is not among " + plan.findings()));
    }

    private static Play killed(int size, String boundary) {
        var play = play("3.4.23", size, LATER);
        play.killedAt(boundary);
        return play;
    }

    private static Set<String> boundaries(int size) {
        var seen = play("3.4.23", size, LATER).boundaryNames();
        assertThat(seen).anyMatch(boundary -> boundary.contains("PassOldRecords"));
        return seen;
    }

    private static Play play(String from, int size, String to) {
        return new Play(world(from, size), spec(size, to));
    }

    private static EtcdClusterSpec spec(int size, String version) {
        return Specs.via(Given.spec(Play.REF, size, version), "3.4.23", BETWEEN);
    }

    private static FakeWorld world(String version, int size) {
        return Worlds.ring()
                .version(version)
                .members(size)
                .leader(size - 1)
                .byHand(faults -> faults.put("a"))
                .build();
    }
}
