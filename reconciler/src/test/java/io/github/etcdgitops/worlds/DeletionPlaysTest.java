package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Part;
import io.github.etcdgitops.fake.Specs;
import io.github.etcdgitops.observe.Observer;
import io.github.etcdgitops.pipeline.FleetView;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.ClusterPlan.Situation;
import io.github.etcdgitops.plan.Orphan;
import io.github.etcdgitops.plan.Verdict;
import io.github.etcdgitops.policy.PolicyEngine;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.spec.Decisions;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.Protection;
import io.github.etcdgitops.spec.Tombstone;
import io.github.etcdgitops.spec.ring.Defaults;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.Fleet;
import io.github.etcdgitops.spec.ring.Repairs.Mode;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.state.ManagedObject;
import io.github.etcdgitops.state.journal.Journal;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Rings whose document goes, that are deleted, and that come back, played from the plan to the end.
class DeletionPlaysTest {
    @Test
    void missingDocumentAloneChangesNothing() {
        var play = without(ring("3.5.16", 3));
        play.tombstones = Optional.of(List.of());
        int before = play.world.acts().size();

        for (int i = 0; i < 10; i++) {
            var plan = play.plan();
            assertThat(plan.situation()).isEqualTo(Situation.ORPHAN);
            assertThat(codes(plan)).containsExactly("orphan");
            assertThat(plan.findings().getFirst().message())
                    .contains("Tombstone for the cluster ID " + id(play.world).orElseThrow());
            assertThat(play.once(FaultHook.NONE).outcome()).isEqualTo(Outcome.NOTHING);
            play.world.tick(20);
        }

        assertThat(play.world.acts()).hasSize(before);
        assertThat(play.ring.serving()).hasSize(3);
    }

    /// Of an earlier ring of the name, or of one in another environment.
    @Test
    void tombstoneOfAnotherRingChangesNothing() {
        var play = without(ring("3.5.16", 3));
        play.tombstones = Optional.of(List.of(DeletedRing.tombstone("beef")));

        assertThat(play.plan().situation()).isEqualTo(Situation.ORPHAN);
        assertThat(codes(play.plan())).containsExactlyInAnyOrder("tombstone-other-ring", "orphan");
        assertThat(play.plan().findings()).anyMatch(f -> f.message().contains("cluster ID beef"));
    }

    @Test
    void waitsForApprovalIfFleetRequiresIt() {
        var play = without(ring("3.5.16", 3));
        play.policies =
                new PolicyEngine(new Fleet(List.of(), Fleet.Limits.DEFAULT, Risk.HIGH, Defaults.NONE), List.of());
        var plan = play.plan();

        assertThat(kinds(plan)).containsExactly("DeleteCluster");
        assertThat(plan.operations().getFirst().verdict()).isInstanceOf(Verdict.Hold.class);
    }

    /// What cannot be read may be the ring's document.
    @Test
    void waitsWhileADocumentIsUnreadable() {
        var world = ring("3.5.16", 3);
        var plan = Orphan.plan(
                DeletedRing.seen(world),
                List.of(DeletedRing.tombstone(world)),
                DeletedRing.unsure("clusters/orders.yaml is invalid; fix it first"));

        assertThat(plan.situation()).isEqualTo(Situation.HELD);
        assertThat(plan.operations()).isEmpty();
        assertThat(codes(plan)).containsExactly("documents-unread");
    }

    /// A tombstone that is left lying would delete the ring again with the next file that is gone by mistake.
    @Test
    void deletedRingDoesNotReturnBesideTombstone() {
        var world = DeletedRing.of(3);
        var tombstone = DeletedRing.tombstone(ring("3.5.16", 3));

        var beside = planned(world, List.of(tombstone));

        assertThat(codes(beside)).contains("tombstone-waits");
        assertThat(beside.operations())
                .singleElement()
                .satisfies(o -> assertThat(o.verdict())
                        .isInstanceOfSatisfying(
                                Verdict.Hold.class, h -> assertThat(h.rule()).isEqualTo("tombstone")));
        assertThat(planned(world, List.of()).operations())
                .singleElement()
                .satisfies(o -> assertThat(o.verdict().lets()).isTrue());
    }

    private static ClusterPlan planned(FakeWorld world, List<Tombstone> tombstones) {
        var rings = new TreeMap<ClusterRef, EtcdClusterSpec>();
        rings.put(Play.REF, Given.spec(Play.REF, 3, "3.5.16"));
        var desired = new DesiredState(
                Fleet.DEFAULT,
                rings,
                new Decisions(List.of(), tombstones),
                Protection.NONE,
                new TreeSet<>(),
                List.of(),
                "digest");
        var observer = new Observer(
                world.kubernetes(), world.volumes().port(), world.etcd(), world.access(), new SameThread());
        return new FleetView(observer, _ -> new Vault(world).store, world, "test")
                .plan(desired, Fleet.DEFAULT_ENVIRONMENT)
                .clusters()
                .getFirst();
    }

    @Test
    void tombstoneBesideDocumentWaits() {
        var world = ring("3.5.16", 3);

        assertThat(Orphan.waiting(DeletedRing.seen(world), List.of(DeletedRing.tombstone(world))))
                .map(Finding::code)
                .contains("tombstone-waits");
        assertThat(Orphan.waiting(DeletedRing.seen(world), List.of(DeletedRing.tombstone("beef"))))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"3.5.16, 1", "3.5.16, 2", "3.5.16, 3", "3.5.16, 5", "3.3.25, 3", "3.4.23, 5"})
    void deletesRingAndBringsItBackUnchanged(String version, int size) {
        var world = ring(version, size);
        var claims = claims(world);
        var members = members(world);
        deleted(without(world));
        assertThat(world.look(Play.REF).claims()).hasSize(size);
        var play = with(world, version, size);
        assertThat(kinds(play.plan())).containsExactly("ReturnCluster");
        assertThat(play.plan().operations().getFirst().verdict()).isInstanceOf(Verdict.Allow.class);

        back(play);

        assertThat(claims(world)).isEqualTo(claims);
        assertThat(members(world)).isEqualTo(members);
    }

    @Test
    void deletedRingStaysDeletedWithAndWithoutTombstone() {
        var play = without(ring("3.5.16", 3));
        deleted(play);
        int before = play.world.acts().size();
        for (int i = 0; i < 10; i++) {
            assertThat(play.plan().situation()).isEqualTo(Situation.IN_SYNC);
            play.once(FaultHook.NONE);
            play.world.tick(20);
        }
        assertThat(codes(play.plan())).containsExactly("ring-deleted");
        play.tombstones = Optional.of(List.of());
        assertThat(play.plan().situation()).isEqualTo(Situation.ORPHAN);
        assertThat(codes(play.plan())).containsExactly("ring-deleted");
        assertThat(play.world.acts()).hasSize(before);
    }

    /// It comes back as it was, and then becomes what it shall be.
    @Test
    void appliesChangedDocumentAfterReturn() {
        var world = ring("3.5.16", 3);
        var former = id(world);
        deleted(without(world));
        var play = with(world, "3.5.30", 5);

        assertThat(kinds(play.plan())).containsExactly("ReturnCluster");
        assertThat(codes(play.plan())).contains("one-at-a-time");
        assertThat(play.notAtRest(play.untilQuiet(4))).as(play.toString()).isEmpty();
        assertThat(play.breaches()).isEmpty();
        assertThat(id(world)).isEqualTo(former);
    }

    @Test
    void deletesTlsRingAndBringsItBack() {
        var world = SecuredRing.of(3);
        var former = id(world);
        deleted(without(world));

        var play = new Play(world, TlsPlaysTest.wanted(3, "3.5.16", TlsPlaysTest.MUTUAL));
        back(play);

        assertThat(id(world)).isEqualTo(former);
    }

    @Test
    void continuesDeletionAfterKillAtAnyPoint() {
        var boundaries = boundaries(without(ring("3.5.16", 3)));
        assertThat(boundaries).hasSize(18);
        for (String boundary : boundaries) {
            var play = without(ring("3.5.16", 3));
            play.killAt(boundary);
            play.world.tick(20);

            play.untilQuiet(3);

            assertThat(notDeleted(play)).as("%s %s", boundary, play).isEmpty();
            back(with(play.world, "3.5.16", 3));
        }
    }

    @Test
    void takesDeletionBackAfterKillAtAnyPoint() {
        for (int size : List.of(1, 3)) {
            for (String boundary : boundaries(without(ring("3.5.16", size)))) {
                var world = ring("3.5.16", size);
                var former = members(world);
                without(world).killAt(boundary);
                world.tick(20);
                var play = with(world, "3.5.16", size);
                assertThat(play.plan().operations()).as(boundary).allMatch(o -> o.verdict() instanceof Verdict.Allow);

                assertThat(play.notAtRest(play.untilQuiet(3)))
                        .as("%s %s", boundary, play)
                        .isEmpty();

                assertThat(play.breaches()).as("%s %s", boundary, play).isEmpty();
                assertThat(members(world)).as(boundary).isEqualTo(former);
                assertThat(play.ring.releasedClaims()).as(boundary).isEmpty();
            }
        }
    }

    @Test
    void continuesOrRevertsReturnAfterKillAtAnyPoint() {
        for (String boundary : boundaries(gone(3))) {
            var play = gone(3);
            play.killAt(boundary);
            play.world.tick(20);

            assertThat(play.notAtRest(play.untilQuiet(3)))
                    .as("%s %s", boundary, play)
                    .isEmpty();
            assertThat(play.breaches()).as("%s %s", boundary, play).isEmpty();

            var other = gone(3);
            other.killAt(boundary);
            other.world.tick(20);
            var again = without(other.world);
            again.untilQuiet(3);
            assertThat(notDeleted(again)).as("%s %s", boundary, again).isEmpty();
            back(with(other.world, "3.5.16", 3));
        }
    }

    /// Begun, and then neither document nor tombstone: nobody knows what is wanted.
    @Test
    void holdsHalfDeletedRingWithoutDocumentAndTombstone() {
        var play = without(ring("3.5.16", 3));
        play.killAt("DeleteCluster/StopMembers/after");
        play.tombstones = Optional.of(List.of());

        assertThat(play.plan().situation()).isEqualTo(Situation.HELD);
        assertThat(codes(play.plan())).containsExactly("deletion-under-way");
    }

    @Test
    void keepsRingWithMissingMember() {
        var world = ring("3.5.16", 3);
        world.faults(Play.REF).stop(1);
        world.tick(20);
        var play = without(world);

        assertThat(codes(play.plan())).containsExactly("not-green");
        assertThat(play.plan().operations()).isEmpty();
        world.faults(Play.REF).recover(1);
        world.tick(20);
        deleted(play);
    }

    /// One goes between plan and step.
    @Test
    void shutsDownNoMemberIfOneIsMissing() {
        var play = without(ring("3.5.16", 3));

        var result = play.once(boundary -> {
            if (boundary.equals("DeleteCluster/StopMembers/before")) {
                play.world.faults(Play.REF).stop(1);
                play.world.tick(5);
            }
        });

        assertThat(result.outcome()).isEqualTo(Outcome.HELD);
        assertThat(play.ring.replicas()).isEqualTo(3);
        play.mend();
        back(with(play.world, "3.5.16", 3));
    }

    /// What is kept would be of two minds.
    @Test
    void keepsRingWhoseMembersDiverge() {
        var world = ring("3.5.16", 3);
        world.faults(Play.REF).corrupt(2);
        var play = without(world);

        var result = play.once(FaultHook.NONE);

        assertThat(result.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(result.detail()).contains("One of them is corrupt");
        assertThat(play.ring.replicas()).isEqualTo(3);
    }

    @Test
    void finishesChangeUnderWayFirst() {
        var world = ring("3.5.16", 3);
        with(world, "3.5.16", 5).killAt("ScaleOut/SealMember/before");
        world.tick(20);
        var play = without(world);

        assertThat(play.plan().situation()).isEqualTo(Situation.HELD);
        assertThat(codes(play.plan())).containsExactly("deletion-waits");
    }

    @Test
    void deletesNothingUnreadableOrSuspended() {
        for (var part : Part.values()) {
            var world = ring("3.5.16", 3);
            world.faults(Play.REF).unreadable(part);
            assertThat(without(world).plan().operations()).as(part.toString()).isEmpty();
        }
        var world = ring("3.5.16", 3);
        world.faults(Play.REF).suspend("an auditor copies it");
        assertThat(without(world).plan().situation()).isEqualTo(Situation.SUSPENDED);
    }

    /// A volume of another UID would bring back a member that has forgotten what it had agreed to.
    @ParameterizedTest
    @ValueSource(strings = {"gone", "another", "foreign"})
    void neverCreatesRingAgainIfVolumesAreMissing(String what) {
        var world = ring("3.5.16", 3);
        deleted(without(world));
        switch (what) {
            case "foreign" -> world.faults(Play.REF).takeOverClaim(1);
            case "another" -> world.faults(Play.REF).copyClaim(1);
            default -> world.faults(Play.REF).deleteClaim(1);
        }
        world.tick(5);
        var play = with(world, "3.5.16", 3);
        int before = world.acts().size();

        assertThat(play.plan().situation())
                .as(play.plan().findings().toString())
                .isEqualTo(Situation.HELD);
        assertThat(codes(play.plan())).contains("volumes-missing");
        for (int i = 0; i < 3; i++) {
            play.once(FaultHook.NONE);
            world.tick(20);
        }
        assertThat(world.acts()).hasSize(before);
        assertThat(play.ring.pods()).isEmpty();
    }

    @Test
    void neverCreatesRingAgainIfJournalIsGone() {
        var world = ring("3.5.16", 3);
        deleted(without(world));
        world.faults(Play.REF).deleteJournal();
        var play = with(world, "3.5.16", 3);

        assertThat(play.plan().situation()).isEqualTo(Situation.HELD);
        assertThat(play.plan().operations()).isEmpty();
    }

    /// The others have all of it: it comes back without, and its member is replaced.
    @Test
    void ringWithOneLostVolumeReturns() {
        var world = ring("3.5.16", 3);
        var former = id(world);
        deleted(without(world));
        world.faults(Play.REF).loseVolume(1);
        var play = new Play(world, Specs.repairing(Given.spec(Play.REF, 3, "3.5.16"), Mode.AUTOMATIC));

        assertThat(play.notAtRest(play.untilQuiet(4))).as(play.toString()).isEmpty();
        assertThat(play.breaches()).isEmpty();
        assertThat(id(world)).isEqualTo(former);
    }

    @Test
    void ringWithMostVolumesLostIsHeld() {
        var world = ring("3.5.16", 3);
        deleted(without(world));
        world.faults(Play.REF).loseVolume(1);
        world.faults(Play.REF).loseVolume(2);

        assertThat(codes(with(world, "3.5.16", 3).plan())).contains("volumes-missing");
    }

    private static void deleted(Play play) {
        var result = play.once(FaultHook.NONE);
        assertThat(result.outcome()).as(result.detail()).isEqualTo(Outcome.DONE);
        assertThat(notDeleted(play)).as(play.toString()).isEmpty();
    }

    private static List<String> notDeleted(Play play) {
        var wrong = new ArrayList<>(play.breaches());
        var ring = play.ring;
        if (play.plan().situation() != Situation.IN_SYNC) {
            wrong.add("the plan says " + play.plan().situation() + " "
                    + play.plan().findings());
        }
        if (ring.hasStatefulSet()
                || !ring.pods().isEmpty()
                || ring.minAvailable().isPresent()) {
            wrong.add("something is left");
        }
        var there =
                DeletedRing.seen(play.world).kube().objects().live().optional().orElseThrow();
        if (!there.isEmpty()) {
            wrong.add("objects are left: " + there.keySet());
        }
        var journal = ring.journal();
        int members = journal.map(j -> j.members().size()).orElse(0);
        if (journal.flatMap(Journal::intent).isPresent()
                || journal.flatMap(j -> j.past().remains()).isEmpty()) {
            wrong.add("the journal says otherwise");
        }
        if (members == 0
                || ring.releasedClaims().size() != members
                || ring.configs().size() != members) {
            wrong.add("what takes it back is not there");
        }
        if (play.world.lostWrites() > 0) {
            wrong.add("lost writes");
        }
        return wrong;
    }

    private static void back(Play play) {
        var first = play.untilQuiet(2);
        assertThat(play.notAtRest(first)).as(play.toString()).isEmpty();
        assertThat(play.breaches()).as(play.toString()).isEmpty();
        assertThat(play.ring.releasedClaims()).isEmpty();
        assertThat(play.ring.journal().flatMap(Journal::remains)).isEmpty();
        assertThat(DeletedRing.seen(play.world)
                        .kube()
                        .objects()
                        .live()
                        .optional()
                        .orElseThrow())
                .containsKeys(ManagedObject.CLIENT_SERVICE, ManagedObject.PEER_SERVICE, ManagedObject.BUDGET);
    }

    private static LinkedHashSet<String> boundaries(Play play) {
        var boundaries = new LinkedHashSet<String>();
        assertThat(play.once(boundaries::add).outcome()).isEqualTo(Outcome.DONE);
        return boundaries;
    }

    private static Play gone(int size) {
        var world = ring("3.5.16", size);
        deleted(without(world));
        return with(world, "3.5.16", size);
    }

    private static Play without(FakeWorld world) {
        var play = new Play(world, spec("3.5.16", 3));
        play.tombstones = Optional.of(List.of(DeletedRing.tombstone(world)));
        return play;
    }

    private static Play with(FakeWorld world, String version, int size) {
        return new Play(world, spec(version, size));
    }

    private static EtcdClusterSpec spec(String version, int size) {
        return Given.spec(Play.REF, size, version);
    }

    private static FakeWorld ring(String version, int size) {
        return Worlds.ring().version(version).members(size).leader(size - 1).build();
    }

    private static Optional<String> id(FakeWorld world) {
        return world.look(Play.REF).clusterId().map(Object::toString);
    }

    private static List<String> members(FakeWorld world) {
        var ring = world.look(Play.REF);
        var members = new ArrayList<String>(List.of(id(world).orElseThrow()));
        ring.voters().forEach(o -> members.add(ring.memberId(o).orElseThrow().toString()));
        return members;
    }

    private static List<String> claims(FakeWorld world) {
        var ring = world.look(Play.REF);
        return ring.claims().stream().map(ring::claimUid).toList();
    }

    private static List<String> kinds(ClusterPlan plan) {
        return plan.operations().stream().map(o -> o.operation().kind()).toList();
    }

    private static List<String> codes(ClusterPlan plan) {
        return plan.findings().stream().map(Finding::code).toList();
    }
}
