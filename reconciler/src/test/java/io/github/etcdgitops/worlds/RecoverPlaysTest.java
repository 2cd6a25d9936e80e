package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.fake.Crash;
import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Part;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.PlannedOperation;
import io.github.etcdgitops.plan.Verdict;
import io.github.etcdgitops.policy.PolicyEngine;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.spec.Approval;
import io.github.etcdgitops.spec.ring.Fleet;
import io.github.etcdgitops.state.backup.StoredBackup;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.underway.Recovery;
import io.github.etcdgitops.state.value.EtcdId;
import io.github.etcdgitops.validation.Location;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Rings that are ended to begin anew under the same name: for want of a quorum, or because somebody wants
/// another state of them back.
class RecoverPlaysTest {
    private static final String VERSION = "3.5.16";

    /// What becomes of the members that are missing.
    private enum Missing {
        VOLUME_LOST,
        CLAIM_GONE,
        MACHINE_AWAY
    }

    /// With a backup of the key a, and b written since.
    private static Play ring(int size) {
        var play = new Play(Worlds.ring().version(VERSION).members(size).build(), Given.spec(Play.REF, size, VERSION));
        play.vault.keep(Duration.ofDays(30), 2);
        play.world.faults(Play.REF).put("a");
        play.untilQuiet(3);
        play.world.faults(Play.REF).put("b");
        return play;
    }

    /// A ring that has lost the quorum, and of which the next run has saved what is left.
    private static Play lost(int size, int left, Missing missing) {
        var play = ring(size);
        for (int ordinal = 0; ordinal < size - left; ordinal++) {
            miss(play.world, ordinal, missing);
        }
        play.world.tick(30);
        play.once(FaultHook.NONE);
        assertThat(rescues(play)).hasSize(1);
        return play;
    }

    private static Play lost() {
        return lost(3, 1, Missing.VOLUME_LOST);
    }

    private static void miss(FakeWorld world, int ordinal, Missing missing) {
        var faults = world.faults(Play.REF);
        switch (missing) {
            case VOLUME_LOST -> faults.loseVolume(ordinal);
            case CLAIM_GONE -> faults.exchangeClaim(ordinal);
            case MACHINE_AWAY -> faults.stop(ordinal);
        }
    }

    private static List<StoredBackup> rescues(Play play) {
        return play.vault.stored().backups().stream()
                .filter(b -> b.id().contains(StoredBackup.WITHOUT_QUORUM))
                .toList();
    }

    private static List<String> kinds(ClusterPlan plan) {
        return plan.operations().stream().map(o -> o.operation().kind()).toList();
    }

    private static PlannedOperation first(ClusterPlan plan) {
        return plan.operations().getFirst();
    }

    /// Somebody approves what is planned now, and names this ring.
    private static Play approve(Play play, Optional<EtcdId> named) {
        var operation = play.plan().operations().stream()
                .map(PlannedOperation::operation)
                .filter(o -> o.toBeNamed().isPresent())
                .findFirst()
                .orElseThrow();
        play.policies = new PolicyEngine(
                Fleet.DEFAULT,
                List.of(new Approval(
                        "yes",
                        Play.REF,
                        named.map(EtcdId::toString),
                        Set.of(operation.id()),
                        "an owner",
                        Instant.MAX,
                        Location.ofFile("approvals/yes.yaml"))));
        return play;
    }

    private static Play approved(Play play) {
        return approve(play, play.ring.clusterId());
    }

    private static void assertRecovered(Play play, EtcdId former, String as) {
        assertThat(play.notAtRest(play.plan())).as("%s %s", as, play).isEmpty();
        assertThat(play.breaches()).as("%s %s", as, play).isEmpty();
        assertThat(play.ring.keys()).as("%s %s", as, play).containsExactly("a", "b");
        assertThat(play.ring.clusterId()).as(as).isPresent().isNotEqualTo(Optional.of(former));
        assertThat(play.world.jobs().count()).isZero();
        assertThat(play.ring.journal().orElseThrow().origin())
                .hasValueSatisfying(
                        origin -> assertThat(Recovery.is(origin.request())).isTrue());
    }

    private static List<String> boundaries(Play play) {
        var boundaries = new ArrayList<String>();
        play.once(boundaries::add);
        return boundaries;
    }

    /// Whether it was reached.
    private static boolean kill(Play play, int boundary) {
        var reached = new AtomicInteger();
        try {
            play.once(at -> {
                if (reached.incrementAndGet() == boundary) {
                    throw new Crash(at);
                }
            });
            return false;
        } catch (Crash _) {
            return true;
        }
    }

    @ParameterizedTest
    @CsvSource({
        "3, 1, VOLUME_LOST",
        "3, 1, CLAIM_GONE",
        "3, 1, MACHINE_AWAY",
        "5, 2, VOLUME_LOST",
        "5, 1, MACHINE_AWAY",
        "2, 1, VOLUME_LOST"
    })
    void recreatesRingFromSurvivor(int size, int left, Missing missing) {
        var play = lost(size, left, missing);
        var former = play.ring.clusterId().orElseThrow();
        assertThat(kinds(play.plan())).startsWith("RecoverQuorum", "RestoreCluster");
        approved(play);
        var outcome = play.once(FaultHook.NONE).outcome();
        assertThat(outcome)
                .as(play.toString())
                .isEqualTo(missing == Missing.MACHINE_AWAY ? Outcome.FAILED : Outcome.DONE);
        // Machines that were away come back when the ring has made room: with their disks of before.
        play.mend();

        play.untilQuiet(4);

        assertRecovered(play, former, "");
    }

    @Test
    void recoversTlsRingWithItsOwnCa() {
        var play = new Play(SecuredRing.of(3), TlsPlaysTest.wanted(3, VERSION, TlsPlaysTest.MUTUAL));
        play.vault.keep(Duration.ofDays(30), 2);
        play.world.faults(Play.REF).put("a");
        play.untilQuiet(3);
        play.world.faults(Play.REF).put("b");
        var former = play.ring.clusterId().orElseThrow();
        var authority = play.ring.journal().orElseThrow().authority();
        miss(play.world, 0, Missing.VOLUME_LOST);
        miss(play.world, 1, Missing.CLAIM_GONE);
        play.world.tick(30);
        play.once(FaultHook.NONE);
        approved(play);

        play.once(FaultHook.NONE);
        play.untilQuiet(4);

        assertRecovered(play, former, "");
        assertThat(play.ring.journal().orElseThrow().authority()).isEqualTo(authority);
    }

    @Test
    void waitsForApprovalThatNamesTheRing() {
        var play = lost();
        var waits = (Verdict.Hold) first(play.plan()).verdict();
        assertThat(waits.reason())
                .contains("names the cluster ID " + play.ring.clusterId().orElseThrow(), "--cluster-id");
        for (var named : List.of(Optional.<EtcdId>empty(), Optional.of(new EtcdId(7)))) {
            approve(play, named);
            assertThat(first(play.plan()).verdict()).isInstanceOf(Verdict.Hold.class);
            int before = play.world.acts().size();
            play.once(FaultHook.NONE);
            assertThat(play.world.acts()).hasSize(before);
        }

        assertThat(first(approved(play).plan()).verdict().lets()).isTrue();
    }

    @Test
    void idDependsOnlyOnRingAndBackup() {
        var play = lost();
        String id = first(play.plan()).operation().id();

        play.world.tick(100);

        assertThat(first(play.plan()).operation().id()).isEqualTo(id);
    }

    @Test
    void continuesAfterKillAtEveryBoundary() {
        var whole = approved(lost());
        int most = boundaries(whole).size();
        assertThat(most).isGreaterThan(30);
        for (int boundary = 1; boundary <= most; boundary++) {
            var play = approved(lost());
            var former = play.ring.clusterId().orElseThrow();
            assertThat(kill(play, boundary)).isTrue();
            play.world.tick(20);

            play.untilQuiet(6);

            assertRecovered(play, former, "boundary " + boundary);
        }
    }

    @Test
    void continuesAfterKillInEveryCall() {
        var whole = approved(lost(2, 1, Missing.VOLUME_LOST));
        long first = whole.world.calls();
        whole.once(FaultHook.NONE);
        long calls = whole.world.calls() - first;
        for (int call = 1; call <= calls; call++) {
            for (boolean before : new boolean[] {true, false}) {
                var play = approved(lost(2, 1, Missing.VOLUME_LOST));
                var former = play.ring.clusterId().orElseThrow();
                int at = play.world.calls() + call;
                if (before) {
                    play.world.crashBeforeCall(at);
                } else {
                    play.world.crashAfterCall(at);
                }
                try {
                    play.once(FaultHook.NONE);
                } catch (Crash | OneProcess.StillDead _) {
                    play.world.tick(30);
                }
                play.untilQuiet(6);
                assertRecovered(play, former, "call " + call);
            }
        }
    }

    /// A machine is back in time: the ring goes on with all that it has.
    @Test
    void cancelsRecoveryIfQuorumIsBack() {
        var play = approved(lost(3, 1, Missing.MACHINE_AWAY));
        var former = play.ring.clusterId();

        var result = play.once(boundary -> {
            if (boundary.equals("RecoverQuorum/EndFormers/before")) {
                play.mend();
            }
        });

        assertThat(result.outcome()).isEqualTo(Outcome.HELD);
        assertThat(play.ring.hasQuorum()).isTrue();
        assertThat(play.ring.journal().orElseThrow().isUnderWay(Intent.Kind.RECOVER))
                .isTrue();
        assertThat(kinds(play.plan())).containsExactly("RecoverQuorum");
        assertThat(first(play.plan()).operation().summary()).contains("cancel");
        play.policies = new PolicyEngine(Fleet.DEFAULT, List.of());
        assertThat(play.notAtRest(play.untilQuiet(3))).as(play.toString()).isEmpty();
        assertThat(play.ring.clusterId()).isEqualTo(former);
        assertThat(play.breaches()).isEmpty();
    }

    /// After a restart etcd serves nobody for want of a quorum: what it has cannot be compared any more.
    @Test
    void shutsDownNoMemberIfSurvivorStopsAnswering() {
        var play = approved(lost(3, 1, Missing.MACHINE_AWAY));

        var result = play.once(boundary -> {
            if (boundary.equals("RecoverQuorum/EndFormers/before")) {
                play.world.faults(Play.REF).killPod(2);
                play.world.tick(5);
            }
        });

        assertThat(result.outcome()).isEqualTo(Outcome.HELD);
        assertThat(play.ring.replicas()).isEqualTo(3);
        assertThat(play.plan().operations()).isEmpty();
    }

    /// Kubernetes calls them ready: it is we who do not reach them, and one that has lost them as well.
    @Test
    void doesNotCountUnreachableMemberAsGone() {
        var play = ring(3);
        play.world.faults(Play.REF).sever(2);
        play.world.faults(Play.REF).hideFromUs(0);
        play.world.faults(Play.REF).hideFromUs(1);
        play.world.tick(30);

        play.once(FaultHook.NONE);

        assertThat(rescues(play)).isEmpty();
        assertThat(play.plan().findings()).noneMatch(f -> f.code().equals("quorum-lost"));
        assertThat(kinds(play.plan())).doesNotContain("RecoverQuorum");
    }

    /// Somebody takes the StatefulSet for one that was scaled down by mistake.
    @Test
    void startsNothingBesideMembersStartedByHand() {
        var play = approved(lost());

        var result = play.once(boundary -> {
            if (boundary.equals("RecoverQuorum/AwaitEnded/after")) {
                play.world.faults(Play.REF).scaleByHand(3);
                play.world.tick(20);
            }
        });

        assertThat(result.outcome()).isNotEqualTo(Outcome.DONE);
        assertThat(play.ring.hasStatefulSet()).isTrue();
        assertThat(play.ring.journal().orElseThrow().founded()).isTrue();
        assertThat(play.breaches()).isEmpty();
    }

    /// What runs on a machine that Kubernetes does not reach is known to nobody.
    @Test
    void replacesNoMemberThatMayStillRun() {
        var play = lost(3, 1, Missing.MACHINE_AWAY);
        play.world.faults(Play.REF).silence(1);
        approved(play);

        var result = play.once(FaultHook.NONE);

        assertThat(result.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(result.detail()).contains("orders-1 still exists", "--force");
        assertThat(play.ring.hasStatefulSet()).isTrue();
        play.once(FaultHook.NONE);
        assertThat(play.ring.hasStatefulSet()).isTrue();
        assertThat(play.ring.journal().orElseThrow().founded()).isTrue();

        play.mend();
        play.policies = new PolicyEngine(Fleet.DEFAULT, List.of());
        var former = play.ring.journal().orElseThrow().clusterId().orElseThrow();
        play.untilQuiet(6);
        assertRecovered(play, former, "");
    }

    /// Whatever it was, nobody could read it.
    @ParameterizedTest
    @EnumSource(Part.class)
    void shutsDownNothingUnreadable(Part part) {
        var play = approved(lost());
        play.world.faults(Play.REF).unreadable(part);
        int before = play.world.acts().size();

        play.once(FaultHook.NONE);

        assertThat(play.world.acts()).hasSize(before);
        assertThat(play.plan().operations()).isEmpty();
    }

    /// A store that does not answer keeps a recovery from going on, and nothing is lost by it.
    @Test
    void startedRecoveryWaitsForStore() {
        var play = approved(lost());
        var former = play.ring.clusterId().orElseThrow();
        kill(play, boundaryOf("RecoverQuorum/OpenExchanged/before"));
        play.world.tick(20);
        play.vault.store.failAt(1, io.github.etcdgitops.gateway.GatewayException.Kind.UNREACHABLE);
        assertThat(play.plan().findings()).extracting(Finding::code).contains("restore-awaited");

        play.vault.store.heal();
        play.untilQuiet(6);

        assertRecovered(play, former, "");
    }

    private static int boundaryOf(String name) {
        return boundaries(approved(lost())).indexOf(name) + 1;
    }

    /// Nobody of the former ring comes back by somebody's hand.
    @Test
    void scalingUpByHandStartsNoFormerMember() {
        for (String boundary : List.of("RecoverQuorum/OpenExchanged/after", "RestoreCluster/AwaitRing/after")) {
            var play = approved(lost(5, 2, Missing.VOLUME_LOST));
            var former = play.ring.clusterId().orElseThrow();
            var names = boundaries(approved(lost(5, 2, Missing.VOLUME_LOST)));
            kill(play, names.indexOf(boundary) + 1);
            if (play.ring.hasStatefulSet()) {
                play.world.faults(Play.REF).scaleByHand(5);
            }
            play.world.tick(30);
            assertThat(play.ring.up()).as(play.toString()).isSubsetOf(Set.of(0));
            if (play.ring.hasStatefulSet()) {
                play.world.faults(Play.REF).scaleByHand(1);
                play.world.faults(Play.REF).partitionByHand(1);
            }
            play.world.tick(20);
            play.untilQuiet(6);
            assertRecovered(play, former, boundary);
        }
    }

    // --- in place

    private static Play inPlace(int size) {
        var play = ring(size);
        play.vault.restoreInPlace(play.vault.stored().newest().orElseThrow().id());
        return play;
    }

    private static void assertBack(Play play, EtcdId former, String as) {
        assertThat(play.notAtRest(play.plan())).as("%s %s", as, play).isEmpty();
        assertThat(play.breaches()).as("%s %s", as, play).isEmpty();
        assertThat(play.ring.keys()).as("%s %s", as, play).containsExactly("a");
        assertThat(play.ring.clusterId()).as(as).isPresent().isNotEqualTo(Optional.of(former));
        assertThat(play.ring.journal().orElseThrow().origin())
                .hasValueSatisfying(origin -> assertThat(origin.request()).isEqualTo("orders-back"));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 5})
    void restoresInPlaceAfterSavingCurrentData(int size) {
        var play = inPlace(size);
        play.world.tick(2 * 3600);
        var former = play.ring.clusterId().orElseThrow();
        assertThat(kinds(play.plan())).startsWith("TakeBackup", "RestoreInPlace", "RestoreCluster");
        assertThat(play.plan().operations()).noneMatch(o -> o.verdict().lets());
        approved(play);

        play.once(FaultHook.NONE);
        play.untilQuiet(3);

        assertBack(play, former, "");
        assertThat(play.vault.stored().backups()).anyMatch(b -> b.id().endsWith(StoredBackup.BEFORE_CHANGE));
        play.world.faults(Play.REF).put("c");
        play.untilQuiet(3);
        assertThat(play.ring.keys()).containsExactly("a", "c");
    }

    @Test
    void restoreInPlaceContinuesAfterKillAtEveryBoundary() {
        int most = boundaries(approved(inPlace(3))).size();
        for (int boundary = 1; boundary <= most; boundary++) {
            var play = approved(inPlace(3));
            var former = play.ring.clusterId().orElseThrow();
            kill(play, boundary);
            play.world.tick(20);

            play.untilQuiet(6);

            assertBack(play, former, "boundary " + boundary);
        }
    }

    @Test
    void restoreInPlaceWithoutDocumentIsCancelledOrWaits() {
        var names = boundaries(approved(inPlace(3)));
        for (String boundary : List.of("RestoreInPlace/BeginExchange/after", "RestoreInPlace/EndFormers/before")) {
            var play = approved(inPlace(3));
            var former = play.ring.clusterId();
            kill(play, names.indexOf(boundary) + 1);
            play.vault.forgetRestore();
            play.world.tick(20);

            assertThat(play.notAtRest(play.untilQuiet(4))).as(play.toString()).isEmpty();
            assertThat(play.ring.clusterId()).isEqualTo(former);
            assertThat(play.ring.keys()).containsExactly("a", "b");
        }
        var play = approved(inPlace(3));
        var former = play.ring.clusterId().orElseThrow();
        var backup = play.vault.stored().newest().orElseThrow().id();
        kill(play, names.indexOf("RestoreInPlace/EndFormers/after") + 1);
        play.vault.forgetRestore();
        play.world.tick(20);
        assertThat(play.plan().operations()).isEmpty();
        assertThat(play.plan().findings()).extracting(Finding::code).contains("restore-awaited");

        play.vault.restoreInPlace(backup);
        play.untilQuiet(6);
        assertBack(play, former, "");
    }

    /// Nobody answers, and a backup is all there is.
    @Test
    void restoresUnreachableRingInPlace() {
        var play = inPlace(3);
        var former = play.ring.clusterId().orElseThrow();
        for (int ordinal = 0; ordinal < 3; ordinal++) {
            play.world.faults(Play.REF).loseVolume(ordinal);
        }
        play.world.tick(30);
        assertThat(kinds(play.plan())).startsWith("RestoreInPlace");
        approve(play, Optional.of(former));

        play.once(FaultHook.NONE);
        play.untilQuiet(3);

        assertBack(play, former, "");
    }

    @Test
    void finishesChangeUnderWayBeforeRestoreInPlace() {
        var play = ring(3);
        var wider = new Play(play.world, Given.spec(Play.REF, 5, VERSION));
        var reached = new AtomicInteger();
        try {
            wider.once(at -> {
                if (at.equals("ScaleOut/SealMember/before") && reached.incrementAndGet() == 1) {
                    throw new Crash(at);
                }
            });
        } catch (Crash _) {
            play.world.tick(20);
        }
        play.vault.restoreInPlace(play.vault.stored().newest().orElseThrow().id());

        var plan = play.plan();

        assertThat(plan.findings()).extracting(Finding::code).contains("restore-refused");
        assertThat(plan.operations().stream().map(PlannedOperation::operation))
                .noneMatch(o -> o.toBeNamed().isPresent());
    }

    /// Called off, whatever was under way before goes on: the journal still says what it was.
    @Test
    void resumesFormerChangeAfterCancelledRecovery() {
        for (String boundary : List.of("RecoverQuorum/BeginExchange/after", "RecoverQuorum/EndFormers/before")) {
            for (int restarts = 1; restarts <= 2; restarts++) {
                var play = new Play(RollPlaysTest.halfRolled(3, restarts), Given.spec(Play.REF, 3, "3.5.30"));
                play.vault.keep(Duration.ofDays(30), 2);
                play.world.faults(Play.REF).stop(0);
                play.world.faults(Play.REF).stop(1);
                play.world.tick(30);
                play.once(FaultHook.NONE);
                assertThat(rescues(play)).hasSize(1);
                approved(play);
                var names = boundaries(approved(lost(3, 1, Missing.MACHINE_AWAY)));
                kill(play, names.indexOf(boundary) + 1);
                assertThat(play.ring.journal().orElseThrow().isUnderWay(Intent.Kind.RECOVER))
                        .as(play.toString())
                        .isTrue();
                play.mend();
                play.policies = new PolicyEngine(Fleet.DEFAULT, List.of());

                assertThat(play.notAtRest(play.untilQuiet(6)))
                        .as(play.toString())
                        .isEmpty();
                assertThat(play.ring.versions()).hasSize(3).allMatch("3.5.30"::equals);
                assertThat(play.breaches()).isEmpty();
            }
        }
    }

    /// Of three members one was removed to be replaced; the volume of one of the two that are left is lost then.
    @Test
    void recoversRingLostDuringReplacement() {
        for (int lost = 0; lost < 2; lost++) {
            for (boolean inPlace : List.of(false, true)) {
                var play = ring(3);
                play.world.faults(Play.REF).inReplacement(2);
                play.world.faults(Play.REF).loseVolume(lost);
                play.world.tick(30);
                if (inPlace) {
                    play.vault.restoreInPlace(
                            play.vault.stored().newest().orElseThrow().id());
                } else {
                    play.once(FaultHook.NONE);
                    assertThat(rescues(play)).as(play.toString()).hasSize(1);
                }
                var former = play.ring.clusterId().orElseThrow();
                approved(play);

                play.once(FaultHook.NONE);
                play.untilQuiet(4);

                if (inPlace) {
                    assertBack(play, former, "lost " + lost);
                } else {
                    assertRecovered(play, former, "lost " + lost);
                }
            }
        }
    }

    /// Only people know whether the machine comes back.
    @Test
    void restoreWaitsForReachableVolume() {
        var play = inPlace(3);
        var former = play.ring.clusterId().orElseThrow();
        approved(play);
        play.once(boundary -> {
            if (boundary.equals("RestoreCluster/CreateClaim/before")) {
                play.world.faults(Play.REF).loseMachine(0);
            }
        });

        var plan = play.plan();
        assertThat(plan.operations()).isEmpty();
        assertThat(plan.findings())
                .anyMatch(f -> f.code().equals("claim-lost")
                        && f.message().contains("kubectl -n demo delete pvc data-orders-0"));

        new Person(play).follow(plan);
        play.untilQuiet(4);
        assertBack(play, former, "on another volume");
    }

    @Test
    void approvalNamesFormerRing() {
        Operation operation = first(lost().plan()).operation();

        assertThat(operation.toBeNamed().orElseThrow().toString()).isNotEmpty();
        assertThat(operation.summary()).contains(operation.toBeNamed().get().toString());
    }
}
