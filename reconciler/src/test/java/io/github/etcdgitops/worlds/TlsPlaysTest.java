package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.certificate.Authority;
import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.fake.Crash;
import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Specs;
import io.github.etcdgitops.gateway.RingSecrets;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.ClusterPlan.Situation;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.Tls;
import io.github.etcdgitops.spec.value.Transport;
import io.github.etcdgitops.spec.value.Transport.Mode;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Rings that are taken to TLS, played from the plan to the end.
class TlsPlaysTest {
    static final Transport MUTUAL = new Transport(Mode.MUTUAL, Mode.MUTUAL);
    static final Transport PEERS = new Transport(Mode.MUTUAL, Mode.PLAIN);
    static final Transport OPEN = new Transport(Mode.MUTUAL, Mode.MIXED);

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void movesRingFromPlainToMutualInOneRun(int size) {
        var play = new Play(ring("3.5.16", size), wanted(size, "3.5.16", MUTUAL));
        assertThat(kinds(play.plan())).containsExactly("MigrateTls", "MigrateTls");
        assertThat(play.plan().findings()).extracting(Finding::code).containsExactly("plain-clients-cut-off");

        done(play);

        assertThat(play.ring.peerUrls()).hasSize(size).allMatch(url -> url.startsWith("https:"));
    }

    @Test
    void servesClientsBothWaysWhileSpecSaysMixed() {
        var world = ring("3.5.16", 3);
        done(new Play(world, wanted(3, "3.5.16", OPEN)));
        var last = new Play(world, wanted(3, "3.5.16", MUTUAL));

        assertThat(kinds(last.plan())).containsExactly("MigrateTls");
        done(last);
    }

    @Test
    void movesPeersOnAnyVersionAndClientsOnSupportedVersions() {
        var play = new Play(ring("3.4.23", 3), wanted(3, "3.4.23", MUTUAL));

        assertThat(kinds(play.plan())).containsExactly("MigrateTls", "MigrateTls");
        assertThat(play.plan().findings()).extracting(Finding::code).contains("tls-needs-newer-etcd");
        assertThat(play.once(FaultHook.NONE).outcome()).isEqualTo(Outcome.DONE);
        assertThat(play.ring.transports()).hasSize(3).allMatch(PEERS::equals);
        assertThat(play.breaches()).isEmpty();
    }

    @Test
    void movesClientsAfterRequiredUpgrade() {
        var play = new Play(ring("3.3.25", 3), Specs.via(wanted(3, "3.5.30", MUTUAL), "3.4.23", "3.5.16"));

        assertThat(kinds(play.plan()))
                .containsExactly(
                        "MigrateTls",
                        "MigrateTls",
                        "UpgradeVersion",
                        "UpgradeVersion",
                        "UpgradeVersion",
                        "MigrateTls",
                        "MigrateTls");
        done(play);
    }

    @Test
    void plansEverythingInOneChain() {
        var play = new Play(ring("3.5.16", 3), Specs.withResources(wanted(5, "3.5.30", MUTUAL)));

        assertThat(kinds(play.plan()))
                .containsExactly("RollMembers", "MigrateTls", "MigrateTls", "ScaleOut", "ScaleOut", "UpgradeVersion");
        done(play);
    }

    @Test
    void createsAndGrowsRingUnderTls() {
        for (String version : List.of("3.3.25", "3.5.16")) {
            var world = Given.absent(Play.REF.namespace(), Play.REF.name()).build();
            done(new Play(world, wanted(3, version, MUTUAL)));
            done(new Play(world, wanted(5, version, MUTUAL)));
            done(new Play(world, wanted(1, version, MUTUAL)));
        }
    }

    @Test
    void growsMixedRing() {
        var world = ring("3.5.16", 3);
        done(new Play(world, wanted(3, "3.5.16", OPEN)));
        done(new Play(world, wanted(5, "3.5.16", OPEN)));
        done(new Play(world, wanted(5, "3.5.16", MUTUAL)));
    }

    @Test
    void movesMixedRingBackToPlain() {
        var world = ring("3.5.16", 3);
        var clients = new Transport(Mode.PLAIN, Mode.MIXED);
        done(new Play(world, wanted(3, "3.5.16", clients)));
        var back = new Play(world, wanted(3, "3.5.16", Transport.PLAIN));

        assertThat(kinds(back.plan())).containsExactly("MigrateTls");
        done(back);
    }

    @Test
    void neverMovesMutualRingBack() {
        var world = ring("3.5.16", 3);
        done(new Play(world, wanted(3, "3.5.16", MUTUAL)));
        for (var wanted : List.of(Transport.PLAIN, OPEN, PEERS)) {
            var plan = new Play(world, wanted(3, "3.5.16", wanted)).plan();

            assertThat(plan.situation()).isEqualTo(Situation.HELD);
            assertThat(plan.findings()).extracting(Finding::code).contains("tls-off");
        }
    }

    /// In either half, after any number of restarts.
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5})
    void takesBackPeerUrlsOfMemberThatDoesNotStart(int restarts) {
        var world = ring("3.5.16", 3);
        var play = new Play(world, wanted(3, "3.5.16", MUTUAL));

        takenBack(play, "MigrateTls", restarts);

        var half = new Transport(Mode.MIXED, Mode.MIXED);
        var expected = restarts < 3 ? Transport.PLAIN : half;
        assertThat(play.ring.transports()).hasSize(3).allMatch(expected::equals);
        assertThat(play.ring.peerUrls()).hasSize(restarts < 3 ? 3 : 6);
        assertThat(play.breaches()).isEmpty();
    }

    @Test
    void makesNoNewCaIfCaIsGone() {
        var world = ring("3.5.16", 3);
        done(new Play(world, wanted(3, "3.5.16", OPEN)));
        world.secrets().lose(Play.REF, RingSecrets.Kind.CA);

        var result = new Play(world, wanted(3, "3.5.16", MUTUAL)).once(FaultHook.NONE);

        assertThat(result.outcome()).isEqualTo(Outcome.HELD);
        assertThat(result.detail()).contains("orders-ca").contains("is gone");
    }

    /// Members would refuse each other one by one, as their connections end.
    @Test
    void issuesNothingUnderUntrustedCa() {
        var world = ring("3.5.16", 3);
        done(new Play(world, wanted(3, "3.5.16", OPEN)));
        var other = Authority.create(Play.REF, world.instant(), Tls.YEAR).credential();
        world.secrets()
                .putOurs(
                        Play.REF,
                        RingSecrets.Kind.CA,
                        new RingSecrets.Content(other.certificatePem(), other.keyPem(), other.certificatePem()));

        var result = new Play(world, wanted(3, "3.5.16", MUTUAL)).once(FaultHook.NONE);

        assertThat(result.outcome()).isEqualTo(Outcome.HELD);
        assertThat(result.detail()).contains("is not the one in the journal, which the running members trust");
        assertThat(world.oracle().breaches()).isEmpty();
    }

    @Test
    void makesNoNewCaForRunningRingWithoutCertificates() {
        var world = ring("3.5.16", 3);
        done(new Play(world, wanted(3, "3.5.16", OPEN)));
        for (var kind : RingSecrets.Kind.values()) {
            world.secrets().lose(Play.REF, kind);
        }

        var result = new Play(world, wanted(3, "3.5.16", MUTUAL)).once(FaultHook.NONE);

        assertThat(result.outcome()).isEqualTo(Outcome.HELD);
        assertThat(result.detail()).contains("its certificates are in use");
    }

    @Test
    void continuesInterruptedMoveOnOlderEtcd() {
        var world = ring("3.4.23", 3);
        var play = new Play(world, wanted(3, "3.4.23", MUTUAL));
        crashAfter(play, 2);
        world.tick(60);

        assertThat(kinds(play.plan())).containsExactly("MigrateTls");
        play.once(FaultHook.NONE);
        play.once(FaultHook.NONE);
        assertThat(play.ring.transports()).hasSize(3).allMatch(PEERS::equals);
        assertThat(play.breaches()).isEmpty();
    }

    @Test
    void newMixedRingNeedsSupportedEtcd() {
        var absent = Given.absent(Play.REF.namespace(), Play.REF.name()).build();

        var plan = new Play(absent, wanted(3, "3.4.23", OPEN)).plan();

        assertThat(plan.situation()).isEqualTo(Situation.HELD);
        assertThat(plan.findings()).extracting(Finding::code).containsExactly("tls-needs-newer-etcd");
    }

    @Test
    void renewsCertificatesDuringRollout() {
        var world = ring("3.5.16", 3);
        var tls = new Tls(MUTUAL, Tls.Issuer.BUILT_IN, Duration.ofMinutes(30));
        done(new Play(world, Specs.secured(Given.spec(Play.REF, 3, "3.5.16"), tls)));
        var upgrade = new Play(world, Specs.secured(Given.spec(Play.REF, 3, "3.5.30"), tls));
        crashAfter(upgrade, 1);
        world.tick(1500);

        assertThat(kinds(upgrade.plan())).containsExactly("RotateCertificates", "UpgradeVersion");
        done(upgrade);
    }

    @Test
    void waitsForExternalCertificates() {
        var tls = new Tls(MUTUAL, Tls.Issuer.SECRET, Tls.YEAR);
        var world = ring("3.5.16", 3);
        var play = new Play(world, Specs.secured(Given.spec(Play.REF, 3, "3.5.16"), tls));

        var result = play.once(FaultHook.NONE);

        assertThat(result.outcome()).isEqualTo(Outcome.HELD);
        assertThat(result.detail()).contains("orders-peer-tls").contains("does not exist");
        assertThat(play.ring.transports()).allMatch(Transport.PLAIN::equals);
    }

    @Test
    void renewsCertificatesWithoutRestart() {
        var tls = new Tls(MUTUAL, Tls.Issuer.BUILT_IN, Duration.ofMinutes(30));
        var world = ring("3.5.16", 3);
        var play = new Play(world, Specs.secured(Given.spec(Play.REF, 3, "3.5.16"), tls));
        done(play);
        var pods = play.ring.podUids();

        world.tick(1500);
        assertThat(kinds(play.plan())).containsExactly("RotateCertificates");
        done(play);

        assertThat(play.ring.podUids()).isEqualTo(pods);
        assertThat(play.plan().situation()).isEqualTo(Situation.IN_SYNC);
    }

    /// A human decides what the ring is first; until then nothing is taken, and above all nothing
    /// deleted.
    @Test
    void heldRingGetsCertificatesButNoBackups() {
        var tls = new Tls(MUTUAL, Tls.Issuer.BUILT_IN, Duration.ofMinutes(30));
        var world = ring("3.5.16", 3);
        var play = new Play(world, Specs.secured(Given.spec(Play.REF, 3, "3.5.16"), tls));
        play.vault.keep(Duration.ofMinutes(10), 1);
        play.untilQuiet(6);
        world.tick(1500);
        assertThat(kinds(play.plan())).contains("RotateCertificates", "TakeBackup");

        world.faults(Play.REF).addForeignMember("http://elsewhere:2380");

        assertThat(kinds(play.plan())).containsExactly("RotateCertificates");
    }

    /// Its members answer nobody any more.
    @Test
    void plansRenewalOfExpiredCertificates() {
        var tls = new Tls(MUTUAL, Tls.Issuer.BUILT_IN, Duration.ofMinutes(30));
        var world = ring("3.5.16", 3);
        var play = new Play(world, Specs.secured(Given.spec(Play.REF, 3, "3.5.16"), tls));
        done(play);
        world.tick(2000);
        for (int ordinal = 0; ordinal < 3; ordinal++) {
            world.faults(Play.REF).hideFromUs(ordinal);
        }

        assertThat(kinds(play.plan())).containsExactly("RotateCertificates");
    }

    static void done(Play play) {
        var result = play.once(FaultHook.NONE);
        assertThat(result.outcome()).as(result.detail()).isEqualTo(Outcome.DONE);
        assertThat(play.notAtRest(play.plan())).isEmpty();
        assertThat(play.breaches()).isEmpty();
    }

    static FakeWorld ring(String version, int size) {
        return Worlds.ring().version(version).members(size).leader(size - 1).build();
    }

    static EtcdClusterSpec wanted(int size, String version, Transport transport) {
        return Specs.talking(Given.spec(Play.REF, size, version), transport);
    }

    /// On its way to mutual, and killed after so many restarts of both halves.
    static FakeWorld left(int size, int restarts) {
        var world = ring("3.5.16", size);
        crashAfter(new Play(world, wanted(size, "3.5.16", MUTUAL)), restarts);
        world.tick(60);
        return world;
    }

    /// The member that is restarted after so many others does not come up, and the next run takes the
    /// roll back.
    static void takenBack(Play play, String operation, int restarts) {
        var seen = new int[1];
        var first = play.once(boundary -> {
            if (boundary.equals(operation + "/RestartMember/before") && seen[0]++ == restarts) {
                play.world.faults(Play.REF).unpullable("3.5.16", true);
            }
        });
        assertThat(first.outcome()).as(first.detail()).isEqualTo(Outcome.FAILED);

        assertThat(kinds(play.plan())).containsExactly("BackOutRoll");
        play.world.faults(Play.REF).unpullable("3.5.16", false);
        var second = play.once(FaultHook.NONE);
        assertThat(second.outcome()).as(second.detail()).isEqualTo(Outcome.DONE);
        assertThat(play.plan().findings()).extracting(Finding::code).contains("taken-back");
    }

    private static void crashAfter(Play play, int restarts) {
        var seen = new int[1];
        try {
            play.once(boundary -> {
                if (boundary.endsWith("/RestartMember/after") && ++seen[0] == restarts) {
                    throw new Crash(boundary);
                }
            });
        } catch (Crash _) {
            // Killed.
        }
    }

    private static List<String> kinds(ClusterPlan plan) {
        return plan.operations().stream().map(o -> o.operation().kind()).toList();
    }
}
