package io.github.etcdgitops.worlds;

import static io.github.etcdgitops.worlds.TlsPlaysTest.done;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.gateway.RingPasswords;
import io.github.etcdgitops.plan.ClusterPlan.Situation;
import io.github.etcdgitops.ring.auth.Users;
import io.github.etcdgitops.spec.auth.Auth;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.state.auth.AuthChange;
import io.github.etcdgitops.state.auth.UsersRevision;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.value.EtcdId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/// A run reads the users of a ring only where something may have changed since a moment that the journal knows.
class UsersSeenPlaysTest {
    private static final String ROOT = RingPasswords.rootSecret(Play.REF);

    private static EtcdClusterSpec spec(String version, Auth auth) {
        return Given.spec(Play.REF, 3, version).with(Optional.of(auth));
    }

    private static FakeWorld ring(String version, Auth auth) {
        var world = AuthPlaysTest.ring(version, 3);
        done(new Play(world, spec(version, auth)));
        world.tick(20);
        return world;
    }

    /// How often a plan reads users.
    private static int reads(FakeWorld world, EtcdClusterSpec spec) {
        int before = world.faults(Play.REF).usersRead();
        new Play(world, spec).plan();
        return world.faults(Play.REF).usersRead() - before;
    }

    @Test
    void nothingIsReadAgainWhereNothingChanged() {
        for (String version : List.of("3.5.30", "3.6.14", "3.7.1")) {
            for (var auth : List.of(Users.APP, Users.off(Users.APP))) {
                var world = ring(version, auth);
                assertThat(reads(world, spec(version, auth))).isZero();
                assertThat(new Play(world, spec(version, auth)).plan().situation())
                        .isEqualTo(Situation.IN_SYNC);
            }
        }
    }

    @Test
    void olderReleasesTellNoRevision() {
        assertThat(reads(ring("3.4.23", Users.APP), spec("3.4.23", Users.APP))).isEqualTo(1);
    }

    @Test
    void everyChangeByHandIsNoticed() {
        for (var change : List.of(
                new AuthChange.AddRole("other"),
                new AuthChange.DeleteRole("reader"),
                new AuthChange.GrantKeys("reader", Users.ALL_APP),
                new AuthChange.RevokeKeys("reader", Users.READ_APP.keys()),
                new AuthChange.AddUserWithoutPassword("eve"),
                new AuthChange.DeleteUser("app"),
                new AuthChange.GrantRole("app", "root"),
                new AuthChange.RevokeRole("app", "reader"),
                new AuthChange.Disable())) {
            noticed(change.text(), world -> world.faults(Play.REF).change(change, Optional.empty()));
        }
        noticed(
                "a password",
                world -> world.faults(Play.REF).change(new AuthChange.ChangePassword("app"), Optional.of("other")));
        noticed("a Secret that nobody may read", world -> world.passwords().forbid(Play.REF, ROOT));
    }

    /// etcd does not raise the revision then.
    @Test
    void enablingByHandIsNoticed() {
        var off = Users.off(Users.APP);
        var world = ring("3.5.30", off);
        var faults = world.faults(Play.REF);
        faults.change(new AuthChange.AddUser("root"), Optional.of("other"));
        faults.change(new AuthChange.GrantRole("root", "root"), Optional.empty());
        done(new Play(world, spec("3.5.30", off)));
        assertThat(reads(world, spec("3.5.30", off))).isZero();

        faults.change(new AuthChange.Enable(), Optional.empty());

        assertThat(reads(world, spec("3.5.30", off))).isEqualTo(1);
    }

    /// From 3.7 on everybody is told the revision: it does not prove that root can sign in.
    @Test
    void rootThatIsLockedOutIsNoticed() {
        for (String version : List.of("3.5.16", "3.7.1")) {
            for (Consumer<FakeWorld> hand : List.<Consumer<FakeWorld>>of(
                    world -> world.passwords().lose(Play.REF, ROOT),
                    world -> world.passwords().putOurs(Play.REF, ROOT, RingPasswords.KEY, "other"),
                    world -> world.faults(Play.REF)
                            .change(new AuthChange.ChangePassword("root"), Optional.of("other")))) {
                var world = ring(version, Users.APP);
                hand.accept(world);

                assertThat(new Play(world, spec(version, Users.APP)).plan().findings())
                        .extracting(f -> f.code())
                        .containsAnyOf("root-locked-out", "ring-unknown");
            }
        }
    }

    /// A restored ring has the revision of its snapshot.
    @Test
    void anotherRingWithTheSameRevisionIsNoticed() {
        noticed(
                "cluster ID",
                world -> seen(world, known -> new UsersRevision(new EtcdId(1), known.revision(), known.rootSecret())));
        noticed(
                "revision",
                world -> seen(
                        world, known -> new UsersRevision(known.cluster(), known.revision() - 1, known.rootSecret())));
    }

    private static void seen(FakeWorld world, UnaryOperator<UsersRevision> other) {
        var kube = world.kubernetes();
        var stored = kube.read(Play.REF, 1).storedJournal().orElseThrow();
        var data = stored.journal().past().data();
        var journal = stored.journal()
                .withUsers(
                        data.users().orElseThrow(),
                        data.passwordsAt(),
                        data.seen().map(other));
        kube.writeJournal(Play.REF, journal, Optional.of(stored.resourceVersion()));
    }

    private static void noticed(String what, Consumer<FakeWorld> hand) {
        var spec = spec("3.5.30", Users.APP);
        var world = ring("3.5.30", Users.APP);
        assertThat(reads(world, spec)).as(what).isZero();

        hand.accept(world);

        assertThat(reads(world, spec)).as(what).isEqualTo(1);
    }

    /// A password that others have changed cannot be read: its moment is noted once.
    @Test
    void momentIsNotedOnce() {
        var world = ring("3.5.30", Users.APP);
        world.faults(Play.REF).change(new AuthChange.ChangePassword("app"), Optional.of("other"));
        var play = new Play(world, spec("3.5.30", Users.APP));

        assertThat(play.plan().operations())
                .extracting(o -> o.operation().summary())
                .containsExactly("note that the users and roles are those of the documents");
        done(play);

        assertThat(play.plan().situation()).isEqualTo(Situation.IN_SYNC);
        assertThat(reads(world, play.spec)).isZero();
    }

    /// Their names are told in every plan.
    @Test
    void strangersAreReadInEveryRun() {
        var world = ring("3.5.30", Users.APP);
        world.faults(Play.REF).change(new AuthChange.AddUser("eve"), Optional.of("abc"));
        var play = new Play(world, spec("3.5.30", Users.APP));

        assertThat(reads(world, play.spec)).isEqualTo(1);
        assertThat(play.plan().operations()).isEmpty();
        assertThat(play.plan().findings()).extracting(f -> f.code()).contains("foreign-users");
    }

    /// Users of the documents that change are compared with what the journal knows.
    @Test
    void otherDocumentsNeedNoReading() {
        var world = ring("3.5.30", Users.APP);
        var nobody = spec("3.5.30", Users.auth(false, List.of(), Map.of()));

        assertThat(reads(world, nobody)).isZero();
        assertThat(new Play(world, nobody).plan().operations())
                .extracting(o -> o.operation().kind())
                .containsExactly("SyncUsers");
    }

    /// Whoever restores or copies a ring keeps nothing of this.
    @Test
    void journalForgetsTheMomentWithTheUsers() {
        var world = ring("3.5.30", Users.APP);
        var journal = world.kubernetes().read(Play.REF, 1).knownJournal().orElseThrow();
        assertThat(journal.past().data().seen()).isPresent();
        assertThat(journal.withUsers(journal.past().auth().orElseThrow()).past().data())
                .extracting(Journal.KnownData::seen)
                .isEqualTo(Optional.empty());
    }
}
