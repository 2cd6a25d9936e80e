package io.github.etcdgitops.gateway;

import static io.github.etcdgitops.gateway.RingUsers.Outcome.ALREADY_SO;
import static io.github.etcdgitops.gateway.RingUsers.Outcome.DONE;
import static io.github.etcdgitops.gateway.UsersUnderTest.DEADLINE;
import static io.github.etcdgitops.gateway.UsersUnderTest.PASSWORD;
import static io.github.etcdgitops.spec.auth.Grant.Access.READ;
import static io.github.etcdgitops.spec.auth.Grant.Access.READWRITE;
import static io.github.etcdgitops.spec.auth.Grant.Access.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.spec.auth.Grant;
import io.github.etcdgitops.spec.auth.KeyRange;
import io.github.etcdgitops.spec.auth.User;
import io.github.etcdgitops.state.auth.AuthChange;
import io.github.etcdgitops.state.auth.AuthChange.AddRole;
import io.github.etcdgitops.state.auth.AuthChange.AddUser;
import io.github.etcdgitops.state.auth.AuthChange.AddUserWithoutPassword;
import io.github.etcdgitops.state.auth.AuthChange.ChangePassword;
import io.github.etcdgitops.state.auth.AuthChange.DeleteRole;
import io.github.etcdgitops.state.auth.AuthChange.DeleteUser;
import io.github.etcdgitops.state.auth.AuthChange.Disable;
import io.github.etcdgitops.state.auth.AuthChange.Enable;
import io.github.etcdgitops.state.auth.AuthChange.GrantKeys;
import io.github.etcdgitops.state.auth.AuthChange.GrantRole;
import io.github.etcdgitops.state.auth.AuthChange.RevokeKeys;
import io.github.etcdgitops.state.auth.AuthChange.RevokeRole;
import io.github.etcdgitops.state.auth.AuthState;
import io.github.etcdgitops.state.auth.AuthStatus;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/// What every [RingUsers] does, the real one and the fake alike. What only some releases do is asked of those alone.
public abstract class RingUsersContract {
    private static final KeyRange ORDERS = KeyRange.prefix("orders/");
    private static final KeyRange A_TO_C = KeyRange.range("a", "c");

    /// A ring that never had a user. The caller closes it.
    protected abstract UsersUnderTest found();

    @Test
    void newRingHasNoUsers() {
        try (var ring = found()) {
            assertThat(ring.read()).isEqualTo(AuthState.NONE);
            assertThat(ring.enabled()).isFalse();
        }
    }

    @Test
    void readsWhatWasMade() {
        try (var ring = found()) {
            var grants = Set.of(
                    new Grant(READ, KeyRange.key("one")),
                    new Grant(WRITE, ORDERS),
                    new Grant(READWRITE, KeyRange.range("k", "q")),
                    new Grant(READ, KeyRange.range("x", "\0")),
                    new Grant(WRITE, KeyRange.ALL));
            ring.addUserOf("all-kinds", "alice");
            grants.forEach(grant -> ring.make(new GrantKeys("all-kinds", grant)));
            ring.make(new AddRole("empty"));
            ring.make(new AddUserWithoutPassword("bob"));
            ring.make(new GrantRole("alice", "empty"));
            ring.addRoot();

            var before = ring.read();
            ring.make(new Enable());
            var after = ring.read();

            assertThat(before.enabled()).isFalse();
            assertThat(before.users())
                    .isEqualTo(Map.of(
                            "alice", Set.of("all-kinds", "empty"), "bob", Set.of(), User.ROOT, Set.of(User.ROOT)));
            assertThat(before.roles()).isEqualTo(Map.of("all-kinds", grants, "empty", Set.of(), User.ROOT, Set.of()));
            assertThat(after).isEqualTo(new AuthState(true, before.users(), before.roles()));
        }
    }

    @Test
    void readsMoreThanOneConnectionTakes() {
        try (var ring = found()) {
            for (int i = 0; i < 120; i++) {
                ring.make(new AddRole("role-" + i));
            }

            assertThat(ring.read().roles()).hasSize(120);
        }
    }

    @Test
    void authenticationIsEnabledWithTheUserRootAndItsRole() {
        try (var ring = found()) {
            assertRefused(ring, new Enable());
            ring.make(new AddUser(User.ROOT));
            assertRefused(ring, new Enable());
            assertThat(ring.enabled()).isFalse();

            ring.make(new GrantRole(User.ROOT, User.ROOT));

            assertThat(ring.make(new Enable())).isEqualTo(DONE);
            assertThat(ring.enabled()).isTrue();
            assertThat(ring.make(new Disable())).isEqualTo(DONE);
            assertThat(ring.enabled()).isFalse();
            assertThat(ring.read().users()).containsOnlyKeys(User.ROOT);
        }
    }

    /// Whoever knows the users of one revision need not read them while it is the same.
    @Test
    void everyChangeRaisesTheRevision() {
        try (var ring = found()) {
            assumeRevisions(ring);
            ring.addRoot();
            for (var change : List.of(
                    new AddRole("reader"),
                    new GrantKeys("reader", new Grant(READ, ORDERS)),
                    new GrantKeys("reader", new Grant(READWRITE, ORDERS)),
                    new RevokeKeys("reader", ORDERS),
                    new AddUser("alice"),
                    new AddUserWithoutPassword("bob"),
                    new GrantRole("alice", "reader"),
                    new ChangePassword("alice"),
                    new ChangePassword(User.ROOT),
                    new RevokeRole("alice", "reader"),
                    new DeleteRole("reader"),
                    new DeleteUser("alice"),
                    new Disable())) {
                ring.make(new Enable());
                var before = ring.status();
                ring.make(change);
                var after = ring.status();

                assertThat(before.enabled()).isTrue();
                assertThat(after.revision()).as(change.text()).isGreaterThan(before.revision());
            }
        }
    }

    @Test
    void revisionOutlastsReadsSignInsAndEnabling() {
        try (var ring = found()) {
            assumeRevisions(ring);
            ring.addRoot();
            ring.make(new AddUser("alice"));
            var before = ring.status();
            ring.make(new Enable());
            ring.read();
            assertThat(ring.accepts("alice", PASSWORD)).isTrue();
            assertThat(ring.accepts("alice", "swordfish")).isFalse();

            assertThat(before.enabled()).isFalse();
            assertThat(ring.status()).isEqualTo(new AuthStatus(true, before.revision()));
        }
    }

    @Test
    void revisionIsForRootBefore37() {
        try (var ring = found()) {
            ring.enable();
            var route = ring.route();
            if (ring.version().atLeast(3, 7, 0)) {
                assertThat(ring.strangers().status(route, DEADLINE)).contains(ring.status());
            } else if (ring.version().atLeast(3, 5, 0)) {
                assertThat(failure(() -> ring.strangers().status(route, DEADLINE))
                                .kind())
                        .isEqualTo(Kind.UNAUTHORIZED);
            } else {
                assertThat(ring.users().status(route, DEADLINE)).isEmpty();
            }
        }
    }

    private static void assumeRevisions(UsersUnderTest ring) {
        Assumptions.assumeTrue(ring.version().atLeast(3, 5, 0), "etcd tells the revision from 3.5 on");
    }

    @Test
    void whatIsSoAlreadyIsNoFailure() {
        try (var ring = found()) {
            ring.enable();
            ring.addUserOf("reader", "alice");
            ring.grant("reader", READ, ORDERS);

            assertThat(outcomes(
                            ring,
                            new AddUser("alice"),
                            new AddUserWithoutPassword("alice"),
                            new AddRole("reader"),
                            new DeleteUser("nobody"),
                            new DeleteRole("nothing"),
                            new RevokeRole("alice", "nothing"),
                            new RevokeRole("nobody", "reader"),
                            new RevokeKeys("reader", A_TO_C),
                            new RevokeKeys("nothing", A_TO_C)))
                    .containsOnly(ALREADY_SO);
            assertThat(outcomes(
                            ring,
                            new GrantRole("alice", "reader"),
                            new GrantKeys("reader", new Grant(READ, ORDERS)),
                            new Enable()))
                    .as("etcd does not tell")
                    .containsOnly(DONE);
            assertThat(ring.read().users().get("alice")).containsExactly("reader");
            ring.make(new Disable());
            assertThat(ring.make(new Disable())).isEqualTo(DONE);
        }
    }

    @Test
    void everyChangeCanBeMadeTwice() {
        try (var ring = found()) {
            ring.enable();
            ring.addUserOf("reader", "alice");
            ring.grant("reader", READ, ORDERS);

            for (var change : List.of(
                    new RevokeKeys("reader", ORDERS),
                    new RevokeRole("alice", "reader"),
                    new DeleteRole("reader"),
                    new DeleteUser("alice"))) {
                assertThat(ring.make(change)).as(change.text()).isEqualTo(DONE);
                assertThat(ring.make(change)).as(change.text()).isEqualTo(ALREADY_SO);
            }
        }
    }

    @Test
    void deletedRoleIsTakenFromItsUsers() {
        try (var ring = found()) {
            ring.addUserOf("reader", "alice");
            ring.make(new DeleteRole("reader"));
            ring.make(new AddRole("reader"));

            assertThat(ring.read().users()).containsEntry("alice", new TreeSet<>());
        }
    }

    @Test
    void whatDoesNotExistIsNotFound() {
        try (var ring = found()) {
            ring.enable();
            ring.addUser("alice");

            for (var change : List.of(
                    new GrantRole("nobody", User.ROOT),
                    new GrantRole("alice", "nothing"),
                    new GrantKeys("nothing", new Grant(READ, ORDERS)),
                    new ChangePassword("nobody"))) {
                var refused = failure(() -> ring.make(change));

                assertThat(refused.kind()).as(change.text()).isEqualTo(Kind.NOT_FOUND);
                assertThat(refused.mayHaveHappened()).isFalse();
            }
        }
    }

    /// For a certificate whose common name is no user, etcd has the same words as for a user that is not there.
    @Test
    void whoIsNotRootGetsNoAnswer() {
        try (var ring = found()) {
            ring.enable();
            ring.addUser("alice");
            var route = ring.route();

            var calls = List.<ThrowingCallable>of(
                    () -> ring.strangers().read(route, DEADLINE),
                    () -> ring.strangers().apply(route, new DeleteUser("alice"), Optional.empty(), DEADLINE),
                    () -> ring.strangers().apply(route, new DeleteUser("nobody"), Optional.empty(), DEADLINE),
                    () -> ring.strangers().apply(route, new ChangePassword("alice"), Optional.of("x"), DEADLINE),
                    () -> ring.strangers().apply(route, new Disable(), Optional.empty(), DEADLINE));

            assertThat(calls)
                    .map(RingUsersContract::failure)
                    .allMatch(e -> e.kind() == Kind.UNAUTHORIZED && !e.mayHaveHappened());
            assertThat(ring.read().users()).containsOnlyKeys("alice", User.ROOT);
        }
    }

    @Test
    void acceptsOnlyTheUsersOwnPassword() {
        try (var ring = found()) {
            ring.addRoot();
            ring.make(new AddUser("alice"));
            ring.make(new AddUserWithoutPassword("bob"));
            assertThat(failure(() -> ring.accepts("alice", PASSWORD)).kind())
                    .as("nobody's password is checked")
                    .isEqualTo(Kind.REJECTED);
            ring.make(new Enable());

            assertThat(ring.accepts("alice", PASSWORD)).isTrue();
            assertThat(ring.accepts("alice", "swordfish")).isFalse();
            assertThat(ring.accepts("nobody", PASSWORD)).isFalse();
            assertThat(ring.accepts("bob", PASSWORD)).isFalse();
            assertThat(ring.changePassword("alice", "swordfish")).isEqualTo(DONE);
            assertThat(ring.accepts("alice", "swordfish")).isTrue();
            assertThat(ring.accepts("alice", PASSWORD)).isFalse();
        }
    }

    @Test
    void userThatExistsKeepsItsPassword() {
        try (var ring = found()) {
            ring.enable();
            ring.make(new AddUser("alice"));

            var again = ring.users().apply(ring.route(), new AddUser("alice"), Optional.of("swordfish"), DEADLINE);

            assertThat(again).isEqualTo(ALREADY_SO);
            assertThat(ring.accepts("alice", PASSWORD)).isTrue();
            assertThat(ring.accepts("alice", "swordfish")).isFalse();
        }
    }

    @Test
    void userWithoutPasswordKeepsNone() {
        try (var ring = found()) {
            ring.enable();
            ring.make(new AddUserWithoutPassword("bob"));

            assertThat(ring.changePassword("bob", "swordfish")).isEqualTo(DONE);
            assertThat(ring.accepts("bob", "swordfish")).isFalse();
        }
    }

    @Test
    void passwordIsGivenWhereItIsNeeded() {
        try (var ring = found()) {
            var calls = List.<ThrowingCallable>of(
                    () -> ring.users().apply(ring.route(), new AddUser("alice"), Optional.empty(), DEADLINE),
                    () -> ring.users().apply(ring.route(), new AddUser("alice"), Optional.of(""), DEADLINE),
                    () -> ring.users().apply(ring.route(), new AddRole("reader"), Optional.of("x"), DEADLINE));

            calls.forEach(call -> assertThat(catchThrowableOfType(IllegalArgumentException.class, call))
                    .isNotNull());
            assertThat(ring.read()).isEqualTo(AuthState.NONE);
        }
    }

    @Test
    void userIsRefusedExactlyOutsideItsRanges() {
        try (var ring = found()) {
            ring.enable();
            ring.addUserOf("mixed", "alice");
            ring.grant("mixed", READ, KeyRange.key("one"));
            ring.grant("mixed", WRITE, KeyRange.prefix("w/"));
            ring.grant("mixed", READWRITE, KeyRange.range("k", "m"));
            ring.grant("mixed", READ, KeyRange.range("m", "o"));
            ring.grant("mixed", READ, KeyRange.range("x", "\0"));

            var readable = List.of(
                    KeyRange.key("one"),
                    KeyRange.key("k"),
                    KeyRange.key("lzz"),
                    KeyRange.range("k", "m"),
                    KeyRange.range("k", "o"),
                    KeyRange.key("x"),
                    KeyRange.range("xx", "\0"),
                    KeyRange.range("y", "z"));
            var unreadable = List.of(
                    KeyRange.key("on"),
                    KeyRange.key("one0"),
                    KeyRange.range("one", "one1"),
                    KeyRange.prefix("w/"),
                    KeyRange.key("jzz"),
                    KeyRange.key("o"),
                    KeyRange.range("k", "o0"),
                    KeyRange.range("j", "m"),
                    KeyRange.key("wzz"),
                    KeyRange.ALL);
            assertThat(readable).allMatch(keys -> ring.lets("alice", READ, keys));
            assertThat(unreadable).noneMatch(keys -> ring.lets("alice", READ, keys));
            assertThat(List.of(
                            KeyRange.key("w/"), KeyRange.key("w/1"), KeyRange.prefix("w/"), KeyRange.range("k", "m")))
                    .allMatch(keys -> ring.lets("alice", WRITE, keys));
            assertThat(List.of(
                            KeyRange.key("w"),
                            KeyRange.key("w0"),
                            KeyRange.key("one"),
                            KeyRange.key("m"),
                            KeyRange.range("k", "m0"),
                            KeyRange.key("x")))
                    .noneMatch(keys -> ring.lets("alice", WRITE, keys));
            assertThat(ring.lets("alice", READWRITE, KeyRange.key("l"))).isTrue();
            assertThat(ring.lets("alice", READWRITE, KeyRange.key("n"))).isFalse();
        }
    }

    @Test
    void openClientFollowsEachChange() {
        try (var ring = found()) {
            ring.enable();
            ring.addUserOf("writer", "alice");
            assertThat(ring.lets("alice", WRITE, ORDERS)).as("without a grant").isFalse();

            ring.grant("writer", READWRITE, ORDERS);
            assertThat(ring.lets("alice", READWRITE, ORDERS)).isTrue();
            ring.addUser("bob");
            assertThat(ring.lets("alice", READWRITE, ORDERS))
                    .as("after a change of others")
                    .isTrue();
            ring.grant("writer", READ, ORDERS);
            assertThat(ring.lets("alice", READ, ORDERS)).isTrue();
            assertThat(ring.lets("alice", WRITE, ORDERS)).isFalse();
            ring.revoke("writer", ORDERS);
            assertThat(ring.lets("alice", READ, ORDERS)).isFalse();
            ring.grant("writer", READ, ORDERS);
            assertThat(ring.lets("alice", READ, ORDERS)).isTrue();
            ring.make(new RevokeRole("alice", "writer"));
            assertThat(ring.lets("alice", READ, ORDERS)).isFalse();
        }
    }

    @Test
    void deletedUserIsRefusedAtOnce() {
        try (var ring = found()) {
            ring.enable();
            ring.addUserOf("writer", "alice");
            ring.grant("writer", READWRITE, ORDERS);
            assertThat(ring.lets("alice", WRITE, ORDERS)).isTrue();

            ring.make(new DeleteUser("alice"));

            assertThat(ring.lets("alice", WRITE, ORDERS)).isFalse();
        }
    }

    @Test
    void changedPasswordEndsTheSessionsOfTheUser() {
        try (var ring = found()) {
            Assumptions.assumeFalse(ring.secured(), "a certificate needs no session");
            ring.enable();
            ring.addUserOf("writer", "alice");
            ring.grant("writer", READWRITE, ORDERS);
            assertThat(ring.lets("alice", WRITE, ORDERS)).isTrue();

            ring.changePassword("alice", "swordfish");

            assertThat(ring.lets("alice", WRITE, ORDERS)).isFalse();
        }
    }

    /// etcd looks only at the first range that begins with the key.
    @Test
    void roleMayHaveTwoAccessesOnOneRange() {
        try (var ring = found()) {
            ring.make(new AddRole("reader"));
            ring.grant("reader", READ, KeyRange.range("a", "b"));
            ring.grant("reader", READWRITE, A_TO_C);

            ring.grant("reader", READ, A_TO_C);
            assertThat(ring.read().roles().get("reader"))
                    .contains(new Grant(READWRITE, A_TO_C), new Grant(READ, A_TO_C));
            ring.revoke("reader", A_TO_C);
            ring.grant("reader", READ, A_TO_C);

            assertThat(ring.read().roles().get("reader"))
                    .containsExactly(new Grant(READ, KeyRange.range("a", "b")), new Grant(READ, A_TO_C));
        }
    }

    @Test
    void rootStaysWhileAuthenticationIsEnabled() {
        try (var ring = found()) {
            ring.enable();

            assertRefused(ring, new DeleteUser(User.ROOT));
            assertRefused(ring, new DeleteRole(User.ROOT));
            assertRefused(ring, new RevokeRole(User.ROOT, User.ROOT));
            ring.make(new Disable());

            assertThat(ring.make(new DeleteUser(User.ROOT))).isEqualTo(DONE);
            assertThat(ring.make(new DeleteRole(User.ROOT))).isEqualTo(DONE);
            assertThat(ring.read()).isEqualTo(AuthState.NONE);
        }
    }

    @Test
    void rangesWithoutKeysAreRefusedFrom35On() {
        try (var ring = found()) {
            ring.make(new AddRole("reader"));
            var odd = List.of(KeyRange.range("b", "a"), KeyRange.range("b", "b"), KeyRange.range("", "\0"));

            if (ring.version().atLeast(3, 5, 0)) {
                odd.forEach(keys -> assertRefused(ring, new GrantKeys("reader", new Grant(READ, keys))));
                assertThat(ring.read().roles()).containsEntry("reader", new TreeSet<>());
            } else {
                odd.forEach(keys -> ring.grant("reader", READ, keys));
                assertThat(ring.read().roles().get("reader")).map(Grant::keys).containsExactlyInAnyOrderElementsOf(odd);
            }
        }
    }

    private static List<RingUsers.Outcome> outcomes(UsersUnderTest ring, AuthChange... changes) {
        return List.of(changes).stream().map(ring::make).toList();
    }

    private static void assertRefused(UsersUnderTest ring, AuthChange change) {
        var refused = failure(() -> ring.make(change));

        assertThat(refused.kind()).as(change.text()).isEqualTo(Kind.REJECTED);
        assertThat(refused.mayHaveHappened()).isFalse();
    }

    private static GatewayException failure(ThrowingCallable call) {
        return catchThrowableOfType(GatewayException.class, call);
    }
}
