package io.github.etcdgitops.worlds;

import static io.github.etcdgitops.worlds.TlsPlaysTest.done;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Specs;
import io.github.etcdgitops.gateway.RingPasswords;
import io.github.etcdgitops.plan.ClusterPlan.Situation;
import io.github.etcdgitops.ring.auth.DesiredUsers;
import io.github.etcdgitops.ring.auth.Users;
import io.github.etcdgitops.spec.auth.Auth;
import io.github.etcdgitops.spec.auth.User;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.state.auth.AuthChange;
import io.github.etcdgitops.worlds.Case.Expect;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;

/// Users and roles on a living ring.
class AuthPlaysTest {
    private static final List<String> VERSIONS = List.of("3.4.23", "3.5.16", "3.5.30", "3.6.14", "3.7.1");
    private static final Auth TWO = Users.auth(
            false,
            List.of(Users.user("app", Users.PASSWORD, "writer"), Users.user("web", Users.CERTIFICATE, "reader")),
            Map.of("reader", List.of(Users.READ_APP), "writer", List.of(Users.ALL_APP)));

    static FakeWorld ring(String version, int members) {
        return Worlds.ring()
                .version(version)
                .members(members)
                .leader(members - 1)
                .build();
    }

    private static EtcdClusterSpec spec(String version, int size, Auth auth) {
        return Given.spec(Play.REF, size, version).with(Optional.of(auth));
    }

    /// A ring in which authentication is enabled, with the users of `auth`.
    private static FakeWorld enabled(String version, int size, Auth auth) {
        var world = ring(version, size);
        done(new Play(world, spec(version, size, auth)));
        world.tick(20);
        return world;
    }

    static List<Case> cases() {
        var cases = new ArrayList<Case>();
        for (String version : List.of("3.4.23", "3.5.30", "3.7.1")) {
            for (int size : List.of(1, 3)) {
                cases.add(new Case(
                        "authentication of " + size + " on " + version,
                        () -> ring(version, size),
                        spec(version, size, Users.APP),
                        new Expect.Converges()));
                cases.add(new Case(
                        "users without authentication of " + size + " on " + version,
                        () -> ring(version, size),
                        spec(version, size, Users.off(TWO)),
                        new Expect.Converges()));
                cases.add(new Case(
                        "other users of " + size + " on " + version,
                        () -> enabled(version, size, Users.APP),
                        spec(version, size, TWO),
                        new Expect.Converges()));
            }
        }
        var next = Users.auth(
                false,
                List.of(Users.user("app", Users.password(2), "reader")),
                Map.of("reader", List.of(Users.READ_APP)));
        cases.add(new Case(
                "another password",
                () -> enabled("3.5.30", 3, Users.APP),
                spec("3.5.30", 3, next),
                new Expect.Converges()));
        cases.add(new Case(
                "another password of root",
                () -> enabled("3.5.30", 3, Users.APP),
                spec("3.5.30", 3, Users.root(Users.APP, 2)),
                new Expect.Converges()));
        cases.add(new Case(
                "a user less",
                () -> enabled("3.5.30", 3, Users.APP),
                spec("3.5.30", 3, Users.auth(false, List.of(), Map.of())),
                new Expect.Converges()));
        cases.add(new Case(
                "users and TLS",
                () -> enabled("3.5.30", 3, Users.APP),
                Specs.talking(spec("3.5.30", 3, Users.APP), TlsPlaysTest.MUTUAL),
                new Expect.Converges()));
        return cases;
    }

    @Test
    void isEnabledWithTheUsersOfTheDocuments() {
        for (String version : VERSIONS) {
            for (int size : List.of(1, 3, 5)) {
                var world = ring(version, size);
                var play = new Play(world, spec(version, size, TWO));

                assertThat(play.plan().operations())
                        .extracting(o -> o.operation().kind())
                        .containsExactly("EnableAuth");
                done(play);

                assertThat(world.look(Play.REF).users()).isEqualTo(DesiredUsers.state(TWO));
                assertThat(play.plan().situation()).isEqualTo(Situation.IN_SYNC);
                assertThat(play.plan().findings()).extracting(f -> f.code()).allMatch("advisory"::equals);
            }
        }
    }

    /// The first commit gives clients their passwords, the second one needs them.
    @Test
    void usersAreMadeBeforeTheyAreNeeded() {
        for (String version : VERSIONS) {
            var world = ring(version, 3);
            done(new Play(world, spec(version, 3, Users.off(Users.APP))));
            var before = world.passwords().entries(Play.REF, RingPasswords.userSecret(Play.REF, "app"));
            assertThat(before).containsKey("password");
            assertThat(world.look(Play.REF).users()).isEqualTo(DesiredUsers.state(Users.off(Users.APP)));
            world.tick(20);

            done(new Play(world, spec(version, 3, Users.APP)));

            assertThat(world.look(Play.REF).users()).isEqualTo(DesiredUsers.state(Users.APP));
            assertThat(world.passwords().entries(Play.REF, RingPasswords.userSecret(Play.REF, "app")))
                    .isEqualTo(before);
        }
    }

    /// Read before a merge, by whoever runs the clients.
    @Test
    void plansTellWhatClientsNotice() {
        var enabling = new Play(ring("3.5.30", 3), spec("3.5.30", 3, TWO)).plan();
        assertThat(enabling.operations().getFirst().forClients())
                .isEqualTo("clients that are no users lose access, and their leases end");

        var changing = new Play(enabled("3.5.30", 3, TWO), spec("3.5.30", 3, Users.APP)).plan();
        assertThat(changing.operations().getFirst().forClients()).contains("can be refused once");

        var next = Users.auth(
                false,
                List.of(Users.user("app", Users.password(2), "reader")),
                Map.of("reader", List.of(Users.READ_APP)));
        var rotating = new Play(enabled("3.5.30", 3, Users.APP), spec("3.5.30", 3, next)).plan();
        assertThat(rotating.operations().getFirst().forClients()).contains("the former passwords are refused");
    }

    @Test
    void usersFollowTheDocuments() {
        for (String version : VERSIONS) {
            var world = enabled(version, 3, TWO);
            var play = new Play(world, spec(version, 3, Users.APP));

            assertThat(play.plan().operations())
                    .extracting(o -> o.operation().kind())
                    .containsExactly("SyncUsers");
            done(play);

            assertThat(world.look(Play.REF).users()).isEqualTo(DesiredUsers.state(Users.APP));
        }
    }

    @Test
    void whatHandsHaveChangedIsMendedOrTold() {
        var world = enabled("3.5.30", 3, TWO);
        world.faults(Play.REF).change(new AuthChange.GrantKeys("reader", Users.ALL_APP), Optional.empty());
        world.faults(Play.REF).change(new AuthChange.DeleteUser("web"), Optional.empty());
        world.faults(Play.REF).change(new AuthChange.AddUser("eve"), Optional.of("abc"));
        var play = new Play(world, spec("3.5.30", 3, TWO));

        var plan = play.plan();
        assertThat(plan.operations()).singleElement().satisfies(o -> {
            assertThat(o.operation().kind()).isEqualTo("SyncUsers");
            assertThat(o.operation().reason()).contains("by hand");
        });
        assertThat(plan.findings()).extracting(f -> f.code()).contains("foreign-users");
        done(play);

        var users = world.look(Play.REF).users();
        assertThat(users.users()).containsKeys("app", "web", "eve");
        assertThat(users.roles()).isEqualTo(TWO.roles());
    }

    @Test
    void exclusiveDocumentsRemoveStrangers() {
        var world = enabled("3.5.30", 3, TWO);
        world.faults(Play.REF).change(new AuthChange.AddUser("eve"), Optional.of("abc"));
        var alone = new Auth(true, true, TWO.users(), TWO.roles());
        done(new Play(world, spec("3.5.30", 3, alone)));

        assertThat(world.look(Play.REF).users()).isEqualTo(DesiredUsers.state(TWO));
    }

    @Test
    void disabledByHandIsToldAndMended() {
        var world = enabled("3.5.30", 3, Users.APP);
        world.faults(Play.REF).change(new AuthChange.Disable(), Optional.empty());
        var play = new Play(world, spec("3.5.30", 3, Users.APP));

        assertThat(play.plan().findings()).extracting(f -> f.code()).contains("auth-disabled");
        done(play);

        assertThat(world.look(Play.REF).users().enabled()).isTrue();
    }

    /// A number in the documents asks for it.
    @Test
    void passwordIsChanged() {
        var world = enabled("3.5.30", 3, Users.APP);
        var next = Users.auth(
                false,
                List.of(Users.user("app", Users.password(2), "reader")),
                Map.of("reader", List.of(Users.READ_APP)));
        var play = new Play(world, spec("3.5.30", 3, next));

        assertThat(play.plan().operations())
                .extracting(o -> o.operation().kind())
                .containsExactly("RotatePasswords");
        done(play);
        assertThat(play.plan().situation()).isEqualTo(Situation.IN_SYNC);
    }

    @Test
    void passwordOfRootIsChanged() {
        for (String version : VERSIONS) {
            var world = enabled(version, 3, Users.APP);
            // What a play generates is the same in each play.
            world.passwords().putOurs(Play.REF, RingPasswords.rootSecret(Play.REF), RingPasswords.KEY, "the first");
            world.faults(Play.REF).change(new AuthChange.ChangePassword("root"), Optional.of("the first"));
            var play = new Play(world, spec(version, 3, Users.root(Users.APP, 2)));

            assertThat(play.plan().operations())
                    .extracting(o -> o.operation().kind())
                    .containsExactly("RotatePasswords");
            done(play);

            assertThat(rootSecret(world))
                    .containsOnlyKeys("username", "password")
                    .doesNotContainValue("the first");
            assertThat(play.plan().situation()).isEqualTo(Situation.IN_SYNC);
        }
    }

    /// The ring and the Secret never have only passwords that do not match: the fake lets root in with the Secret
    /// alone.
    @Test
    void killedRotationLocksNobodyOut() {
        var wanted = spec("3.5.30", 3, Users.root(Users.APP, 2));
        var boundaries = new Play(enabled("3.5.30", 3, Users.APP), wanted).boundaryNames();
        for (String boundary : boundaries) {
            var world = enabled("3.5.30", 3, Users.APP);
            var play = new Play(world, wanted);
            play.killedAt(boundary);

            assertThat(play.plan().situation()).as(boundary).isNotEqualTo(Situation.UNKNOWN);
            assertThat(play.untilQuiet(3).situation()).as(boundary).isEqualTo(Situation.IN_SYNC);
            assertThat(rootSecret(world)).as(boundary).containsOnlyKeys("username", "password");
        }
    }

    private static SortedMap<String, String> rootSecret(FakeWorld world) {
        return world.passwords().entries(Play.REF, RingPasswords.rootSecret(Play.REF));
    }

    @Test
    void isDisabledOnlyWhereADocumentSaysSo() {
        var world = enabled("3.5.30", 3, Users.APP);
        var silent = new Play(world, Given.spec(Play.REF, 3, "3.5.30"));
        assertThat(silent.plan().operations()).isEmpty();
        assertThat(silent.plan().findings()).extracting(f -> f.code()).contains("auth-stays");

        var play = new Play(world, spec("3.5.30", 3, Users.off(Users.APP)));
        assertThat(play.plan().operations())
                .extracting(o -> o.operation().kind())
                .containsExactly("DisableAuth");
        assertThat(play.once(FaultHook.NONE).outcome()).isEqualTo(Outcome.HELD);
        ReleasePlaysTest.approve(play);
        assertThat(play.once(FaultHook.NONE).outcome()).isEqualTo(Outcome.DONE);
        assertThat(world.look(Play.REF).users().enabled()).isFalse();
        assertThat(world.look(Play.REF).users().users()).containsKeys("app", "root");
        assertThat(play.plan().situation()).isEqualTo(Situation.IN_SYNC);
    }

    /// Whatever a ring needs, it needs it with authentication too.
    @Test
    void everythingElseGoesOn() {
        for (String version : VERSIONS) {
            var world = enabled(version, 3, Users.APP);
            var grown = new Play(world, spec(version, 5, Users.APP));
            done(grown);
            world.tick(20);
            done(new Play(world, spec(version, 3, Users.APP)));
            world.tick(20);
            done(new Play(world, Specs.withResources(spec(version, 3, Users.APP))));

            assertThat(world.look(Play.REF).users()).isEqualTo(DesiredUsers.state(Users.APP));
        }
    }

    @Test
    void upgradesAndDowngradesGoOn() {
        var world = enabled("3.6.14", 3, Users.APP);
        done(new Play(world, spec("3.7.1", 3, Users.APP)));
        world.tick(20);
        done(new Play(world, spec("3.6.14", 3, Users.APP)));

        assertThat(world.look(Play.REF).versions()).containsOnly("3.6.14");
        assertThat(world.look(Play.REF).users()).isEqualTo(DesiredUsers.state(Users.APP));
    }

    /// etcd 3.3 would give an empty password to a user without one.
    @Test
    void usersFollowTheUpgradeFrom33() {
        for (var auth : List.of(TWO, Users.off(TWO))) {
            var world = ring("3.3.25", 3);
            var play = new Play(world, spec("3.4.23", 3, auth));

            assertThat(play.plan().operations())
                    .extracting(o -> o.operation().kind())
                    .containsExactly("UpgradeVersion");
            assertThat(play.plan().findings()).extracting(f -> f.code()).contains("auth-after-upgrade");
            assertThat(play.once(FaultHook.NONE).outcome()).isEqualTo(Outcome.DONE);
            world.tick(20);
            done(new Play(world, spec("3.4.23", 3, auth)));

            assertThat(world.look(Play.REF).users()).isEqualTo(DesiredUsers.state(auth));
        }
    }

    /// Between the two commits somebody may change or lose a Secret, and etcd checks no password before.
    @Test
    void passwordsAreThoseOfTheSecretsWhenTheyAreNeeded() {
        String secret = RingPasswords.userSecret(Play.REF, "app");
        for (boolean lost : List.of(true, false)) {
            var world = ring("3.5.30", 3);
            done(new Play(world, spec("3.5.30", 3, Users.off(Users.APP))));
            world.tick(20);
            if (lost) {
                world.passwords().lose(Play.REF, secret);
            } else {
                world.passwords().putByHand(Play.REF, secret, "password", "another");
            }

            var play = new Play(world, spec("3.5.30", 3, Users.APP));
            assertThat(play.once(FaultHook.NONE).outcome()).isEqualTo(Outcome.DONE);

            assertThat(play.plan().situation()).isEqualTo(Situation.IN_SYNC);
        }
    }

    @Test
    void enablingWaitsForASecretOfOthers() {
        var own = new User.SignIn.Password(Optional.of(new User.SecretRef("mine", "password")), 1);
        var auth =
                Users.auth(false, List.of(Users.user("app", own, "reader")), Map.of("reader", List.of(Users.READ_APP)));
        var world = ring("3.5.30", 3);
        world.passwords().putByHand(Play.REF, "mine", "password", "first");
        done(new Play(world, spec("3.5.30", 3, Users.off(auth))));
        world.tick(20);
        world.passwords().lose(Play.REF, "mine");

        var play = new Play(world, spec("3.5.30", 3, auth));
        assertThat(play.once(FaultHook.NONE).outcome()).isEqualTo(Outcome.HELD);
        assertThat(world.look(Play.REF).users().enabled()).isFalse();
        world.passwords().putByHand(Play.REF, "mine", "password", "second");
        world.tick(20);
        done(new Play(world, spec("3.5.30", 3, auth)));

        assertThat(world.look(Play.REF).users().enabled()).isTrue();
    }
}
