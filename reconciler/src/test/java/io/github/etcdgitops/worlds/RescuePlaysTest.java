package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.backup.SnapshotReader;
import io.github.etcdgitops.backup.Verification;
import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.fake.Crash;
import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.store.codec.Encoded;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.state.backup.StoredBackup;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What is left of a ring without a quorum is saved, and a new ring begins with it.
class RescuePlaysTest {
    /// A ring with a backup of the key a, that has lost the volumes of all but `left` after the key b was written.
    private static Play lost(String version, int size, int left) {
        var world = Worlds.ring().version(version).members(size).build();
        var play = new Play(world, Given.spec(Play.REF, size, version));
        play.vault.keep(Duration.ofDays(30), 2);
        world.faults(Play.REF).put("a");
        play.untilQuiet(3);
        world.faults(Play.REF).put("b");
        for (int ordinal = 0; ordinal < size - left; ordinal++) {
            world.faults(Play.REF).loseVolume(ordinal);
        }
        world.tick(30);
        return play;
    }

    private static Play lost() {
        return lost("3.5.16", 3, 1);
    }

    private static List<StoredBackup> rescues(Play play) {
        return play.vault.stored().backups().stream()
                .filter(b -> b.id().contains(StoredBackup.WITHOUT_QUORUM))
                .toList();
    }

    private static List<String> ways(ClusterPlan plan) {
        return plan.findings().stream()
                .filter(f -> f.code().equals("quorum-lost"))
                .map(Finding::message)
                .toList();
    }

    @ParameterizedTest
    @CsvSource({"3.3.25, 3, 1", "3.4.23, 3, 1", "3.5.16, 3, 1", "3.5.16, 5, 2", "3.5.16, 2, 1"})
    void savesSurvivorOnceAndKeepsIt(String version, int size, int left) throws SnapshotReader.Damaged {
        var play = lost(version, size, left);
        assertThat(ways(play.plan())).anyMatch(m -> m.contains("Save this data first"));

        assertThat(play.once(FaultHook.NONE).outcome()).isEqualTo(Outcome.DONE);
        play.untilQuiet(3);

        var saved = rescues(play);
        assertThat(saved).hasSize(1);
        var manifest =
                SnapshotReader.manifest(play.vault.store, saved.getFirst().key());
        assertThat(manifest.content().keys()).hasValue(2);
        assertThat(manifest.source().member()).isIn("orders-" + (size - 1), "orders-" + (size - left));
        assertThat(new Verification(new Encoded(List::of))
                        .verify(play.vault.store, saved.getFirst().key(), _ -> _ -> {}))
                .isInstanceOf(Verification.Result.Sound.class);
        assertThat(ways(play.plan()))
                .anyMatch(m ->
                        m.contains("That is saved: backup " + saved.getFirst().id()));
        assertThat(play.plan().operations()).noneMatch(o -> o.verdict().lets());
        assertThat(play.breaches()).isEmpty();
    }

    @Test
    void newRingStartsFromSavedData() {
        var play = lost();
        play.once(FaultHook.NONE);
        var again = new Play(new FakeWorld(), Given.spec(Play.REF, 3, "3.5.16"));
        again.vault.restoreFrom(play.vault);

        again.untilQuiet(3);

        assertThat(again.notAtRest(again.plan())).as(again.toString()).isEmpty();
        assertThat(again.ring.keys()).containsExactly("a", "b");
    }

    @Test
    void nextRunSavesAfterKillAtEveryBoundary() {
        var counting = new AtomicInteger();
        lost().once(_ -> counting.incrementAndGet());
        assertThat(counting.get()).isEqualTo(4);
        for (int at = 1; at <= counting.get(); at++) {
            var play = lost();
            int last = at;
            var reached = new AtomicInteger();
            try {
                play.once(boundary -> {
                    if (reached.incrementAndGet() == last) {
                        throw new Crash(boundary);
                    }
                });
            } catch (Crash _) {
                play.world.tick(60);
            }

            play.untilQuiet(3);

            assertThat(rescues(play)).as("boundary " + at).hasSize(1);
            assertThat(play.breaches()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 5, 7})
    void retriesFailingStore(int call) {
        var play = lost();
        var run = play.run();
        var plan = run.plan();
        play.vault.store.failAt(call, Kind.UNREACHABLE);
        run.execute(plan, FaultHook.NONE, _ -> true);
        play.vault.store.heal();
        play.world.tick(120);

        play.untilQuiet(3);

        assertThat(rescues(play)).hasSize(1);
    }

    @Test
    void savesNothingIfQuorumIsBack() {
        var world = Worlds.ring().build();
        var play = new Play(world, Given.spec(Play.REF, 3, "3.5.16"));
        play.vault.keep(Duration.ofDays(30), 2);
        play.untilQuiet(3);
        world.faults(Play.REF).stop(0);
        world.faults(Play.REF).stop(1);
        world.tick(10);
        var run = play.run();
        var plan = run.plan();
        assertThat(plan.operations()).hasSize(1);
        play.mend();

        var result = run.execute(plan, FaultHook.NONE, _ -> true);

        assertThat(result.outcome()).isNotEqualTo(Outcome.FAILED);
        assertThat(play.notAtRest(play.untilQuiet(3))).isEmpty();
        assertThat(play.breaches()).isEmpty();
    }

    @Test
    void savesNothingIfMembersDisagree() {
        var play = lost("3.5.16", 5, 2);
        play.world.faults(Play.REF).corrupt(4);

        var result = play.once(FaultHook.NONE);

        assertThat(result.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(result.detail()).contains("disagree");
        assertThat(rescues(play)).isEmpty();
    }
}
