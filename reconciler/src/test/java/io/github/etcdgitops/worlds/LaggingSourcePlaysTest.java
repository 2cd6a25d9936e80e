package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.backup.SnapshotReader;
import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.execute.progress.ClusterResult;
import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.state.backup.BackupKey;
import io.github.etcdgitops.state.backup.Manifest;
import io.github.etcdgitops.state.backup.StoredBackup;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A backup is of the ring, and not of a member that has not heard the latest.
class LaggingSourcePlaysTest {
    private static final String VERSION = "3.5.16";

    private static Play ring(int size) {
        var play = new Play(Worlds.ring().version(VERSION).members(size).build(), Given.spec(Play.REF, size, VERSION));
        play.vault.keep(Duration.ofHours(1), 9);
        for (String key : new String[] {"a", "b", "c", "d", "e"}) {
            play.world.faults(Play.REF).put(key);
        }
        return play;
    }

    private static StoredBackup newest(Play play) {
        return play.vault.stored().newest().orElseThrow(() -> new AssertionError(play.toString()));
    }

    private static Manifest manifest(Play play) {
        try {
            return SnapshotReader.manifest(play.vault.store, newest(play).key());
        } catch (SnapshotReader.Damaged e) {
            throw new AssertionError(e);
        }
    }

    private static Manifest.RingRevision ring(Play play) {
        return manifest(play).content().ring().orElseThrow();
    }

    @Test
    void saysThatTheSourceHadAllThatTheRingHad() {
        var play = ring(3);

        play.once(FaultHook.NONE);

        assertThat(manifest(play).content().revision()).isEqualTo(play.ring.revision());
        assertThat(ring(play).revision()).isEqualTo(play.ring.revision());
        assertThat(ring(play).behind()).isZero();
    }

    /// etcd answers all the same, and says nothing of it.
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void takesNoSnapshotOfAMemberThatLags(int lagging) {
        var play = ring(3);
        play.world.faults(Play.REF).behind(lagging, 3, 1000);

        play.once(FaultHook.NONE);

        assertThat(manifest(play).source().member()).isNotEqualTo("orders-" + lagging);
        assertThat(manifest(play).content().revision()).isEqualTo(play.ring.revision());
        assertThat(ring(play).behind()).isZero();
    }

    @Test
    void takesTheLeadersWhereNoFollowerKeepsUp() {
        var play = ring(5);
        for (int ordinal = 0; ordinal < 5; ordinal++) {
            if (!play.ring.leader().equals(java.util.Optional.of(ordinal))) {
                play.world.faults(Play.REF).behind(ordinal, 1, 1000);
            }
        }

        play.once(FaultHook.NONE);

        assertThat(manifest(play).content().revision()).isEqualTo(play.ring.revision());
        assertThat(manifest(play).source().member())
                .isEqualTo("orders-" + play.ring.leader().orElseThrow());
    }

    @Test
    void waitsForAMemberThatCatchesUpAndSaysHowFarItWas() {
        var play = ring(3);
        for (int ordinal = 0; ordinal < 3; ordinal++) {
            if (!play.ring.leader().equals(java.util.Optional.of(ordinal))) {
                play.world.faults(Play.REF).behind(ordinal, 2, 4);
            }
        }

        play.once(FaultHook.NONE);

        assertThat(manifest(play).content().revision()).isEqualTo(play.ring.revision());
        assertThat(ring(play).behind()).isEqualTo(2);
        assertThat(manifest(play).source().member())
                .isNotEqualTo("orders-" + play.ring.leader().orElseThrow());
    }

    /// Whom we reach lags, and whom we do not reach leads.
    @Test
    void failsWithReasonIfNoMemberIsASource() {
        var play = ring(3);
        int leader = play.ring.leader().orElseThrow();
        for (int ordinal = 0; ordinal < 3; ordinal++) {
            if (ordinal != leader) {
                play.world.faults(Play.REF).behind(ordinal, 2, 100_000);
            }
        }
        play.world.faults(Play.REF).hideFromUs(leader);

        ClusterResult result = play.once(FaultHook.NONE);

        assertThat(result.outcome()).as(play.toString()).isEqualTo(Outcome.FAILED);
        assertThat(result.detail()).contains("no member returned the ring's revision");
        assertThat(play.vault.stored().backups()).isEmpty();
    }

    /// The upload may take as long as it likes: what was written meanwhile is not in it.
    @Test
    void countsItsAgeFromWhenTheRingWasAsked() {
        var play = ring(3);
        Instant[] certified = {Instant.EPOCH};
        play.once(boundary -> {
            if (boundary.equals("TakeBackup/CertifyBackup/before")) {
                play.world.tick(3000);
                play.world.faults(Play.REF).put("late");
                certified[0] = play.world.instant();
            }
        });

        var taken = newest(play).taken();
        assertThat(BackupKey.stamp(ring(play).asked())).isEqualTo(BackupKey.stamp(taken));
        assertThat(taken).isBefore(certified[0].minusSeconds(2000));
    }

    /// There is nobody to compare with, and what is left is all there is.
    @Test
    void comparesNothingWhereTheQuorumIsLost() {
        var play = ring(3);
        play.world.faults(Play.REF).loseVolume(0);
        play.world.faults(Play.REF).loseVolume(1);
        play.world.tick(30);

        play.once(FaultHook.NONE);

        assertThat(newest(play).id()).contains(StoredBackup.WITHOUT_QUORUM);
        assertThat(manifest(play).content().ring()).isEmpty();
    }
}
