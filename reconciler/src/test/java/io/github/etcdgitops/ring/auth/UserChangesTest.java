package io.github.etcdgitops.ring.auth;

import static io.github.etcdgitops.ring.auth.Users.ALL_APP;
import static io.github.etcdgitops.ring.auth.Users.APP;
import static io.github.etcdgitops.ring.auth.Users.CERTIFICATE;
import static io.github.etcdgitops.ring.auth.Users.PASSWORD;
import static io.github.etcdgitops.ring.auth.Users.READ_APP;
import static io.github.etcdgitops.ring.auth.Users.auth;
import static io.github.etcdgitops.ring.auth.Users.known;
import static io.github.etcdgitops.ring.auth.Users.names;
import static io.github.etcdgitops.ring.auth.Users.state;
import static io.github.etcdgitops.ring.auth.Users.user;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.ring.RequestedBy;
import io.github.etcdgitops.spec.auth.Auth;
import io.github.etcdgitops.spec.auth.Grant;
import io.github.etcdgitops.spec.auth.KeyRange;
import io.github.etcdgitops.state.auth.AuthChange;
import io.github.etcdgitops.state.auth.AuthState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class UserChangesTest {
    @Test
    void anEmptyRingGetsRolesBeforeUsers() {
        var changes = UserChanges.of(AuthState.NONE, APP, Optional.empty());
        assertThat(changes.gives())
                .containsExactly(
                        new AuthChange.AddRole("reader"),
                        new AuthChange.GrantKeys("reader", READ_APP),
                        new AuthChange.AddUser("app"),
                        new AuthChange.GrantRole("app", "reader"));
        assertThat(changes.takes()).isEmpty();
    }

    /// Those whose documents count as what asks for the changes.
    @Test
    void namesUsersAndRolesThatChange() {
        assertThat(UserChanges.of(AuthState.NONE, APP, Optional.empty()).requestedBy())
                .isEqualTo(new RequestedBy.Accounts(Set.of("app"), Set.of("reader")));
        var more = auth(false, List.of(user("app", PASSWORD)), Map.of("reader", List.of(READ_APP)));
        var has = state(Map.of("app", names("reader")), Map.of("reader", List.of(READ_APP)));
        assertThat(UserChanges.of(has, more, known(APP)).requestedBy())
                .isEqualTo(new RequestedBy.Accounts(Set.of("app"), Set.of()));
        var none = auth(false, List.of(), Map.of());
        assertThat(UserChanges.of(has, none, known(APP)).requestedBy())
                .isEqualTo(new RequestedBy.Accounts(Set.of("app"), Set.of("reader")));
        assertThat(UserChanges.of(has, APP, known(APP)).requestedBy())
                .isEqualTo(new RequestedBy.Accounts(Set.of(), Set.of()));
    }

    @Test
    void nothingChangesWhereAllIsSo() {
        var changes = UserChanges.of(DesiredUsers.state(APP), APP, known(APP));
        assertThat(changes.none()).isTrue();
        assertThat(changes.strangers().none()).isTrue();
    }

    @Test
    void widerAccessOnTheSameKeysIsGivenAndNarrowerIsTaken() {
        var has = state(Map.of("app", names("reader")), Map.of("reader", List.of(ALL_APP)));
        assertThat(UserChanges.of(has, APP, known(APP)).takes())
                .containsExactly(
                        new AuthChange.RevokeKeys("reader", READ_APP.keys()),
                        new AuthChange.GrantKeys("reader", READ_APP));
        var more = auth(false, List.of(user("app", PASSWORD, "reader")), Map.of("reader", List.of(ALL_APP)));
        var reads = state(Map.of("app", names("reader")), Map.of("reader", List.of(READ_APP)));
        assertThat(UserChanges.of(reads, more, known(more)).gives())
                .containsExactly(new AuthChange.GrantKeys("reader", ALL_APP));
    }

    /// etcd may keep both; what the wider one covers does no harm.
    @Test
    void twoAccessesOnTheSameKeysAreOneTooManyOnlyWhereOneAllowsMore() {
        var both = state(Map.of("app", names("reader")), Map.of("reader", List.of(READ_APP, ALL_APP)));
        assertThat(UserChanges.of(both, APP, known(APP)).takes())
                .containsExactly(
                        new AuthChange.RevokeKeys("reader", READ_APP.keys()),
                        new AuthChange.GrantKeys("reader", READ_APP));
        var all = auth(false, List.of(user("app", PASSWORD, "reader")), Map.of("reader", List.of(ALL_APP)));
        assertThat(UserChanges.of(both, all, known(all)).none()).isTrue();
    }

    @Test
    void aPasswordThatOthersHaveSetIsReplaced() {
        var has = state(Map.of("app", names("reader")), Map.of("reader", List.of(READ_APP)));
        assertThat(UserChanges.of(has, APP, Optional.empty()).takes())
                .containsExactly(new AuthChange.ChangePassword("app"));
    }

    /// It may have a password that only others know.
    @Test
    void aUserOfOthersWhoShallHaveACertificateIsMadeAnew() {
        var certified = auth(false, List.of(user("app", CERTIFICATE, "reader")), Map.of("reader", List.of(READ_APP)));
        var has = state(Map.of("app", names("reader")), Map.of("reader", List.of(READ_APP)));
        assertThat(UserChanges.of(has, certified, Optional.empty()).takes())
                .startsWith(new AuthChange.DeleteUser("app"), new AuthChange.AddUserWithoutPassword("app"));
        assertThat(UserChanges.of(has, certified, known(certified)).none()).isTrue();
    }

    @Test
    void aUserWhoGetsACertificateIsMadeAnew() {
        var certified = auth(false, List.of(user("app", CERTIFICATE, "reader")), Map.of("reader", List.of(READ_APP)));
        var has = state(Map.of("app", names("reader")), Map.of("reader", List.of(READ_APP)));
        assertThat(UserChanges.of(has, certified, known(APP)).takes())
                .containsExactly(
                        new AuthChange.DeleteUser("app"),
                        new AuthChange.AddUserWithoutPassword("app"),
                        new AuthChange.GrantRole("app", "reader"));
    }

    @Test
    void whatOthersMadeStaysUnlessTheDocumentsAreExclusive() {
        var has = state(
                Map.of("app", names("reader"), "eve", names("reader"), "root", names("root")),
                Map.of("reader", List.of(READ_APP), "odd", List.of(ALL_APP), "root", List.of()));
        var left = UserChanges.of(has, APP, known(APP));
        assertThat(left.none()).isTrue();
        assertThat(left.strangers().users()).containsExactly("eve");
        assertThat(left.strangers().roles()).containsExactly("odd");

        var alone = auth(true, List.of(user("app", PASSWORD, "reader")), Map.of("reader", List.of(READ_APP)));
        var removed = UserChanges.of(has, alone, known(alone));
        assertThat(removed.takes()).containsExactly(new AuthChange.DeleteUser("eve"), new AuthChange.DeleteRole("odd"));
        assertThat(removed.strangers().none()).isTrue();
    }

    @Test
    void whatWeMadeAndNoDocumentHasAnyMoreIsRemoved() {
        var has = state(Map.of("app", names("reader"), "old", names("reader")), Map.of("reader", List.of(READ_APP)));
        var former = auth(
                false,
                List.of(user("app", PASSWORD, "reader"), user("old", PASSWORD, "reader")),
                Map.of("reader", List.of(READ_APP)));
        assertThat(UserChanges.of(has, APP, known(former)).takes()).containsExactly(new AuthChange.DeleteUser("old"));
    }

    static Stream<List<Object>> everySmallPair() {
        var states = new ArrayList<AuthState>();
        var wishes = new ArrayList<Auth>();
        for (var grants : List.of(List.<Grant>of(), List.of(READ_APP), List.of(ALL_APP))) {
            for (var roles : List.of(names(), names("reader"), names("reader", "other"))) {
                for (boolean there : List.of(true, false)) {
                    SortedMap<String, SortedSet<String>> users = new TreeMap<>();
                    if (there) {
                        users.put("app", roles);
                    }
                    states.add(state(users, Map.of("reader", grants, "other", List.of())));
                }
                for (boolean exclusive : List.of(true, false)) {
                    wishes.add(auth(
                            exclusive,
                            List.of(user("app", PASSWORD, roles.toArray(String[]::new))),
                            Map.of("reader", grants, "other", List.of(READ_APP))));
                }
            }
        }
        return states.stream().flatMap(has -> wishes.stream().map(wish -> List.<Object>of(has, wish)));
    }

    /// Carried out in order, the changes lead to what is wanted; and as long as only `gives` are done, nobody
    /// has lost anything.
    @ParameterizedTest
    @MethodSource("everySmallPair")
    void theChangesLeadThere(List<Object> pair) {
        var has = (AuthState) pair.get(0);
        var wish = (Auth) pair.get(1);
        var changes = UserChanges.of(has, wish, known(wish));
        var given = after(has, changes.gives());
        assertThat(given.users())
                .allSatisfy((user, roles) ->
                        assertThat(roles).containsAll(has.users().getOrDefault(user, names())));
        assertThat(changes.gives()).noneMatch(change -> change instanceof AuthChange.ChangePassword);
        var end = after(given, changes.takes());
        var wanted = DesiredUsers.state(wish);
        wanted.roles()
                .forEach((role, grants) -> assertThat(end.roles().get(role))
                        .containsAll(grants)
                        .allMatch(left -> grants.stream()
                                .anyMatch(g -> g.keys().equals(left.keys())
                                        && g.access().covers(left.access()))));
        assertThat(end.users().get("app")).isEqualTo(wanted.users().get("app"));
    }

    private static AuthState after(AuthState has, List<AuthChange> changes) {
        var users = new TreeMap<String, SortedSet<String>>();
        has.users().forEach((user, roles) -> users.put(user, new TreeSet<>(roles)));
        var roles = new TreeMap<String, SortedSet<Grant>>();
        has.roles().forEach((role, grants) -> roles.put(role, new TreeSet<>(grants)));
        for (var change : changes) {
            switch (change) {
                case AuthChange.AddRole(String role) -> roles.put(role, new TreeSet<>());
                case AuthChange.DeleteRole(String role) -> roles.remove(role);
                case AuthChange.GrantKeys(String role, Grant grant) -> {
                    roles.get(role).add(grant);
                }
                case AuthChange.RevokeKeys(String role, KeyRange keys) ->
                    roles.get(role).removeIf(g -> g.keys().equals(keys));
                case AuthChange.AddUser(String user) -> users.put(user, new TreeSet<>());
                case AuthChange.AddUserWithoutPassword(String user) -> users.put(user, new TreeSet<>());
                case AuthChange.DeleteUser(String user) -> users.remove(user);
                case AuthChange.ChangePassword _ -> {}
                case AuthChange.GrantRole(String user, String role) ->
                    users.get(user).add(role);
                case AuthChange.RevokeRole(String user, String role) ->
                    users.get(user).remove(role);
                case AuthChange.Enable _, AuthChange.Disable _ -> throw new AssertionError(change);
            }
        }
        return new AuthState(true, users, roles);
    }
}
