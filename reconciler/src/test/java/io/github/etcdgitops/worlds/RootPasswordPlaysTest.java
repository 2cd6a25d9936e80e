package io.github.etcdgitops.worlds;

import static io.github.etcdgitops.worlds.TlsPlaysTest.done;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Specs;
import io.github.etcdgitops.gateway.RingPasswords;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.ClusterPlan.Situation;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.auth.Users;
import io.github.etcdgitops.spec.auth.Auth;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.Transport;
import io.github.etcdgitops.state.auth.AuthChange;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// The password of `root` is lost, or somebody else has changed it.
class RootPasswordPlaysTest {
    private static final String SECRET = RingPasswords.rootSecret(Play.REF);
    private static final Transport PLAIN = Transport.PLAIN;
    private static final Transport TLS = TlsPlaysTest.MUTUAL;

    private static final Consumer<FakeWorld> LOST = world -> world.passwords().lose(Play.REF, SECRET);
    private static final Consumer<FakeWorld> IN_THE_SECRET =
            world -> world.passwords().putOurs(Play.REF, SECRET, RingPasswords.KEY, "another");
    private static final Consumer<FakeWorld> IN_THE_RING =
            world -> world.faults(Play.REF).change(new AuthChange.ChangePassword("root"), Optional.of("another"));

    private static EtcdClusterSpec spec(String version, Transport transport, Auth auth) {
        return Specs.talking(Given.spec(Play.REF, 3, version), transport).with(Optional.of(auth));
    }

    private static Play enabled(String version, Transport transport) {
        var world = TlsPlaysTest.ring(version, 3);
        new Play(world, TlsPlaysTest.wanted(3, version, transport)).untilQuiet(6);
        var play = new Play(world, spec(version, transport, Users.APP));
        assertThat(play.untilQuiet(6).situation()).isEqualTo(Situation.IN_SYNC);
        play.world.tick(20);
        return play;
    }

    private static SortedMap<String, String> secret(Play play) {
        return play.world.passwords().entries(Play.REF, SECRET);
    }

    private static List<String> kinds(ClusterPlan plan) {
        return plan.operations().stream().map(o -> o.operation().kind()).toList();
    }

    private static List<String> codes(ClusterPlan plan) {
        return plan.findings().stream().map(Finding::code).toList();
    }

    /// A new password would be refused, and would look like the right one.
    @Test
    void withoutTlsItIsToldAndNothingIsTried() {
        for (var change : List.of(LOST, IN_THE_SECRET, IN_THE_RING)) {
            var play = enabled("3.5.16", PLAIN);
            change.accept(play.world);
            var before = secret(play);
            var more = Users.auth(
                    false,
                    List.of(Users.user("app", Users.PASSWORD, "reader"), Users.user("new", Users.PASSWORD, "reader")),
                    Map.of("reader", List.of(Users.READ_APP)));
            var other = new Play(play.world, spec("3.5.16", PLAIN, more));

            assertThat(codes(other.plan())).contains("root-locked-out");
            assertThat(kinds(other.plan())).isEmpty();
            other.once(FaultHook.NONE);
            assertThat(secret(play)).isEqualTo(before);
        }
    }

    /// This release tells its status to root alone.
    @Test
    void withoutTlsTheRingMayBeUnknown() {
        var play = enabled("3.5.30", PLAIN);
        LOST.accept(play.world);

        assertThat(play.plan().situation()).isEqualTo(Situation.UNKNOWN);
        assertThat(codes(play.plan())).contains("ring-unknown");
    }

    @Test
    void whoPutsItBackMendsIt() {
        for (String version : List.of("3.5.16", "3.5.30")) {
            var play = enabled(version, PLAIN);
            String password = secret(play).get(RingPasswords.KEY);
            LOST.accept(play.world);
            play.plan();

            play.world.passwords().putByHand(Play.REF, SECRET, RingPasswords.KEY, password);

            assertThat(play.plan().situation()).isEqualTo(Situation.IN_SYNC);
            assertThat(codes(play.plan())).doesNotContain("root-locked-out", "ring-unknown");
        }
    }

    @Test
    void withTheCertificateRootGetsAnotherOne() {
        for (String version : List.of("3.5.16", "3.5.30", "3.7.1")) {
            for (var change : List.of(LOST, IN_THE_SECRET, IN_THE_RING)) {
                var play = enabled(version, TLS);
                change.accept(play.world);

                assertThat(codes(play.plan())).contains("root-password");
                assertThat(kinds(play.plan())).containsExactly("RotatePasswords");
                done(play);

                assertThat(secret(play)).containsOnlyKeys("username", "password");
                assertThat(codes(play.plan())).doesNotContain("root-password");
                assertThat(play.plan().situation()).isEqualTo(Situation.IN_SYNC);
            }
        }
    }

    @Test
    void killedRunLeavesItToTheNext() {
        for (var change : List.of(LOST, IN_THE_RING)) {
            var first = enabled("3.5.30", TLS);
            change.accept(first.world);
            var boundaries = first.boundaryNames();
            assertThat(boundaries).hasSizeGreaterThan(3);
            for (String boundary : boundaries) {
                var play = enabled("3.5.30", TLS);
                change.accept(play.world);
                play.killedAt(boundary);

                assertThat(play.untilQuiet(3).situation()).as(boundary).isEqualTo(Situation.IN_SYNC);
                assertThat(secret(play)).as(boundary).containsOnlyKeys("username", "password");
                assertThat(codes(play.plan())).as(boundary).doesNotContain("root-password");
            }
        }
    }

    @Test
    void aSecretOfSomebodyElseIsNotWrittenOver() {
        var play = enabled("3.5.30", TLS);
        play.world.passwords().putByHand(Play.REF, SECRET, RingPasswords.KEY, "theirs");

        assertThat(codes(play.plan())).contains("root-password");
        assertThat(kinds(play.plan())).isEmpty();
        assertThat(secret(play)).containsEntry(RingPasswords.KEY, "theirs");
    }

    /// A planner cannot read the Secret, and says nothing about it.
    @Test
    void whoMayNotReadItSaysNothing() {
        var play = enabled("3.5.30", TLS);
        play.world.passwords().forbid(Play.REF, SECRET);

        assertThat(play.plan().situation()).isEqualTo(Situation.IN_SYNC);
        assertThat(codes(play.plan())).doesNotContain("root-password");
    }
}
