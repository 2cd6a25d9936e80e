package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.fake.Crash;
import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.plan.ClusterPlan.Situation;
import io.github.etcdgitops.policy.PolicyEngine;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.spec.ring.Defaults;
import io.github.etcdgitops.spec.ring.Fleet;
import io.github.etcdgitops.spec.ring.Tenant;
import io.github.etcdgitops.spec.value.Namespaces;
import io.github.etcdgitops.state.backup.StoredBackup;
import io.github.etcdgitops.validation.Location;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Rings that begin with a backup, and backups that are tried.
class RestorePlaysTest {
    private static final int A_DAY = 24 * 3600;

    /// A ring of three that has something in it, with one backup.
    private static Play source() {
        var play = new Play(Worlds.ring().members(3).build(), Given.spec(Play.REF, 3, "3.5.16"));
        play.vault.keep(Duration.ofDays(1), 3);
        play.world.faults(Play.REF).put("a");
        play.world.faults(Play.REF).put("b");
        assertThat(play.once(FaultHook.NONE).outcome()).isEqualTo(Outcome.DONE);
        return play;
    }

    private static Play target(Play source, int size) {
        var play = new Play(new FakeWorld(), Given.spec(Play.REF, size, "3.5.16"));
        play.vault.restoreFrom(source.vault);
        return play;
    }

    private static void assertRestored(Play play) {
        assertThat(play.notAtRest(play.plan())).as(play.toString()).isEmpty();
        assertThat(play.breaches()).as(play.toString()).isEmpty();
        assertThat(play.ring.keys()).containsExactly("a", "b");
        assertThat(play.world.jobs().count()).isZero();
        assertThat(play.ring.journal().orElseThrow().origin())
                .hasValueSatisfying(origin -> assertThat(origin.request()).isEqualTo("orders-again"));
    }

    @Test
    void restoresRingAndGrowsItInOneRun() {
        var play = target(source(), 3);

        assertThat(play.once(FaultHook.NONE).outcome()).isEqualTo(Outcome.DONE);

        assertRestored(play);
    }

    @Test
    void restoresOnce() {
        var play = target(source(), 3);
        play.once(FaultHook.NONE);
        play.world.faults(Play.REF).put("c");

        play.untilQuiet(3);

        assertThat(play.plan().situation()).isEqualTo(Situation.IN_SYNC);
        assertThat(play.ring.keys()).containsExactly("a", "b", "c");
    }

    @Test
    void continuesAfterKillAtEachBoundary() {
        var source = source();
        var whole = target(source, 3);
        whole.once(FaultHook.NONE);
        for (int boundary = 1; boundary <= whole.boundaries(); boundary++) {
            var play = target(source, 3);
            int last = boundary;
            var passed = new AtomicInteger();
            try {
                play.once(at -> {
                    if (passed.incrementAndGet() == last) {
                        throw new Crash(at);
                    }
                });
            } catch (Crash _) {
                play.world.tick(30);
            }
            play.untilQuiet(6);
            assertRestored(play);
        }
    }

    @Test
    void continuesAfterKillInAnyCall() {
        var source = source();
        var whole = target(source, 2);
        whole.once(FaultHook.NONE);
        for (int call = 1; call <= whole.world.calls(); call++) {
            for (boolean before : new boolean[] {true, false}) {
                var play = target(source, 2);
                if (before) {
                    play.world.crashBeforeCall(call);
                } else {
                    play.world.crashAfterCall(call);
                }
                try {
                    play.once(FaultHook.NONE);
                } catch (Crash | OneProcess.StillDead _) {
                    play.world.tick(30);
                }
                play.untilQuiet(6);
                assertThat(play.ring.keys()).as("call " + call + " " + play).containsExactly("a", "b");
                assertThat(play.breaches()).as("call " + call + " " + play).isEmpty();
                assertThat(play.plan().situation())
                        .as("call " + call + " " + play)
                        .isEqualTo(Situation.IN_SYNC);
            }
        }
    }

    @Test
    void createsNoObjectForDamagedBackup() {
        var source = source();
        var play = target(source, 3);
        var run = play.run();
        var plan = run.plan();
        source.vault.store.corrupt(
                source.vault.stored().newest().orElseThrow().key().file("snapshot.db.zst"));

        var result = run.execute(plan, FaultHook.NONE, _ -> true);

        assertThat(result.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(result.detail()).contains("Nothing was created");
        assertThat(play.ring.journal()).isEmpty();
        assertThat(play.ring.claims()).isEmpty();
    }

    @Test
    void failingStoreOnlyDelaysRestore() {
        var source = source();
        for (int call = 1; call <= 4; call++) {
            var play = target(source, 3);
            var run = play.run();
            var plan = run.plan();
            play.vault.store.failAt(call, Kind.UNREACHABLE);

            run.execute(plan, FaultHook.NONE, _ -> true);

            play.vault.store.heal();
            play.world.tick(30);
            play.untilQuiet(4);
            assertRestored(play);
        }
    }

    @Test
    void retriesRefusedSnapshotInAnotherDirectory() {
        var play = target(source(), 3);
        play.world.jobs().failing(true);
        assertThat(play.once(FaultHook.NONE).detail()).contains("failed in its container restore");
        var first = play.ring.journal().orElseThrow().members().get(0).incarnation();
        assertThat(play.ring.configs()).isEmpty();

        play.world.jobs().failing(false);
        play.untilQuiet(4);

        assertRestored(play);
        assertThat(play.ring.journal().orElseThrow().members().get(0).incarnation())
                .isNotEqualTo(first);
    }

    @Test
    void namesUnschedulablePodOfRestore() {
        var play = target(source(), 3);
        play.world.jobs().stuck(true);

        assertThat(play.once(FaultHook.NONE).detail())
                .contains("no machine has room", "has not changed for 4 min, and it will not start by itself");

        play.world.jobs().stuck(false);
        play.untilQuiet(4);
        assertRestored(play);
    }

    @Test
    void podRefusedByQuotaEndsRestore() {
        var play = target(source(), 3);
        play.world.jobs().refused(true);
        var began = play.world.instant();

        assertThat(play.once(FaultHook.NONE).detail())
                .contains("there is no pod yet; Kubernetes says: FailedCreate: exceeded quota: pods; that has not"
                        + " changed for 1 min");
        assertThat(Duration.between(began, play.world.instant())).isLessThan(Duration.ofSeconds(100));

        play.world.jobs().refused(false);
        play.untilQuiet(4);
        assertRestored(play);
    }

    @Test
    void restoredVolumeNeedsNoBackup() {
        for (String step :
                new String[] {"LoadSnapshot", "CreateStatefulSet", "AwaitRing", "CompareData", "SetBudget"}) {
            var play = target(source(), 3);
            killedAfter(play, step);
            play.vault.forgetRestore();

            play.untilQuiet(6);

            assertRestored(play);
        }
    }

    /// What is known to differ is not opened because its backup, which told so, is gone.
    @Test
    void differingRestoreAdmitsNoClients() {
        var play = target(source(), 3);
        killedAfter(play, "AwaitRing");
        play.world.faults(Play.REF).corrupt(0);
        assertThat(play.once(FaultHook.NONE).detail()).contains("the hash at revision");
        play.vault.forgetRestore();
        play.world.tick(30);

        var again = play.once(FaultHook.NONE);

        assertThat(again.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(again.detail()).contains("the hash at revision");
        assertThat(play.ring.journal().orElseThrow().founded()).isFalse();
    }

    /// With tenants the Fleet says what may be restored, and nobody is asked.
    private static PolicyEngine ofTenants() {
        var tenant = new Tenant(
                "demo",
                new Tenant.Scope(List.of("clusters/"), Namespaces.ALL, Optional.empty()),
                Optional.empty(),
                new Tenant.Pods(Optional.empty(), Optional.empty(), List.of(), new TreeMap<>(), List.of(), List.of()),
                new Tenant.Backups(List.of(), List.of(), List.of()),
                Optional.empty(),
                Location.ofFile("etcd-gitops.yaml"));
        var fleet = new Fleet(
                List.of(),
                Fleet.Limits.DEFAULT,
                Fleet.DEFAULT.approvals(),
                Defaults.NONE,
                new Fleet.Sharing(List.of(), List.of(tenant)));
        return new PolicyEngine(fleet, List.of());
    }

    @Test
    void restoresObjectWithoutManifestByItsChecksum() {
        var play = new Play(new FakeWorld(), Given.spec(Play.REF, 3, "3.5.16"));
        play.vault.restoreBare(source().vault);
        play.policies = ofTenants();

        play.untilQuiet(3);

        assertRestored(play);
    }

    /// Somebody overwrites the object with a newer one of the same size while the Job has not begun.
    @Test
    void readsReplacedObjectAgain() {
        var other = new Play(Worlds.ring().members(3).build(), Given.spec(Play.REF, 3, "3.5.16"));
        other.vault.keep(Duration.ofDays(1), 3);
        other.world.faults(Play.REF).put("a");
        other.world.faults(Play.REF).put("c");
        other.once(FaultHook.NONE);
        var play = new Play(new FakeWorld(), Given.spec(Play.REF, 3, "3.5.16"));
        play.vault.restoreBare(source().vault);
        play.policies = ofTenants();
        killedAfter(play, "OpenRestore");
        play.vault.putBare(other.vault);

        play.untilQuiet(4);

        assertThat(play.ring.keys()).containsExactly("a", "c");
        assertThat(play.breaches()).isEmpty();
    }

    private static void killedAfter(Play play, String step) {
        try {
            play.once(at -> {
                if (at.equals("RestoreCluster/" + step + "/after")) {
                    throw new Crash(at);
                }
            });
        } catch (Crash _) {
            play.world.tick(30);
        }
    }

    @Test
    void recreatesJobThatCouldNotStart() {
        var play = target(source(), 1);
        play.world.jobs().stuck(true);
        play.once(FaultHook.NONE);
        long made = jobsMade(play);

        play.world.jobs().stuck(false);
        play.untilQuiet(4);

        assertRestored(play);
        assertThat(jobsMade(play)).isGreaterThan(made);
    }

    private static long jobsMade(Play play) {
        return play.world.acts().stream()
                .filter(act -> act.startsWith("create Job"))
                .count();
    }

    @Test
    void fillsReplacedClaimAgain() {
        var play = target(source(), 1);
        killedAfter(play, "EndRestoreJob");
        play.world.faults(Play.REF).deleteClaim(0);

        play.untilQuiet(4);

        assertRestored(play);
    }

    @Test
    void neverRestoresOverExistingRing() {
        var source = source();
        var play = new Play(Worlds.ring().members(3).build(), Given.spec(Play.REF, 3, "3.5.16"));
        play.vault.restoreFrom(source.vault);

        assertThat(play.plan().operations()).isEmpty();
    }

    @Test
    void neverRestoresOverClaimOfEarlierRing() {
        var play = new Play(Worlds.ring().claimsLeft().build(), Given.spec(Play.REF, 3, "3.5.16"));
        play.vault.restoreFrom(source().vault);

        var plan = play.plan();

        assertThat(plan.operations()).isEmpty();
        assertThat(plan.findings()).extracting(Finding::code).contains("claims-of-an-earlier-ring");
    }

    @Test
    void storesPassedDrillBesideBackup() {
        var play = source();
        play.vault.drill(Duration.ofDays(7));
        assertThat(play.plan().findings()).extracting(Finding::code).contains("drill-too-old");

        play.untilQuiet(4);

        assertThat(play.plan().findings()).extracting(Finding::code).doesNotContain("drill-too-old");
        assertThat(play.vault.stored().backups())
                .flatExtracting(StoredBackup::drills)
                .singleElement()
                .satisfies(drill -> assertThat(drill.passed()).isTrue());
        assertThat(play.world.jobs().count()).isZero();
        assertThat(play.breaches()).isEmpty();
        assertThat(play.plan().situation()).isEqualTo(Situation.IN_SYNC);
    }

    @Test
    void backupThatEtcdRefusesFailsDrill() {
        var play = source();
        play.vault.drill(Duration.ofDays(7));
        play.world.jobs().failing(true);

        assertThat(play.once(FaultHook.NONE).detail()).contains("failed the drill");

        assertThat(play.plan().findings()).extracting(Finding::code).contains("drill-failed");
        assertThat(play.world.jobs().count()).isZero();
    }

    @Test
    void troubleOnTheWayIsNoFailedDrill() {
        var play = source();
        play.vault.drill(Duration.ofDays(7));
        play.world.jobs().stuck(true);

        var began = play.world.instant();
        assertThat(play.once(FaultHook.NONE).outcome()).isEqualTo(Outcome.FAILED);
        assertThat(Duration.between(began, play.world.instant())).isLessThan(Duration.ofMinutes(5));

        assertThat(play.vault.stored().backups())
                .flatExtracting(StoredBackup::drills)
                .isEmpty();
        play.world.jobs().stuck(false);
        play.untilQuiet(4);
        assertThat(play.vault.stored().backups())
                .flatExtracting(StoredBackup::drills)
                .hasSize(1);
    }

    @Test
    void drillsComeAsOftenAsThePolicySays() {
        var play = source();
        play.vault.drill(Duration.ofDays(2));
        for (int day = 0; day < 5; day++) {
            play.untilQuiet(4);
            play.world.tick(A_DAY);
        }

        assertThat(play.world.acts())
                .filteredOn(act -> act.startsWith("create Job"))
                .hasSize(3);
    }
}
