package io.github.etcdgitops.worlds;

import static io.github.etcdgitops.worlds.TlsPlaysTest.done;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Specs;
import io.github.etcdgitops.gateway.RingPasswords;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.ClusterPlan.Situation;
import io.github.etcdgitops.ring.auth.Users;
import io.github.etcdgitops.spec.auth.Auth;
import io.github.etcdgitops.spec.auth.User;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.Tls;
import io.github.etcdgitops.spec.value.Transport;
import io.github.etcdgitops.state.journal.Journal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;

/// The Secrets of users, while the ring and its users change.
class UserSecretPlaysTest {
    private static final String APP = RingPasswords.userSecret(Play.REF, "app");
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Auth NOBODY = Users.auth(false, List.of(), Map.of("reader", List.of(Users.READ_APP)));

    private static EtcdClusterSpec spec(Transport transport, int authority, Auth auth) {
        var tls =
                new Tls(transport, Tls.Issuer.BUILT_IN, Optional.empty(), Tls.YEAR, new Tls.Authority(authority, HOUR));
        return Specs.secured(Given.spec(Play.REF, 3, "3.5.30"), tls).with(Optional.of(auth));
    }

    private static EtcdClusterSpec plain(Auth auth) {
        return spec(Transport.PLAIN, 1, auth);
    }

    private static FakeWorld enabled(Transport transport) {
        var world = TlsPlaysTest.ring("3.5.30", 3);
        new Play(world, spec(transport, 1, Users.APP)).untilQuiet(6);
        world.tick(20);
        return world;
    }

    private static SortedMap<String, String> secret(FakeWorld world) {
        return world.passwords().entries(Play.REF, APP);
    }

    private static List<String> kinds(ClusterPlan plan) {
        return plan.operations().stream().map(o -> o.operation().kind()).toList();
    }

    /// A plan that needs no right to any of them.
    @Test
    void nobodyReadsThemWhereNothingIsToBeDone() {
        var world = enabled(Transport.PLAIN);
        world.passwords().forbid(Play.REF, APP);

        assertThat(new Play(world, plain(Users.APP)).plan().situation()).isEqualTo(Situation.IN_SYNC);
    }

    @Test
    void theyFollowTheTransport() {
        var world = enabled(Transport.PLAIN);
        String password = secret(world).get("password");
        assertThat(secret(world))
                .containsEntry("uri", "http://orders.demo.svc:2379")
                .doesNotContainKey("ca.crt");

        var mixed = new Play(world, spec(TlsPlaysTest.OPEN, 1, Users.APP));
        assertThat(mixed.untilQuiet(4).situation()).isEqualTo(Situation.IN_SYNC);
        assertThat(secret(world))
                .containsEntry("uri", "http://orders.demo.svc:2379")
                .containsKey("ca.crt")
                .containsEntry("password", password);

        var mutual = new Play(world, spec(TlsPlaysTest.MUTUAL, 1, Users.APP));
        assertThat(mutual.once(FaultHook.NONE).outcome()).isEqualTo(Outcome.DONE);
        // The roll wrote it beside the connection: no client waits for the next run.
        assertThat(secret(world)).containsEntry("uri", "https://orders.demo.svc:2379");
        assertThat(mutual.untilQuiet(4).situation()).isEqualTo(Situation.IN_SYNC);
        assertThat(secret(world))
                .containsEntry("uri", "https://orders.demo.svc:2379")
                .containsEntry("endpoints", "https://orders.demo.svc:2379")
                .containsKey("ca.crt")
                .containsEntry("password", password);
    }

    @Test
    void theyLoseTheCaWithTls() {
        var mixed = new Transport(Transport.Mode.PLAIN, Transport.Mode.MIXED);
        var world = enabled(mixed);
        assertThat(secret(world)).containsKey("ca.crt");

        assertThat(new Play(world, plain(Users.APP)).untilQuiet(4).situation()).isEqualTo(Situation.IN_SYNC);

        assertThat(secret(world)).doesNotContainKey("ca.crt").containsKey("password");
    }

    /// Clients must trust the next CA before a member shows a certificate of it.
    @Test
    void theyHaveBothCasBeforeTheNextOneSigns() {
        var world = enabled(TlsPlaysTest.MUTUAL);
        assertThat(authorities(world)).isEqualTo(1);
        var play = new Play(world, spec(TlsPlaysTest.MUTUAL, 2, Users.APP));

        assertThat(play.once(FaultHook.NONE).outcome()).isEqualTo(Outcome.DONE);
        world.tick(20);
        assertThat(kinds(play.plan())).containsExactly("SyncUsers");
        assertThat(play.once(FaultHook.NONE).outcome()).isEqualTo(Outcome.DONE);
        assertThat(authorities(world)).isEqualTo(2);
        assertThat(kinds(play.plan())).isEmpty();
        world.tick((int) HOUR.toSeconds());
        play.untilQuiet(4);

        assertThat(authorities(world)).isEqualTo(1);
        assertThat(play.plan().situation()).isEqualTo(Situation.IN_SYNC);
    }

    /// What could not be written beside the connection is planned by itself.
    @Test
    void whatARollCouldNotWriteIsPlannedAndTold() {
        var world = enabled(Transport.PLAIN);
        world.passwords().forbid(Play.REF, APP);
        var play = new Play(world, spec(TlsPlaysTest.OPEN, 1, Users.APP));
        assertThat(play.once(FaultHook.NONE).outcome()).isEqualTo(Outcome.DONE);

        assertThat(kinds(play.plan())).containsExactly("SyncUsers");
        assertThat(play.once(FaultHook.NONE).outcome()).isEqualTo(Outcome.FAILED);
        world.passwords().allow(Play.REF, APP);
        world.tick(60);
        assertThat(play.untilQuiet(3).situation()).isEqualTo(Situation.IN_SYNC);
        assertThat(secret(world)).containsKey("ca.crt");
    }

    private static int authorities(FakeWorld world) {
        return secret(world).getOrDefault("ca.crt", "").split("BEGIN CERTIFICATE", -1).length - 1;
    }

    @Test
    void ofAUserThatIsGoneItIsRemoved() {
        var world = enabled(Transport.PLAIN);
        var play = new Play(world, plain(NOBODY));

        assertThat(kinds(play.plan())).containsExactly("SyncUsers");
        done(play);

        assertThat(secret(world)).isEmpty();
        assertThat(world.look(Play.REF).users().users()).doesNotContainKey("app");
        assertThat(play.plan().situation()).isEqualTo(Situation.IN_SYNC);
    }

    /// At whatever point a run is killed: as long as etcd has the user, there is its password.
    @Test
    void itIsNeverRemovedBeforeTheUser() {
        var boundaries = new Play(enabled(Transport.PLAIN), plain(NOBODY)).boundaryNames();
        assertThat(boundaries).hasSizeGreaterThan(5);
        for (String boundary : boundaries) {
            var world = enabled(Transport.PLAIN);
            var play = new Play(world, plain(NOBODY));
            play.killedAt(boundary);

            if (world.look(Play.REF).users().users().containsKey("app")) {
                assertThat(secret(world)).as(boundary).containsKey("password");
            }
            assertThat(play.untilQuiet(4).situation()).as(boundary).isEqualTo(Situation.IN_SYNC);
            assertThat(secret(world)).as(boundary).isEmpty();
        }
    }

    @Test
    void oneOfSomebodyElseStays() {
        var world = enabled(Transport.PLAIN);
        world.passwords().putByHand(Play.REF, APP, "password", "theirs");

        done(new Play(world, plain(NOBODY)));

        assertThat(secret(world)).containsOnly(Map.entry("password", "theirs"));
    }

    @Test
    void whoSignsInWithACertificateNowHasNone() {
        var world = enabled(Transport.PLAIN);
        var certificate = Users.auth(
                false,
                List.of(Users.user("app", Users.CERTIFICATE, "reader")),
                Map.of("reader", List.of(Users.READ_APP)));
        done(new Play(world, plain(certificate)));

        assertThat(secret(world)).isEmpty();
        assertThat(world.look(Play.REF).users().users()).containsKey("app");
    }

    /// etcd has the former password until the number asks for another one.
    @Test
    void whoTakesThePasswordFromElsewhereLosesItWithTheNextPassword() {
        var world = enabled(Transport.PLAIN);
        world.passwords().putByHand(Play.REF, "theirs", "pass", "sesame");

        new Play(world, plain(elsewhere(1))).untilQuiet(3);
        assertThat(secret(world)).containsKey("password");

        var play = new Play(world, plain(elsewhere(2)));
        assertThat(kinds(play.plan())).containsExactly("RotatePasswords");
        done(play);
        assertThat(secret(world)).isEmpty();
        assertThat(play.plan().situation()).isEqualTo(Situation.IN_SYNC);
    }

    private static Auth elsewhere(int number) {
        var signIn = new User.SignIn.Password(Optional.of(new User.SecretRef("theirs", "pass")), number);
        return Users.auth(
                false, List.of(Users.user("app", signIn, "reader")), Map.of("reader", List.of(Users.READ_APP)));
    }

    /// A version before this one noted nothing about them.
    @Test
    void thoseOfAnEarlierVersionAreWrittenOnce() {
        var world = enabled(Transport.PLAIN);
        var kube = world.kubernetes();
        var stored = kube.read(Play.REF, 1).storedJournal().orElseThrow();
        var users = stored.journal().past().auth().orElseThrow();
        kube.writeJournal(
                Play.REF,
                stored.journal().withUsers(new Journal.Users(users.applied(), users.passwords(), Optional.empty())),
                Optional.of(stored.resourceVersion()));
        var play = new Play(world, plain(Users.APP));

        assertThat(kinds(play.plan())).containsExactly("SyncUsers");
        done(play);
        assertThat(play.plan().situation()).isEqualTo(Situation.IN_SYNC);
    }
}
