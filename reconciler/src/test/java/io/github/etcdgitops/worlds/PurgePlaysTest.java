package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.fake.Crash;
import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Part;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.ClusterPlan.Situation;
import io.github.etcdgitops.plan.Orphan;
import io.github.etcdgitops.plan.Verdict;
import io.github.etcdgitops.policy.PolicyEngine;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.spec.Approval;
import io.github.etcdgitops.spec.Tombstone;
import io.github.etcdgitops.spec.ring.Fleet;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.journal.RetainedRing;
import io.github.etcdgitops.validation.Location;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What was kept of deleted rings goes for good, played from the plan to the end.
class PurgePlaysTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void deletesOnlyRetainedVolumes(int size) {
        var play = purging(DeletedRing.of(size));

        purged(play);

        int acts = play.world.acts().size();
        for (int i = 0; i < 5; i++) {
            assertThat(play.once(FaultHook.NONE).outcome()).isEqualTo(Outcome.NOTHING);
            play.world.tick(20);
        }
        assertThat(play.world.acts()).hasSize(acts);
        assertThat(codes(play.plan())).containsExactly("ring-deleted");
    }

    @Test
    void waitsForApprovalByDefault() {
        var play = asking(DeletedRing.of(3));
        var planned = play.plan().operations().getFirst();
        assertThat(planned.verdict())
                .isInstanceOfSatisfying(
                        Verdict.Hold.class, hold -> assertThat(hold.rule()).isEqualTo("approval"));

        play.policies = new PolicyEngine(
                Fleet.DEFAULT, List.of(approval(play.world, planned.operation().id())));

        assertThat(play.plan().operations().getFirst().verdict().lets()).isTrue();
    }

    /// Somebody let the ring be deleted; then it was asked for again, and nobody has let it be deleted since.
    @Test
    void approvalOfOneDeletionDoesNotCoverTheNext() {
        var world = DeletedRing.of(3);
        String volumes =
                purging(world).plan().operations().getFirst().operation().id();
        back(world);
        var again = new Play(world, Given.spec(Play.REF, 3, "3.5.16"));
        again.tombstones = Optional.of(List.of(DeletedRing.tombstone(world)));
        String second = again.plan().operations().getFirst().operation().id();
        String first = "deleted clusterId=" + world.look(Play.REF).clusterId().orElseThrow() + " data=retained";

        assertThat(again.plan().operations().getFirst().operation().target()).isEqualTo(first + " returns=1");
        assertThat(again.once(FaultHook.NONE).outcome()).isEqualTo(Outcome.DONE);
        world.tick(20);
        assertThat(purging(world).plan().operations().getFirst().operation().id())
                .isNotIn(volumes, second);
    }

    /// A deletion that is taken back counts as well, and a return that is carried on counts once.
    @Test
    void countsEachStartedReturnOnce() {
        var world = Worlds.ring().members(3).build();
        var play = new Play(world, Given.spec(Play.REF, 3, "3.5.16"));
        play.tombstones = Optional.of(List.of(DeletedRing.tombstone(world)));
        play.killAt("DeleteCluster/CutClients/after");
        world.tick(20);
        var back = new Play(world, Given.spec(Play.REF, 3, "3.5.16"));
        back.killAt("ReturnCluster/SealMembers/after");
        world.tick(20);
        back.killAt("ReturnCluster/CompareRemains/after");
        world.tick(20);

        assertThat(back.notAtRest(back.untilQuiet(3))).isEmpty();

        assertThat(back.ring.journal().orElseThrow().past().returns()).isEqualTo(1);
    }

    @Test
    void continuesPurgeAfterKillAtAnyPoint() {
        var boundaries = boundaries(purging(DeletedRing.of(3)));
        assertThat(boundaries).hasSize(8);
        for (String boundary : boundaries) {
            var play = purging(DeletedRing.of(3));
            play.killAt(boundary);
            play.world.tick(20);

            play.untilQuiet(3);

            assertGone(play);
        }
    }

    /// Killed after every single call, and not only between steps.
    @Test
    void continuesPurgeAfterKillWithinAStep() {
        var whole = DeletedRing.of(3);
        var once = purging(whole);
        int before = whole.calls();
        once.once(FaultHook.NONE);
        int calls = whole.calls() - before;
        assertThat(calls).isGreaterThan(10);
        for (int call = 1; call <= calls; call++) {
            var world = DeletedRing.of(3);
            var play = purging(world);
            world.crashAfterCall(world.calls() + call);
            try {
                play.once(FaultHook.NONE);
            } catch (Crash | OneProcess.StillDead _) {
                // Killed.
            }
            world.tick(70);

            play.untilQuiet(3);

            assertGone(play);
        }
    }

    /// As long as all of them are there the ring comes back; after that nothing is founded in its place.
    @Test
    void returnedDocumentStopsPurge() {
        for (String boundary : boundaries(purging(DeletedRing.of(3)))) {
            var world = DeletedRing.of(3);
            purging(world).killAt(boundary);
            world.tick(20);
            boolean whole = world.look(Play.REF).claims().size() == 3;
            var play = new Play(world, Given.spec(Play.REF, 3, "3.5.16"));

            var last = play.untilQuiet(3);

            assertThat(play.breaches()).as("%s %s", boundary, play).isEmpty();
            if (whole) {
                assertThat(play.notAtRest(last)).as("%s %s", boundary, play).isEmpty();
            } else {
                assertThat(last.situation()).as(boundary).isEqualTo(Situation.HELD);
                assertThat(codes(last)).as(boundary).containsAnyOf("volumes-missing", "volumes-deleted");
                assertThat(play.ring.hasStatefulSet()).as(boundary).isFalse();
                assertThat(play.ring.pods()).as(boundary).isEmpty();
            }
        }
    }

    @Test
    void deletesNothingMoreWithoutTombstone() {
        var play = purging(DeletedRing.of(3));
        play.killAt("DeleteVolumes/BeginPurge/after");
        play.world.tick(20);
        play.tombstones = Optional.of(List.of());

        assertThat(codes(play.plan())).containsExactly("deletion-under-way");
        assertThat(play.plan().operations()).isEmpty();

        play.tombstones = Optional.of(List.of(DeletedRing.tombstone(play.world)));
        play.untilQuiet(3);
        assertThat(play.ring.claims()).hasSize(3);
        assertThat(play.ring.journal().orElseThrow().past().remains())
                .map(RetainedRing::volumes)
                .contains(RetainedRing.Volumes.KEPT);
        back(play.world);
    }

    /// What is left stays left, and the ring is not brought back without the rest.
    @Test
    void tombstoneWithRetainKeepsTheRest() {
        var play = purging(DeletedRing.of(3));
        int call = play.world.calls();
        play.killAt("DeleteVolumes/DeleteClaims/before");
        play.world.faults(Play.REF).deleteClaim(0);
        play.world.tick(20);
        assertThat(play.world.calls()).isGreaterThan(call);

        play.tombstones = Optional.of(List.of(DeletedRing.tombstone(play.world)));
        play.untilQuiet(3);

        assertThat(play.ring.claims()).containsExactly(1, 2);
        assertThat(play.plan().situation()).isEqualTo(Situation.IN_SYNC);
        assertThat(codes(new Play(play.world, Given.spec(Play.REF, 3, "3.5.16")).plan()))
                .contains("volumes-missing");
    }

    @Test
    void existingRingKeepsItsVolumes() {
        var world = Worlds.ring().members(3).build();
        var play = purging(world);
        int acts = world.acts().size();

        assertThat(codes(play.plan())).containsExactly("tombstone-too-early");
        assertThat(play.plan().situation()).isEqualTo(Situation.HELD);
        play.once(FaultHook.NONE);
        assertThat(world.acts()).hasSize(acts);
    }

    @Test
    void reportsTombstoneOfAnotherRing() {
        for (var data : Tombstone.Data.values()) {
            var play = new Play(DeletedRing.of(3), Given.spec(Play.REF, 3, "3.5.16"));
            play.tombstones = Optional.of(List.of(DeletedRing.tombstone("beef", data)));

            assertThat(codes(play.plan())).containsExactlyInAnyOrder("tombstone-other-ring", "ring-deleted");
            assertThat(play.plan().situation()).isEqualTo(Situation.ORPHAN);
            assertThat(play.plan().operations()).isEmpty();
        }
    }

    @Test
    void waitsWhileADocumentIsUnreadable() {
        var world = DeletedRing.of(3);

        var plan = Orphan.plan(
                DeletedRing.seen(world),
                List.of(DeletedRing.purge(world)),
                DeletedRing.unsure("clusters/orders.yaml is invalid; fix it first"));

        assertThat(plan.operations()).isEmpty();
        assertThat(codes(plan)).containsExactly("documents-unread");
    }

    /// Whoever has mounted one of them is still reading it.
    @Test
    void deletesNothingIfAVolumeIsMounted() {
        var world = DeletedRing.of(3);
        world.faults(Play.REF).mount(1, "copying");
        var play = purging(world);

        var result = play.once(FaultHook.NONE);

        assertThat(result.outcome()).isEqualTo(Outcome.HELD);
        assertThat(result.detail()).contains("the pod copying would lose a volume that is in use");
        assertThat(play.ring.claims()).hasSize(3);
        world.faults(Play.REF).mount(1, "");
        world.tick(20);
        purged(play);
    }

    /// Whoever has taken its labels away means something by it.
    @Test
    void deletesNothingIfAClaimIsNotTheRings() {
        var world = DeletedRing.of(3);
        world.faults(Play.REF).takeOverClaim(1);
        var play = purging(world);

        var result = play.once(FaultHook.NONE);
        world.tick(20);

        assertThat(result.outcome()).isNotEqualTo(Outcome.DONE);
        assertThat(play.ring.claims()).hasSize(3);
        assertThat(play.breaches()).isEmpty();
    }

    /// Another volume of the name is not the ring's, whoever has made it.
    @Test
    void keepsClaimWithAnotherUid() {
        var world = DeletedRing.of(3);
        world.faults(Play.REF).copyClaim(1);
        var other = world.look(Play.REF).claimUid(1);
        var play = purging(world);
        assertThat(codes(play.plan())).contains("volume-left-alone");

        assertThat(play.once(FaultHook.NONE).outcome()).isEqualTo(Outcome.DONE);
        world.tick(20);

        assertThat(play.ring.claims()).containsExactly(1);
        assertThat(play.ring.claimUid(1)).isEqualTo(other);
        assertThat(play.breaches()).isEmpty();
        assertThat(play.plan().situation()).isEqualTo(Situation.IN_SYNC);
    }

    @ParameterizedTest
    @EnumSource(Part.class)
    void doesNotTakeUnreadableForGone(Part part) {
        var world = DeletedRing.of(3);
        var play = purging(world);
        world.faults(Play.REF).unreadable(part);

        for (int i = 0; i < 2; i++) {
            play.once(FaultHook.NONE);
            world.tick(20);
        }

        assertThat(play.ring.claims()).as(part.name()).hasSize(3);
        assertThat(play.breaches()).isEmpty();
        play.mend();
        purged(play);
    }

    /// With an approval of what is planned first, which holds to the end.
    private static Play purging(FakeWorld world) {
        var play = asking(world);
        play.plan().operations().stream()
                .findFirst()
                .ifPresent(planned -> play.policies = new PolicyEngine(
                        Fleet.DEFAULT,
                        List.of(approval(world, planned.operation().id()))));
        return play;
    }

    private static Play asking(FakeWorld world) {
        var play = new Play(world, Given.spec(Play.REF, 3, "3.5.16"));
        play.tombstones = Optional.of(List.of(DeletedRing.purge(world)));
        return play;
    }

    private static void purged(Play play) {
        var result = play.once(FaultHook.NONE);
        assertThat(result.outcome()).as(result.detail()).isEqualTo(Outcome.DONE);
        play.world.tick(20);
        assertGone(play);
    }

    private static void assertGone(Play play) {
        assertThat(play.breaches()).as(play.toString()).isEmpty();
        assertThat(play.ring.claims()).as(play.toString()).isEmpty();
        assertThat(play.plan().situation()).as(play.toString()).isEqualTo(Situation.IN_SYNC);
        var journal = play.ring.journal().orElseThrow();
        assertThat(journal.intent()).isEmpty();
        assertThat(journal.past().remains()).map(RetainedRing::volumes).contains(RetainedRing.Volumes.DELETED);
        var founding = new Play(play.world, Given.spec(Play.REF, 3, "3.5.16")).plan();
        assertThat(codes(founding)).contains("volumes-deleted");
        assertThat(founding.operations()).isEmpty();
    }

    private static void back(FakeWorld world) {
        var play = new Play(world, Given.spec(Play.REF, 3, "3.5.16"));
        assertThat(play.notAtRest(play.untilQuiet(3))).as(play.toString()).isEmpty();
        assertThat(play.ring.journal().flatMap(Journal::remains)).isEmpty();
    }

    private static Approval approval(FakeWorld world, String operation) {
        return new Approval(
                "orders",
                Play.REF,
                Set.of(operation),
                "kim",
                world.instant().plusSeconds(36_000),
                Location.ofFile("approvals/orders.yaml"));
    }

    private static LinkedHashSet<String> boundaries(Play play) {
        var boundaries = new LinkedHashSet<String>();
        assertThat(play.once(boundaries::add).outcome()).isEqualTo(Outcome.DONE);
        return boundaries;
    }

    private static List<String> codes(ClusterPlan plan) {
        return plan.findings().stream().map(Finding::code).toList();
    }
}
