package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.backup.SnapshotReader;
import io.github.etcdgitops.backup.Verification;
import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.fake.Crash;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.store.codec.Encoded;
import io.github.etcdgitops.policy.PolicyEngine;
import io.github.etcdgitops.ring.scale.ScaleIn;
import io.github.etcdgitops.spec.Approval;
import io.github.etcdgitops.spec.ring.Defaults;
import io.github.etcdgitops.spec.ring.Fleet;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.state.ManagedObject;
import io.github.etcdgitops.state.backup.StoredBackup;
import io.github.etcdgitops.validation.Location;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Backups of a ring, run after run, with everything that can go wrong on the way.
class BackupPlaysTest {
    private static final int A_DAY = 24 * 3600;

    private static Play three() {
        return play(3, 3);
    }

    private static Play play(int from, int to) {
        var play = new Play(Worlds.ring().members(from).build(), Given.spec(Play.REF, to, "3.5.16"));
        play.vault.keep(Duration.ofDays(1), 2);
        return play;
    }

    private static List<String> ids(Play play) {
        return play.vault.stored().backups().stream().map(StoredBackup::id).toList();
    }

    private static Verification.Result look(Play play, StoredBackup backup) {
        return new Verification(new Encoded(List::of)).verify(play.vault.store, backup.key(), _ -> _ -> {});
    }

    @Test
    void backupHasDataOfRingAndMembersThatAgree() throws SnapshotReader.Damaged {
        var play = three();
        play.world.faults(Play.REF).put("a");
        play.world.faults(Play.REF).put("b");

        assertThat(play.once(FaultHook.NONE).outcome()).isEqualTo(Outcome.DONE);

        var backup = play.vault.stored().backups().getFirst();
        var manifest = SnapshotReader.manifest(play.vault.store, backup.key());
        assertThat(manifest.content().keys()).hasValue(2);
        assertThat(manifest.content().hashes())
                .singleElement()
                .satisfies(h -> assertThat(h.members()).hasSize(2).doesNotContain("orders-0"));
        assertThat(manifest.source().member()).as("a follower").isNotEqualTo("orders-0");
        assertThat(look(play, backup)).isInstanceOf(Verification.Result.Sound.class);
        assertThat(play.breaches()).isEmpty();
    }

    @Test
    void makesUpMissedDaysOnce() {
        var play = three();
        play.untilQuiet(3);
        play.world.tick(5 * A_DAY);

        play.untilQuiet(5);

        assertThat(ids(play)).hasSize(2);
    }

    @Test
    void retentionKeepsTheLastTwo() {
        var play = three();
        for (int day = 0; day < 5; day++) {
            play.untilQuiet(5);
            play.world.tick(A_DAY);
        }
        play.untilQuiet(5);

        assertThat(ids(play)).hasSize(2);
        assertThat(play.vault.store.keys()).hasSize(4);
    }

    @Test
    void takesNamedBackupOnce() {
        var play = three();
        play.vault.requests.add("before-the-move");

        play.untilQuiet(5);
        play.world.tick(5 * A_DAY);
        play.untilQuiet(5);

        assertThat(ids(play))
                .filteredOn(id -> id.endsWith("-once-before-the-move"))
                .hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"UNREACHABLE", "UNAUTHORIZED", "NOT_FOUND", "REJECTED"})
    void failingStoreLeavesNoFalseBackup(Kind kind) {
        for (int call = 1; call <= 12; call++) {
            var play = three();
            var run = play.run();
            var plan = run.plan();
            play.vault.store.failAt(call, kind);

            var result = run.execute(plan, FaultHook.NONE, _ -> true);

            play.vault.store.heal();
            assertThat(ids(play)).as("call " + call).hasSizeLessThanOrEqualTo(1);
            for (var backup : play.vault.stored().backups()) {
                assertThat(look(play, backup)).as("call " + call).isInstanceOf(Verification.Result.Sound.class);
            }
            if (ids(play).isEmpty()) {
                assertThat(result.outcome()).as("call " + call).isEqualTo(Outcome.FAILED);
            }
            play.world.tick(120);
            play.untilQuiet(4);
            assertThat(ids(play)).as("call " + call).hasSize(1);
            assertThat(play.breaches()).isEmpty();
        }
    }

    @Test
    void brokenStreamLeavesNothing() {
        var whole = three();
        whole.once(FaultHook.NONE);
        long size = whole.vault.store.list("").stream()
                .filter(e -> e.key().endsWith(".zst"))
                .mapToLong(e -> e.size())
                .max()
                .orElseThrow();
        for (int tenth = 0; tenth < 10; tenth++) {
            var play = three();
            play.vault.store.breakAfter(size * tenth / 10);

            assertThat(play.once(FaultHook.NONE).outcome()).isEqualTo(Outcome.FAILED);

            assertThat(play.vault.store.keys()).as("tenth " + tenth).isEmpty();
            play.world.tick(120);
            play.untilQuiet(4);
            assertThat(ids(play)).hasSize(1);
        }
    }

    @Test
    void nextRunSucceedsAfterKillAtEveryBoundary() {
        var counting = new AtomicInteger();
        three().once(_ -> counting.incrementAndGet());
        assertThat(counting.get()).isEqualTo(4);
        for (int at = 1; at <= counting.get(); at++) {
            var play = three();
            int last = at;
            var reached = new AtomicInteger();
            try {
                play.once(boundary -> {
                    if (reached.incrementAndGet() == last) {
                        throw new Crash(boundary);
                    }
                });
            } catch (Crash _) {
                // As a process that is killed: what it held is gone, what it wrote stays.
            }
            play.world.tick(60);

            play.untilQuiet(4);

            assertThat(ids(play)).as("boundary " + at).hasSize(1);
            play.world.tick(3 * A_DAY);
            play.untilQuiet(4);
            assertThat(play.vault.store.keys())
                    .as("what the killed run left is gone after a day")
                    .hasSize(4);
            assertThat(play.breaches()).isEmpty();
        }
    }

    @Test
    void skipsMemberThatCannotHash() throws SnapshotReader.Damaged {
        var play = three();
        play.world.faults(Play.REF).hashless(2);

        assertThat(play.once(FaultHook.NONE).outcome()).isEqualTo(Outcome.DONE);

        var manifest = SnapshotReader.manifest(
                play.vault.store, play.vault.stored().newest().orElseThrow().key());
        assertThat(manifest.content().hashes().getLast().members()).containsExactlyInAnyOrder("orders-1", "orders-0");
    }

    @Test
    void takesNoBackupIfMembersDisagree() {
        var play = three();
        play.world.faults(Play.REF).put("a");
        play.world.faults(Play.REF).corrupt(2);

        var result = play.once(FaultHook.NONE);

        assertThat(result.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(result.detail()).contains("disagree", "orders-1", "orders-2", "corrupt");
        assertThat(play.vault.store.keys()).isEmpty();
    }

    @Test
    void startsNoRiskyChangeWithoutBackup() {
        var play = play(5, 3);
        play.vault.store.failAll(Kind.UNREACHABLE);
        assertThat(play.plan().waiting()).hasSize(2);
        assertThat(play.once(FaultHook.NONE).outcome()).isEqualTo(Outcome.NOTHING);

        play.vault.store.heal();
        var run = play.run();
        var plan = run.plan();
        play.vault.store.failAll(Kind.REJECTED);
        assertThat(run.execute(plan, FaultHook.NONE, _ -> true).outcome()).isEqualTo(Outcome.FAILED);
        assertThat(play.ring.voters()).hasSize(5);

        play.vault.store.heal();
        play.world.tick(120);
        assertThat(play.notAtRest(play.untilQuiet(6))).isEmpty();
        assertThat(ids(play)).isNotEmpty();
    }

    private static List<String> beforeChanges(Play play) {
        return ids(play).stream().filter(id -> id.endsWith("-change")).toList();
    }

    private static PolicyEngine approvals(Approval... approvals) {
        return new PolicyEngine(
                new Fleet(List.of(), Fleet.Limits.DEFAULT, Risk.MEDIUM, Defaults.NONE), List.of(approvals));
    }

    @Test
    void takesBackupWhenWaitingChangeStarts() {
        var play = play(5, 3);
        play.policies = approvals();
        for (int hour = 0; hour < 90; hour += 2) {
            play.once(FaultHook.NONE);
            play.world.tick(2 * 3600);
        }
        assertThat(beforeChanges(play)).isEmpty();
        assertThat(ids(play)).as("the schedule goes on, and so does retention").hasSize(2);
        assertThat(play.ring.voters()).hasSize(5);

        var leaves = new ScaleIn(Play.REF, 4, false).id();
        var until = play.world.instant().plusSeconds(3600);
        play.policies = approvals(
                new Approval("ok", Play.REF, Set.of(leaves), "kim", until, Location.ofFile("approvals/ok.yaml")));
        var scheduled = ids(play);
        assertThat(play.once(FaultHook.NONE).outcome()).isEqualTo(Outcome.DONE);

        assertThat(play.ring.voters()).hasSize(4);
        assertThat(beforeChanges(play)).hasSize(1);
        assertThat(ids(play)).as("none of the schedule went for it").containsAll(scheduled);
        assertThat(play.breaches()).isEmpty();
    }

    @Test
    void takesNoBackupForChangeThatCannotStart() {
        var play = play(5, 3);
        play.world.faults(Play.REF).takeOver(ManagedObject.CLIENT_SERVICE);
        play.once(FaultHook.NONE);
        assertThat(ids(play)).as("the schedule asks for one").hasSize(1);
        play.world.tick(2 * 3600);
        assertThat(play.plan().operations())
                .extracting(o -> o.operation().kind())
                .containsExactly("RepairObjects", "TakeBackup", "ScaleIn", "ScaleIn");

        assertThat(play.once(FaultHook.NONE).outcome()).isEqualTo(Outcome.FAILED);

        assertThat(ids(play)).hasSize(1);
        assertThat(play.ring.voters()).hasSize(5);
    }

    @Test
    void scaleOutContinuesWhileStoreIsDown() {
        var play = play(3, 5);
        var run = play.run();
        var plan = run.plan();
        play.vault.store.failAll(Kind.UNREACHABLE);

        var result = run.execute(plan, FaultHook.NONE, _ -> true);

        assertThat(result.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(play.ring.voters()).hasSize(5);
    }

    @Test
    void lockedLeftoverHoldsNothingElse() {
        var play = three();
        play.once(FaultHook.NONE);
        String left = play.vault.stored().newest().orElseThrow().key().prefix().replaceAll("[^/]+/$", "")
                + "20200101T000000Z/snapshot.db";
        play.vault.store.put(left, new byte[1]);
        play.vault.store.lock(left);
        play.world.tick(2 * 24 * 3600);

        var result = play.once(FaultHook.NONE);

        assertThat(result.outcome()).isEqualTo(Outcome.DONE);
        assertThat(play.vault.store.keys()).contains(left);
        assertThat(result.events())
                .anySatisfy(
                        event -> assertThat(event.result().detail()).contains("1 are locked by the store and stay"));
    }

    /// What heals keeps failing; what protects is tried all the same.
    @Test
    void backsUpRingThatCannotBeRepaired() {
        var play = three();
        play.world.faults(Play.REF).takeOver(ManagedObject.CLIENT_SERVICE);
        var run = play.run();
        var plan = run.plan();
        assertThat(plan.operations())
                .extracting(o -> o.operation().kind())
                .containsExactly("RepairObjects", "TakeBackup");
        var result = run.execute(plan, FaultHook.NONE, _ -> true);

        assertThat(result.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(ids(play)).hasSize(1);
    }
}
