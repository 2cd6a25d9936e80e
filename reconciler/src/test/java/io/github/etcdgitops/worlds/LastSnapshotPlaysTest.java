package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.backup.Verification;
import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.fake.Crash;
import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Part;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.store.codec.Encoded;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.ClusterPlan.Situation;
import io.github.etcdgitops.plan.Verdict;
import io.github.etcdgitops.policy.PolicyEngine;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.spec.Approval;
import io.github.etcdgitops.spec.Tombstone;
import io.github.etcdgitops.spec.ring.Fleet;
import io.github.etcdgitops.state.ManagedObject;
import io.github.etcdgitops.state.backup.BackupKey;
import io.github.etcdgitops.state.backup.StoredBackup;
import io.github.etcdgitops.state.journal.RetainedRing;
import io.github.etcdgitops.validation.Location;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Rings that go together with their data, played from the plan to the end. No claim goes before a backup
/// is there that has everything that was ever written.
class LastSnapshotPlaysTest {
    private static final String KIND = "DeleteAfterSnapshot/";

    @ParameterizedTest
    @CsvSource({"3.5.16, 1", "3.5.16, 2", "3.5.16, 3", "3.5.16, 5", "3.3.25, 3", "3.4.23, 5"})
    void deletesRingWithVolumesAndKeepsSnapshot(String version, int size) {
        var play = going(ring(version, size));

        var result = play.once(FaultHook.NONE);

        assertThat(result.outcome()).as(result.detail()).isEqualTo(Outcome.DONE);
        play.world.tick(20);
        assertGone(play);
        assertThat(lasts(play)).hasSize(1);
        int acts = play.world.acts().size();
        for (int i = 0; i < 5; i++) {
            assertThat(play.once(FaultHook.NONE).outcome()).isEqualTo(Outcome.NOTHING);
        }
        assertThat(play.world.acts()).hasSize(acts);
        assertThat(play.plan().findings())
                .singleElement()
                .satisfies(f ->
                        assertThat(f.message()).contains(lasts(play).getFirst().id()));
    }

    @Test
    void waitsForApprovalByDefault() {
        var play = asking(ring("3.5.16", 3));

        assertThat(play.plan().operations().getFirst().verdict())
                .isInstanceOfSatisfying(
                        Verdict.Hold.class, hold -> assertThat(hold.rule()).isEqualTo("approval"));
    }

    @Test
    void continuesAfterKillAtAnyPoint() {
        var boundaries = boundaries(going(ring("3.5.16", 3)));
        assertThat(boundaries).hasSize(34);
        for (String boundary : boundaries) {
            var play = going(ring("3.5.16", 3));
            play.killAt(boundary);
            assertNothingGoneUnsaved(play, boundary);
            play.world.tick(20);

            play.untilQuiet(3);

            assertGone(play);
        }
    }

    /// Killed after every single call, and not only between steps.
    @Test
    void continuesAfterKillWithinAStep() {
        var whole = going(ring("3.5.16", 3));
        int before = whole.world.calls();
        whole.once(FaultHook.NONE);
        int calls = whole.world.calls() - before;
        assertThat(calls).isGreaterThan(100);
        for (int call = 1; call <= calls; call += 3) {
            var play = going(ring("3.5.16", 3));
            play.world.crashAfterCall(play.world.calls() + call);
            try {
                play.once(FaultHook.NONE);
            } catch (Crash | OneProcess.StillDead _) {
                // Killed.
            }
            assertNothingGoneUnsaved(play, "call " + call);
            play.world.tick(70);

            play.untilQuiet(4);

            assertGone(play);
        }
    }

    /// As long as all claims are there the ring comes back; after that nothing is founded in its place.
    @Test
    void documentBringsRingBackAfterKillAtAnyPoint() {
        for (String boundary : boundaries(going(ring("3.5.16", 3)))) {
            var world = ring("3.5.16", 3);
            going(world).killAt(boundary);
            world.tick(20);
            boolean whole = world.look(Play.REF).claims().size() == 3;
            var play = new Play(world, Given.spec(Play.REF, 3, "3.5.16"));

            var last = play.untilQuiet(3);

            assertThat(play.breaches()).as("%s %s", boundary, play).isEmpty();
            if (whole) {
                assertThat(play.notAtRest(last)).as("%s %s", boundary, play).isEmpty();
            } else {
                assertThat(codes(last)).as(boundary).containsAnyOf("volumes-missing", "volumes-deleted");
                assertThat(play.ring.pods()).as(boundary).isEmpty();
            }
        }
    }

    /// Whatever is written at any time, up to the last look at the ring, is in the backup, or nothing goes.
    @Test
    void losesNoWriteDuringDeletion() {
        for (String boundary : boundaries(going(ring("3.5.16", 3)))) {
            var play = going(ring("3.5.16", 3));

            play.once(at -> {
                if (at.equals(boundary) && play.ring.replicas() > 0) {
                    play.world.faults(Play.REF).put("/late");
                }
            });
            assertNothingGoneUnsaved(play, boundary);
            play.world.tick(20);
            play.untilQuiet(3);

            assertGone(play);
        }
    }

    /// Whoever still uses the ring keeps it, and is not even cut off.
    @Test
    void keepsRingThatClientsWriteTo() {
        var play = going(ring("3.5.16", 3));

        var run = play.run().pausing(duration -> {
            play.world.faults(Play.REF).put("/still-here");
            play.world.sleep(duration);
        });
        var result = run.execute(run.plan(), FaultHook.NONE, _ -> true);

        assertThat(result.outcome()).isEqualTo(Outcome.HELD);
        assertThat(result.detail()).contains("a client writes to the ring");
        assertThat(lasts(play)).isEmpty();
        assertServes(play);
    }

    @Test
    void deletesNothingWithoutPlaceForSnapshot() {
        var world = ring("3.5.16", 3);
        var play = new Play(world, Given.spec(Play.REF, 3, "3.5.16"));
        play.tombstones = Optional.of(List.of(DeletedRing.withData(world)));
        int acts = world.acts().size();

        assertThat(codes(play.plan())).containsExactly("tombstone-no-policy");
        assertThat(play.plan().situation()).isEqualTo(Situation.HELD);
        play.once(FaultHook.NONE);
        assertThat(world.acts()).hasSize(acts);
    }

    /// At each call of the store, and in each way.
    @ParameterizedTest
    @EnumSource(names = {"UNREACHABLE", "UNAUTHORIZED", "NOT_FOUND", "REJECTED"})
    void deletesNothingIfStoreFails(Kind kind) {
        for (int call = 1; call <= 20; call++) {
            var play = going(ring("3.5.16", 3));
            play.vault.store.failAt(call, kind);

            play.once(FaultHook.NONE);

            play.vault.store.heal();
            assertNothingGoneUnsaved(play, kind + " at call " + call);
            play.world.tick(120);
            play.untilQuiet(4);
            assertGone(play);
        }
    }

    /// What was stored is not what was sent: it shows before anybody is cut off.
    @Test
    void unreadableSnapshotDoesNotCount() {
        var play = going(ring("3.5.16", 3));

        var result = play.once(at -> {
            if (at.equals(KIND + "CertifyBackup/after")) {
                play.vault.store.keys().stream()
                        .filter(key -> key.endsWith(".zst"))
                        .forEach(play.vault.store::corrupt);
            }
        });

        assertThat(result.outcome()).isEqualTo(Outcome.FAILED);
        assertServes(play);
        assertThat(lasts(play)).noneMatch(StoredBackup::verified);
        play.world.tick(20);
        play.untilQuiet(3);
        assertGone(play);
    }

    /// Deleted, cut off or found to be damaged after the members have ended: the volumes are all there is.
    @Test
    void keepsVolumesIfSnapshotIsGone() {
        for (String what : List.of(BackupKey.MANIFEST, "snapshot.db.zst", BackupKey.DAMAGED)) {
            var world = ring("3.5.16", 3);
            var play = going(world);

            var result = play.once(at -> {
                if (at.equals(KIND + "RemoveObjects/after")) {
                    var key = lasts(play).getFirst().key();
                    if (what.equals(BackupKey.DAMAGED)) {
                        play.vault.store.put(key.file(what), new byte[] {'{', '}'});
                    } else {
                        play.vault.store.drop(key.file(what));
                    }
                }
            });

            assertThat(result.outcome()).as(what).isNotEqualTo(Outcome.DONE);
            assertThat(play.ring.claims()).as(what).hasSize(3);
            world.tick(20);
            play.untilQuiet(2);
            assertThat(play.ring.claims()).as(what).hasSize(3);
            var back = new Play(world, Given.spec(Play.REF, 3, "3.5.16"));
            assertThat(back.notAtRest(back.untilQuiet(3))).as(what).isEmpty();
        }
    }

    /// A snapshot of before is none of what was written since, whoever has ended the members.
    @Test
    void snapshotOfEarlierAttemptDoesNotCount() {
        var world = ring("3.5.16", 3);
        var play = going(world);
        play.killAt(KIND + "ProveSnapshot/after");
        world.tick(20);
        world.faults(Play.REF).put("/later");
        play.tombstones = Optional.of(List.of(DeletedRing.tombstone(world)));
        play.killAt("DeleteCluster/AwaitStopped/after");
        world.tick(20);

        play.tombstones = Optional.of(List.of(DeletedRing.withData(world)));
        assertThat(codes(play.plan())).containsExactly("snapshot-too-late");
        assertThat(play.plan().operations()).isEmpty();

        play.tombstones = Optional.of(List.of(DeletedRing.tombstone(world)));
        play.untilQuiet(2);
        play.tombstones = Optional.of(List.of(DeletedRing.withData(world)));
        assertThat(codes(play.plan())).containsExactly("snapshot-too-late");
        assertThat(play.ring.claims()).hasSize(3);
    }

    @Test
    void savesReturnedRingAgain() {
        var world = ring("3.5.16", 3);
        going(world).killAt(KIND + "AwaitStopped/after");
        world.tick(20);
        var back = new Play(world, Given.spec(Play.REF, 3, "3.5.16"));
        assertThat(back.notAtRest(back.untilQuiet(3))).isEmpty();
        world.faults(Play.REF).put("/later");

        var again = going(world);
        assertThat(again.plan().operations().getFirst().steps())
                .anyMatch(s -> s.step().getClass().getSimpleName().equals("SaveSnapshot"));
        again.untilQuiet(3);

        assertGone(again);
    }

    @Test
    void keepsRingWithMissingMember() {
        var world = ring("3.5.16", 3);
        world.faults(Play.REF).stop(1);
        world.tick(20);

        var play = asking(world);

        assertThat(codes(play.plan())).containsExactly("not-green");
        assertThat(play.plan().operations()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Part.class)
    void doesNotTakeUnreadableForGone(Part part) {
        var world = ring("3.5.16", 3);
        var play = going(world);
        world.faults(Play.REF).unreadable(part);

        play.once(FaultHook.NONE);
        world.tick(20);
        play.once(FaultHook.NONE);

        assertThat(play.ring.claims()).as(part.name()).hasSize(3);
        assertThat(play.ring.up()).as(part.name()).hasSize(3);
        assertThat(play.breaches()).isEmpty();
    }

    private static void assertServes(Play play) {
        assertThat(play.breaches()).as(play.toString()).isEmpty();
        assertThat(play.ring.up()).hasSize(3);
        assertThat(DeletedRing.seen(play.world)
                        .kube()
                        .objects()
                        .live()
                        .optional()
                        .orElseThrow())
                .containsKey(ManagedObject.CLIENT_SERVICE);
    }

    private static List<StoredBackup> lasts(Play play) {
        return play.vault.stored().backups().stream()
                .filter(backup -> backup.id().endsWith(StoredBackup.LAST))
                .toList();
    }

    /// Of the last revision that the ring ever had.
    private static boolean saved(Play play) {
        long revision = play.ring.revision();
        return lasts(play).stream()
                .filter(StoredBackup::verified)
                .anyMatch(backup ->
                        new Verification(new Encoded(List::of)).verify(play.vault.store, backup.key(), _ -> _ -> {})
                                        instanceof Verification.Result.Sound(var manifest)
                                && manifest.content().revision() == revision);
    }

    private static void assertNothingGoneUnsaved(Play play, String when) {
        assertThat(play.breaches()).as("%s %s", when, play).isEmpty();
        if (play.ring.claims().size() < play.spec.size() || play.ring.endingClaims() > 0) {
            assertThat(saved(play)).as("%s %s", when, play).isTrue();
        }
    }

    private static void assertGone(Play play) {
        assertThat(play.breaches()).as(play.toString()).isEmpty();
        assertThat(play.plan().situation())
                .as("%s %s", play.plan().findings(), play)
                .isEqualTo(Situation.IN_SYNC);
        assertThat(play.ring.claims()).as(play.toString()).isEmpty();
        assertThat(play.ring.pods()).isEmpty();
        assertThat(DeletedRing.seen(play.world)
                        .kube()
                        .objects()
                        .live()
                        .optional()
                        .orElseThrow())
                .isEmpty();
        assertThat(saved(play)).as(play.toString()).isTrue();
        var remains = play.ring.journal().orElseThrow().past().remains().orElseThrow();
        assertThat(remains.volumes()).isEqualTo(RetainedRing.Volumes.DELETED);
        assertThat(remains.saved().orElseThrow().revision()).isEqualTo(play.ring.revision());
        assertThat(lasts(play))
                .extracting(StoredBackup::id)
                .contains(remains.saved().get().backup());
        assertThat(codes(new Play(play.world, Given.spec(Play.REF, 3, "3.5.16")).plan()))
                .contains("volumes-deleted");
    }

    /// With an approval of what is planned first, which holds to the end.
    private static Play going(FakeWorld world) {
        var play = asking(world);
        String operation = play.plan().operations().getFirst().operation().id();
        play.policies = new PolicyEngine(
                Fleet.DEFAULT,
                List.of(new Approval(
                        "orders",
                        Play.REF,
                        Set.of(operation),
                        "kim",
                        world.instant().plusSeconds(36_000),
                        Location.ofFile("approvals/orders.yaml"))));
        return play;
    }

    private static Play asking(FakeWorld world) {
        var play = new Play(world, Given.spec(Play.REF, 3, "3.5.16"));
        play.vault.keep(Duration.ofDays(1), 2);
        play.tombstones = Optional.of(List.<Tombstone>of(DeletedRing.withData(world)));
        return play;
    }

    private static FakeWorld ring(String version, int size) {
        var world =
                Worlds.ring().version(version).members(size).leader(size - 1).build();
        world.faults(Play.REF).put("/registry/a");
        return world;
    }

    private static LinkedHashSet<String> boundaries(Play play) {
        var boundaries = new LinkedHashSet<String>();
        var result = play.once(boundaries::add);
        assertThat(result.outcome()).as(result.detail()).isEqualTo(Outcome.DONE);
        return boundaries;
    }

    private static List<String> codes(ClusterPlan plan) {
        return plan.findings().stream().map(Finding::code).toList();
    }
}
