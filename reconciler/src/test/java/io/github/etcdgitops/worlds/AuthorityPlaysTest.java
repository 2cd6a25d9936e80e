package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.certificate.Authority;
import io.github.etcdgitops.certificate.Credential;
import io.github.etcdgitops.certificate.Leaf;
import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.fake.Crash;
import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Releases;
import io.github.etcdgitops.fake.Specs;
import io.github.etcdgitops.gateway.RingSecrets;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.ClusterPlan.Situation;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.Tls;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Rings that go from one CA to the next, played from the plan to the end.
class AuthorityPlaysTest {
    private static final Credential OTHERS = Authority.create(
                    Play.REF, Instant.parse("2020-01-01T00:00:00Z"), Duration.ofDays(36500))
            .credential();
    private static final Duration HOUR = Duration.ofHours(1);
    private static final EtcdClusterSpec.Rollout AGAIN =
            new EtcdClusterSpec.Rollout(List.of(), Duration.ZERO, 1, Releases.KNOWN);

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void movesRingFromOneCaToTheNext(int size) {
        var world = ring(size);
        var play = new Play(world, wanted(size, 2, Duration.ZERO));

        assertThat(kinds(play.plan())).containsExactly("RotateAuthority", "RotateAuthority");
        TlsPlaysTest.done(play);
        assertThat(play.plan().situation()).isEqualTo(Situation.IN_SYNC);
    }

    @Test
    void waitsForOverlapBetweenHalves() {
        var world = ring(3);
        var play = new Play(world, wanted(3, 2, HOUR));

        assertThat(kinds(play.plan())).containsExactly("RotateAuthority");
        assertThat(play.once(FaultHook.NONE).outcome()).isEqualTo(Outcome.DONE);
        assertThat(kinds(play.plan())).isEmpty();
        assertThat(play.plan().findings()).extracting(Finding::code).contains("authority-overlap");
        world.tick((int) HOUR.toSeconds());
        assertThat(kinds(play.plan())).containsExactly("RotateAuthority");
        TlsPlaysTest.done(play);
    }

    /// Who lowers the number does not get the former CA back: its key is gone.
    @Test
    void lowerCaNumberChangesNothing() {
        var world = ring(3);
        TlsPlaysTest.done(new Play(world, wanted(3, 2, Duration.ZERO)));

        assertThat(new Play(world, wanted(3, 1, Duration.ZERO)).plan().situation())
                .isEqualTo(Situation.IN_SYNC);
        TlsPlaysTest.done(new Play(world, wanted(3, 7, Duration.ZERO)));
    }

    @Test
    void replacesExpiringCaWithoutRequest() {
        var play = withAnOldCa();

        assertThat(kinds(play.plan())).contains("RotateAuthority");
        TlsPlaysTest.done(play);
        assertThat(play.plan().situation()).isEqualTo(Situation.IN_SYNC);
    }

    /// From the Secrets' side the newest CA is a young one then: it is not the one that members trust in.
    @Test
    void continuesReplacementOfExpiringCa() {
        var play = withAnOldCa();

        killed(play, "RotateAuthority/BeginRoll/before");
        play.world.tick(60);

        assertThat(kinds(play.plan())).contains("RotateAuthority");
        TlsPlaysTest.done(play);
        assertThat(play.plan().situation()).isEqualTo(Situation.IN_SYNC);
    }

    /// However old the CA is that a run has left: what counts is since when clients have had it.
    @Test
    void keepsOverlapAfterKilledRun() {
        var world = ring(3);
        var play = new Play(world, wanted(3, 2, HOUR));
        killed(play, "RotateAuthority/BeginRoll/before");
        world.tick(2 * (int) HOUR.toSeconds());

        assertThat(play.once(FaultHook.NONE).outcome()).isEqualTo(Outcome.DONE);

        assertThat(kinds(play.plan())).isEmpty();
        assertThat(play.plan().findings()).extracting(Finding::code).contains("authority-overlap");
        world.tick((int) HOUR.toSeconds());
        TlsPlaysTest.done(play);
    }

    /// A third of its time is left.
    private static Play withAnOldCa() {
        var world = TlsPlaysTest.ring("3.5.16", 3);
        var old = Authority.create(Play.REF, world.instant(), HOUR).credential();
        world.secrets()
                .putOurs(
                        Play.REF,
                        RingSecrets.Kind.CA,
                        new RingSecrets.Content(old.certificatePem(), old.keyPem(), old.certificatePem()));
        var play = new Play(world, wanted(3, 1, Duration.ZERO));
        TlsPlaysTest.done(play);
        world.tick(2500);
        return play;
    }

    private static void killed(Play play, String boundary) {
        assertThat(play.killAt(boundary)).as(boundary).isTrue();
    }

    @Test
    void newRingStartsWithRequestedCa() {
        var world = Given.absent(Play.REF.namespace(), Play.REF.name()).build();
        var play = new Play(world, wanted(3, 4, Duration.ZERO));
        TlsPlaysTest.done(play);

        assertThat(play.plan().situation()).isEqualTo(Situation.IN_SYNC);
        TlsPlaysTest.done(new Play(world, wanted(5, 5, Duration.ZERO)));
    }

    /// In either half, after any number of restarts.
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5})
    void takesBackMemberThatDoesNotStart(int restarts) {
        var world = ring(3);
        var play = new Play(world, wanted(3, 2, Duration.ZERO));

        TlsPlaysTest.takenBack(play, "RotateAuthority", restarts);

        assertThat(play.breaches()).isEmpty();
        TlsPlaysTest.done(new Play(world, Specs.rollout(wanted(3, 2, Duration.ZERO), AGAIN)));
    }

    /// Killed at every boundary of both halves, and carried on.
    @Test
    void nextRunsFinishAfterKillAtAnyPoint() {
        var boundaries = new ArrayList<String>();
        new Play(ring(3), wanted(3, 2, Duration.ZERO)).once(boundaries::add);
        assertThat(boundaries).hasSizeGreaterThan(80);

        for (int at = 0; at < boundaries.size(); at++) {
            var world = ring(3);
            var play = new Play(world, wanted(3, 2, Duration.ZERO));
            killAt(play, at);
            world.tick(60);
            var result = play.once(FaultHook.NONE);
            assertThat(result.outcome())
                    .as(boundaries.get(at) + ": " + result.detail())
                    .isIn(Outcome.DONE, Outcome.NOTHING);
            if (!kinds(play.plan()).isEmpty()) {
                TlsPlaysTest.done(play);
            }
            assertThat(play.notAtRest(play.plan())).as(boundaries.get(at)).isEmpty();
            assertThat(play.breaches()).as(boundaries.get(at)).isEmpty();
        }
    }

    /// Whoever writes another CA into its place would have members refuse each other.
    @Test
    void refusesCaThatNoMemberWasStartedWith() {
        var world = ring(3);
        assertThat(new Play(world, wanted(3, 2, HOUR)).once(FaultHook.NONE).outcome())
                .isEqualTo(Outcome.DONE);
        var other = Authority.create(Play.REF, world.instant(), Tls.YEAR).credential();
        world.secrets()
                .putOurs(
                        Play.REF,
                        RingSecrets.Kind.NEXT_CA,
                        new RingSecrets.Content(other.certificatePem(), other.keyPem(), other.certificatePem()));

        var result = new Play(world, wanted(3, 2, Duration.ZERO)).once(FaultHook.NONE);

        assertThat(result.outcome()).isNotEqualTo(Outcome.DONE);
        assertThat(result.detail()).contains("refuses a certificate of the new CA");
        assertThat(world.oracle().breaches()).isEmpty();
    }

    @Test
    void renewsCertificatesByFormerCaBetweenHalves() {
        var world = ring(3);
        var tls = new Tls(
                TlsPlaysTest.MUTUAL,
                Tls.Issuer.BUILT_IN,
                Optional.empty(),
                Duration.ofMinutes(30),
                new Tls.Authority(2, Duration.ofMinutes(40)));
        var spec = Specs.secured(Given.spec(Play.REF, 3, "3.5.16"), tls);
        assertThat(new Play(world, spec).once(FaultHook.NONE).outcome()).isEqualTo(Outcome.DONE);
        world.tick(1500);
        var play = new Play(world, spec);
        play.once(FaultHook.NONE);
        world.tick(1500);
        TlsPlaysTest.done(play);
        assertThat(play.plan().situation()).isEqualTo(Situation.IN_SYNC);
    }

    /// Whoever makes them is late: nothing else is begun, and nothing is harmed.
    @Test
    void warnsOfExternalCertificatesAndThenHoldsChanges() {
        var tls = new Tls(TlsPlaysTest.MUTUAL, Tls.Issuer.SECRET, Tls.YEAR);
        var world = TlsPlaysTest.ring("3.5.16", 3);
        byOthers(world, Duration.ofMinutes(60));
        var at = Specs.secured(Given.spec(Play.REF, 3, "3.5.16"), tls);
        TlsPlaysTest.done(new Play(world, at));
        var upgrade = new Play(world, Specs.secured(Given.spec(Play.REF, 3, "3.5.30"), tls));

        world.tick(2500);
        assertThat(ends(upgrade)).isEqualTo(Finding.Level.WARNING);
        assertThat(kinds(upgrade.plan())).contains("UpgradeVersion");
        world.tick(900);
        assertThat(ends(upgrade)).isEqualTo(Finding.Level.ERROR);
        assertThat(kinds(upgrade.plan())).doesNotContain("UpgradeVersion");
        assertThat(upgrade.plan().waiting().toString()).contains("it was not renewed");

        byOthers(world, Duration.ofMinutes(600));
        assertThat(upgrade.once(FaultHook.NONE).outcome()).isEqualTo(Outcome.DONE);
        TlsPlaysTest.done(upgrade);
        assertThat(ends(upgrade)).isEqualTo(Finding.Level.NOTE);
    }

    /// What others put into the Secrets is loaded when the number says so.
    @Test
    void loadsExternalCaInOneRollout() {
        var world = TlsPlaysTest.ring("3.5.16", 3);
        byOthers(world, Duration.ofDays(300));
        TlsPlaysTest.done(new Play(world, ofOthers(1)));
        var play = new Play(world, ofOthers(2));
        var pods = play.ring.podUids();

        assertThat(kinds(play.plan())).containsExactly("RotateAuthority");
        TlsPlaysTest.done(play);
        assertThat(play.ring.podUids()).doesNotContainAnyElementsOf(pods);
    }

    @Test
    void waitsForCertManager() {
        var world = TlsPlaysTest.ring("3.5.16", 3);
        world.secrets().installIssuer(Play.REF, "fleet-ca");
        TlsPlaysTest.done(new Play(world, ofCertManager("fleet-ca")));

        assertThat(world.oracle().breaches()).isEmpty();
    }

    @Test
    void restartsNoMemberIfIssuerMakesNothing() {
        var world = TlsPlaysTest.ring("3.5.16", 3);
        var play = new Play(world, ofCertManager("fleet-ca"));
        var pods = play.ring.podUids();

        assertThat(play.once(FaultHook.NONE).detail()).contains("install cert-manager");
        world.secrets().installIssuer(Play.REF, "another-one");
        var result = play.once(FaultHook.NONE);
        assertThat(result.outcome()).isEqualTo(Outcome.HELD);
        assertThat(result.detail()).contains("is not ready");
        assertThat(play.ring.podUids()).isEqualTo(pods);
        world.secrets().installIssuer(Play.REF, "fleet-ca");
        TlsPlaysTest.done(play);
    }

    @Test
    void newRingStartsWithCertificatesOfCertManager() {
        var world = Given.absent(Play.REF.namespace(), Play.REF.name()).build();
        world.secrets().installIssuer(Play.REF, "fleet-ca");

        TlsPlaysTest.done(new Play(world, ofCertManager("fleet-ca")));
    }

    @Test
    void refusesAnotherIssuerForTlsRing() {
        var world = ring(3);
        for (var spec : List.of(ofOthers(1), ofCertManager("fleet-ca"))) {
            var play = new Play(world, spec);

            assertThat(play.plan().situation()).isEqualTo(Situation.HELD);
            assertThat(play.plan().findings()).extracting(Finding::code).contains("issuer-changes");
            assertThat(play.once(FaultHook.NONE).outcome()).isNotEqualTo(Outcome.DONE);
        }
        assertThat(new Play(world, wanted(3, 1, Duration.ZERO)).plan().situation())
                .isEqualTo(Situation.IN_SYNC);
    }

    private static EtcdClusterSpec ofCertManager(String issuer) {
        var tls = new Tls(
                TlsPlaysTest.MUTUAL,
                Tls.Issuer.CERT_MANAGER,
                Optional.of(new Tls.IssuerRef("ClusterIssuer", issuer)),
                Tls.YEAR,
                Tls.Authority.FIRST);
        return Specs.secured(Given.spec(Play.REF, 3, "3.5.16"), tls);
    }

    private static EtcdClusterSpec ofOthers(int number) {
        var authority = new Tls.Authority(number, HOUR);
        return Specs.secured(
                Given.spec(Play.REF, 3, "3.5.16"),
                new Tls(TlsPlaysTest.MUTUAL, Tls.Issuer.SECRET, Optional.empty(), Tls.YEAR, authority));
    }

    /// Somebody fills the Secrets, under a CA that they always have.
    private static void byOthers(FakeWorld world, Duration validity) {
        var authority = Authority.of(OTHERS);
        for (var leaf : Leaf.values()) {
            var made = authority.issue(leaf, Play.REF, world.instant(), validity);
            var kind = RingSecrets.Kind.valueOf(leaf.name());
            world.secrets()
                    .putByHand(
                            Play.REF,
                            kind,
                            new RingSecrets.Content(made.certificatePem(), made.keyPem(), authority.certificatePem()));
        }
    }

    private static Finding.Level ends(Play play) {
        return play.plan().findings().stream()
                .filter(f -> f.code().equals("certificates-end"))
                .map(Finding::level)
                .findFirst()
                .orElseThrow();
    }

    private static void killAt(Play play, int at) {
        var seen = new int[1];
        try {
            play.once(boundary -> {
                if (seen[0]++ == at) {
                    throw new Crash(boundary);
                }
            });
        } catch (Crash _) {
            // Killed.
        }
    }

    private static FakeWorld ring(int size) {
        var world = TlsPlaysTest.ring("3.5.16", size);
        TlsPlaysTest.done(new Play(world, wanted(size, 1, Duration.ZERO)));
        world.tick(20);
        return world;
    }

    private static EtcdClusterSpec wanted(int size, int number, Duration overlap) {
        var tls = new Tls(
                TlsPlaysTest.MUTUAL,
                Tls.Issuer.BUILT_IN,
                Optional.empty(),
                Tls.YEAR,
                new Tls.Authority(number, overlap));
        return Specs.secured(Given.spec(Play.REF, size, "3.5.16"), tls);
    }

    private static List<String> kinds(ClusterPlan plan) {
        return plan.operations().stream().map(o -> o.operation().kind()).toList();
    }
}
