package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.execute.progress.ClusterResult;
import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.state.backup.BackupKey;
import io.github.etcdgitops.state.value.EtcdId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A ring that is to make room for another one goes on as it was where the other one could not begin.
class NothingEndsInVainPlaysTest {
    private static final String VERSION = "3.5.16";
    private static final long MIB = 1 << 20;

    /// With a backup of the key a, and b written since.
    private static Play ring() {
        var play = new Play(Worlds.ring().version(VERSION).members(3).build(), Given.spec(Play.REF, 3, VERSION));
        play.vault.keep(Duration.ofDays(30), 2);
        play.world.faults(Play.REF).put("a");
        play.untilQuiet(3);
        play.world.faults(Play.REF).put("b");
        return play;
    }

    private static Play inPlace() {
        var play = ring();
        play.vault.restoreInPlace(play.vault.stored().newest().orElseThrow().id());
        return play;
    }

    /// Two of three volumes are lost, and what the third member has is saved.
    private static Play lost(int survivor) {
        var play = ring();
        for (int ordinal = 0; ordinal < 3; ordinal++) {
            if (ordinal != survivor) {
                play.world.faults(Play.REF).loseVolume(ordinal);
            }
        }
        play.world.tick(30);
        play.once(FaultHook.NONE);
        return play;
    }

    private static Play approved(Play play) {
        assertThat(play.plan().operations())
                .anyMatch(planned -> planned.operation().toBeNamed().isPresent());
        new Person(play).follow(play.plan());
        return play;
    }

    /// The members that there were still serve, and nothing was put in their place.
    private static void assertStands(Play play, Optional<EtcdId> former) {
        assertThat(play.ring.clusterId()).as(play.toString()).isEqualTo(former);
        assertThat(play.ring.replicas()).as(play.toString()).isEqualTo(3);
        assertThat(play.ring.keys()).contains("a", "b");
        assertThat(play.world.jobs().count()).isZero();
        assertThat(play.breaches()).isEmpty();
    }

    private static void assertRestored(Play play, Optional<EtcdId> former) {
        assertThat(play.notAtRest(play.untilQuiet(6))).as(play.toString()).isEmpty();
        assertThat(play.ring.clusterId()).isNotEqualTo(former);
        assertThat(play.breaches()).isEmpty();
    }

    private static ClusterPlan assertRefused(Play play, String... words) {
        var plan = play.plan();
        assertThat(plan.operations()).noneMatch(o -> o.operation().toBeNamed().isPresent());
        assertThat(plan.findings())
                .filteredOn(f -> f.code().equals("restore-refused"))
                .singleElement()
                .extracting(Finding::message)
                .asString()
                .contains(words);
        return plan;
    }

    @Test
    void refusesToShutDownRingWithoutRoomOnVolume() {
        var play = approved(inPlace());
        var former = play.ring.clusterId();
        play.world.faults(Play.REF).take(0, 1024 * MIB - 64 * MIB);

        var result = play.once(FaultHook.NONE);

        assertThat(result.outcome()).as(play.toString()).isEqualTo(Outcome.FAILED);
        assertThat(result.detail())
                .contains("data-orders-0 is too small", 64 * MIB + " bytes are free", "storage.size");
        assertStands(play, former);
        assertThat(play.ring.journal().orElseThrow().intent()).isEmpty();
        play.world.faults(Play.REF).take(0, 0);
        assertRestored(play, former);
        assertThat(play.ring.keys()).containsExactly("a");
    }

    @Test
    void refusesToShutDownSurvivorWithoutRoomOnVolume() {
        var play = lost(0);
        var former = play.ring.clusterId();
        approved(play);
        play.world.faults(Play.REF).take(0, 1023 * MIB);

        assertThat(play.once(FaultHook.NONE).detail()).contains("data-orders-0 is too small");
        assertStands(play, former);

        play.world.faults(Play.REF).take(0, 0);
        assertRestored(play, former);
        assertThat(play.ring.keys()).containsExactly("a", "b");
    }

    /// A new volume is made in place of one that is lost: there is nobody to ask.
    @Test
    void measuresNoRoomOnLostVolume() {
        var play = lost(2);
        var former = play.ring.clusterId();
        approved(play);
        play.world.jobs().stuck(true);

        play.once(boundary -> {
            if (boundary.equals("RecoverQuorum/BeginExchange/before")) {
                play.world.jobs().stuck(false);
            }
        });

        assertRestored(play, former);
    }

    @Test
    void refusesToShutDownRingWhoseVolumeCannotBeMounted() {
        var play = approved(inPlace());
        var former = play.ring.clusterId();
        play.world.jobs().stuck(true);

        var result = play.once(FaultHook.NONE);

        assertThat(result.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(result.detail())
                .contains(
                        "could not be checked for free space", "no node takes the pod; that has not changed for 4 min");
        assertStands(play, former);
    }

    @Test
    void refusesInPlanWhileNodeOfVolumeIsUnresponsive() {
        var play = inPlace();
        var former = play.ring.clusterId();
        play.world.faults(Play.REF).silence(0);
        play.world.tick(30);

        assertRefused(play, "node-0", "has not reported since", "--force");
        assertStands(play, former);

        play.mend();
        approved(play);
        assertRestored(play, former);
    }

    @Test
    void refusesInPlanIfNodeOfVolumeIsGone() {
        var play = inPlace();
        var former = play.ring.clusterId();
        play.world.faults(Play.REF).loseMachine(0);
        play.world.tick(30);

        assertRefused(play, "the only one with the volume of data-orders-0, is gone", "delete pvc data-orders-0");
        assertStands(play, former);
    }

    /// Whether it lives, nobody knows: then no pod runs there either.
    @Test
    void shutsDownNoMemberWhileNodeStateIsUnknown() {
        var play = approved(inPlace());
        var former = play.ring.clusterId();
        play.world.faults(Play.REF).hideMachines(true);
        play.world.faults(Play.REF).silence(0);
        play.world.tick(30);

        var result = play.once(FaultHook.NONE);

        assertThat(result.outcome()).as(play.toString()).isEqualTo(Outcome.FAILED);
        assertThat(result.detail()).contains("could not be checked for free space");
        assertStands(play, former);
    }

    /// It falls silent between the look at the room and the end of the members.
    @Test
    void shutsDownNoMemberOnceNodeStopsResponding() {
        var play = approved(inPlace());
        var former = play.ring.clusterId();

        var result = play.once(boundary -> {
            if (boundary.equals("RestoreInPlace/EndFormers/before")) {
                play.world.faults(Play.REF).silence(0);
                play.world.tick(5);
            }
        });

        assertThat(result.outcome()).as(play.toString()).isEqualTo(Outcome.HELD);
        assertStands(play, former);
        assertThat(play.plan().operations())
                .extracting(o -> o.operation().summary())
                .singleElement()
                .asString()
                .contains("cancel");
        play.once(FaultHook.NONE);
        assertRefused(play, "has not reported since");
        play.mend();
        assertRestored(play, former);
    }

    private static ClusterResult droppedAt(Play play, String boundary, String file) {
        var key = play.vault.stored().newest().orElseThrow().key();
        return play.once(at -> {
            if (at.equals(boundary)) {
                play.vault.store.drop(key.file(file));
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"BeginExchange", "EndFormers"})
    void shutsDownNoMemberForDeletedSnapshot(String step) {
        for (String file : List.of("snapshot.db.zst", BackupKey.MANIFEST)) {
            var play = approved(inPlace());
            var former = play.ring.clusterId();

            var result = droppedAt(play, "RestoreInPlace/" + step + "/before", file);

            assertThat(result.outcome()).as(file + play).isEqualTo(Outcome.HELD);
            assertThat(result.detail()).contains("was changed or deleted after it was verified");
            assertStands(play, former);
        }
    }

    @Test
    void shutsDownNoMemberForReplacedSnapshot() {
        var play = approved(inPlace());
        var former = play.ring.clusterId();
        var key = play.vault.stored().newest().orElseThrow().key().file("snapshot.db.zst");

        var result = play.once(boundary -> {
            if (boundary.equals("RestoreInPlace/EndFormers/before")) {
                play.world.tick(1);
                play.vault.store.put(key, new byte[] {1, 2, 3});
            }
        });

        assertThat(result.outcome()).isEqualTo(Outcome.HELD);
        assertStands(play, former);
    }

    /// The same document with the new cluster ID, and the same backup: the ring began with it once, which says nothing
    /// of what is stored now.
    @Test
    void restoresTheSameBackupInPlaceASecondTime() {
        var play = approved(inPlace());
        String backup = play.vault.stored().newest().orElseThrow().id();
        var first = play.ring.clusterId();
        assertRestored(play, first);
        play.world.faults(Play.REF).put("c");
        var second = play.ring.clusterId();
        play.vault.restoreInPlace(backup);
        approved(play);

        assertRestored(play, second);

        assertThat(play.ring.keys()).containsExactly("a");
    }
}
