package io.github.etcdgitops.ring.auth;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.spec.auth.Auth;
import io.github.etcdgitops.spec.auth.User;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.Glob;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.auth.AuthState;
import io.github.etcdgitops.state.auth.RootPassword;
import io.github.etcdgitops.state.auth.UsersRevision;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.journal.MemberSettings;
import io.github.etcdgitops.state.value.EtcdId;
import io.github.etcdgitops.state.value.Observed;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class AuthenticationTest {
    private static final ClusterRef REF = new ClusterRef("demo", "orders");
    private static final Observed<AuthState> UNREAD = Observed.unknown("a Role has to let it get orders-root-auth");

    private static Authentication planned(
            Optional<Auth> asked, Observed<AuthState> observed, Optional<Journal.Users> known) {
        return planned(asked, new RingState.Access(observed), known, Optional.empty());
    }

    private static Authentication planned(
            Optional<Auth> asked,
            RingState.Access access,
            Optional<Journal.Users> known,
            Optional<UsersRevision> seen) {
        EtcdClusterSpec spec = Given.spec(REF, 3, "3.5.30").with(asked);
        var ring = new RingState(new EtcdId(1), List.of(), List.of()).withAccess(access);
        var journal = new Journal(
                1,
                "token",
                Optional.of(new EtcdId(1)),
                MemberSettings.founding(
                        spec.server(), EtcdVersion.parse("3.5.30").orElseThrow()),
                new TreeMap<>(),
                Optional.empty());
        return Authentication.of(
                spec,
                ring,
                known.map(users -> journal.withUsers(users, Optional.empty(), seen))
                        .orElse(journal));
    }

    private static List<String> kinds(Authentication planned) {
        return planned.operations().stream().map(Operation::kind).toList();
    }

    private static List<String> codes(Authentication planned) {
        return planned.findings().stream().map(Finding::code).toList();
    }

    @Test
    void nobodyAsksAndNothingIsDone() {
        var planned = planned(Optional.empty(), UNREAD, Optional.empty());
        assertThat(kinds(planned)).isEmpty();
        assertThat(planned.findings()).isEmpty();
    }

    @Test
    void isEnabledWhereADocumentAsks() {
        assertThat(kinds(planned(Optional.of(Users.APP), Observed.known(AuthState.NONE), Optional.empty())))
                .containsExactly("EnableAuth");
    }

    /// Before it is enabled everybody may read users: where they cannot be read, nothing is known.
    @Test
    void nothingIsPlannedWhereNothingIsKnown() {
        var planned = planned(Optional.of(Users.APP), UNREAD, Optional.empty());
        assertThat(kinds(planned)).isEmpty();
        assertThat(codes(planned)).containsExactly("auth-unknown");
    }

    @Test
    void aPlannerThatMayNotReadThemComparesWithTheJournal() {
        assertThat(kinds(planned(Optional.of(Users.APP), UNREAD, Users.known(Users.APP))))
                .isEmpty();
        var more = Users.auth(
                false,
                List.of(Users.user("app", Users.PASSWORD, "reader"), Users.user("web", Users.PASSWORD, "reader")),
                Map.of("reader", List.of(Users.READ_APP)));
        assertThat(kinds(planned(Optional.of(more), UNREAD, Users.known(Users.APP))))
                .containsExactly("SyncUsers");
    }

    /// So that the next run need not read the users.
    @Test
    void momentIsNotedWhereNothingDiffers() {
        var now = new UsersRevision(new EtcdId(1), 7, Optional.of("5"));
        assertThat(kinds(planned(now, Optional.empty()))).containsExactly("SyncUsers");
        assertThat(kinds(planned(now, Optional.of(now)))).isEmpty();
        assertThat(kinds(planned(now, Optional.of(new UsersRevision(new EtcdId(1), 6, Optional.of("5"))))))
                .containsExactly("SyncUsers");
        assertThat(kinds(planned(now, Optional.of(new UsersRevision(new EtcdId(2), 7, Optional.of("5"))))))
                .containsExactly("SyncUsers");
        assertThat(kinds(planned(now, Optional.of(new UsersRevision(new EtcdId(1), 7, Optional.of("4"))))))
                .as("a Secret that others touch is no reason to write")
                .isEmpty();
    }

    private static Authentication planned(UsersRevision now, Optional<UsersRevision> seen) {
        var access = new RingState.Access(
                Observed.known(DesiredUsers.state(Users.APP)), RootPassword.ACCEPTED, Optional.of(now));
        return planned(Optional.of(Users.APP), access, Users.known(Users.APP), seen);
    }

    @Test
    void aRemovedFieldDisablesNothing() {
        var planned = planned(Optional.empty(), Observed.known(DesiredUsers.state(Users.APP)), Users.known(Users.APP));
        assertThat(kinds(planned)).isEmpty();
        assertThat(codes(planned)).contains("auth-stays");
    }

    @Test
    void isDisabledWhereADocumentSaysSo() {
        assertThat(kinds(planned(
                        Optional.of(Users.off(Users.APP)),
                        Observed.known(DesiredUsers.state(Users.APP)),
                        Users.known(Users.APP))))
                .containsExactly("DisableAuth");
        var nobody = Users.off(Users.auth(false, List.of(), Map.of()));
        for (var observed : List.of(Observed.known(AuthState.NONE), UNREAD)) {
            var planned = planned(Optional.of(nobody), observed, Optional.empty());
            assertThat(kinds(planned)).isEmpty();
            assertThat(planned.findings()).isEmpty();
        }
    }

    /// Clients get their passwords before they need them.
    @Test
    void usersAreMadeBeforeAuthenticationIsEnabled() {
        assertThat(kinds(planned(Optional.of(Users.off(Users.APP)), Observed.known(AuthState.NONE), Optional.empty())))
                .containsExactly("SyncUsers");
        var made = Users.known(Users.off(Users.APP)).orElseThrow();
        assertThat(kinds(planned(Optional.of(Users.off(Users.APP)), Observed.known(made.applied()), Optional.of(made))))
                .isEmpty();
        assertThat(kinds(planned(Optional.of(Users.APP), Observed.known(made.applied()), Optional.of(made))))
                .containsExactly("EnableAuth");
    }

    @Test
    void whoDisabledItByHandIsToldAndItIsEnabledAgain() {
        var planned = planned(
                Optional.of(Users.APP),
                Observed.known(DesiredUsers.state(Users.APP).disabled()),
                Users.known(Users.APP));
        assertThat(kinds(planned)).containsExactly("EnableAuth");
        assertThat(codes(planned)).contains("auth-disabled");
    }

    @Test
    void aHigherNumberAsksForAnotherPassword() {
        var next = Users.auth(
                false,
                List.of(Users.user("app", Users.password(2), "reader")),
                Map.of("reader", List.of(Users.READ_APP)));
        assertThat(kinds(planned(
                        Optional.of(next), Observed.known(DesiredUsers.state(Users.APP)), Users.known(Users.APP))))
                .containsExactly("RotatePasswords");
    }

    @Test
    void aHigherNumberAsksForAnotherPasswordOfRoot() {
        var known = Users.known(Users.APP);
        var state = Observed.known(DesiredUsers.state(Users.APP));
        assertThat(kinds(planned(Optional.of(Users.root(Users.APP, 1)), state, known)))
                .isEmpty();
        assertThat(kinds(planned(Optional.of(Users.root(Users.APP, 2)), state, known)))
                .containsExactly("RotatePasswords");

        var second = known.map(k -> {
            var numbers = new TreeMap<>(k.passwords());
            numbers.put("root", 2);
            return new Journal.Users(k.applied(), numbers, k.secrets());
        });
        assertThat(kinds(planned(Optional.of(Users.root(Users.APP, 2)), state, second)))
                .isEmpty();
        assertThat(kinds(planned(Optional.of(Users.APP), state, second))).isEmpty();
    }

    /// Beside other changes, the number of root is noted by the rotation alone.
    @Test
    void otherChangesDoNotNoteThePasswordOfRoot() {
        var wider = Users.auth(
                false, List.of(Users.user("app", Users.PASSWORD, "reader")), Map.of("reader", List.of(Users.ALL_APP)));
        var planned = planned(
                Optional.of(Users.root(wider, 2)),
                Observed.known(DesiredUsers.state(Users.APP)),
                Users.known(Users.APP));
        assertThat(kinds(planned)).containsExactly("SyncUsers", "RotatePasswords");
        assertThat(planned.operations().getFirst().steps())
                .filteredOn(AuthStep.NoteUsers.class::isInstance)
                .allSatisfy(
                        step -> assertThat(((AuthStep.NoteUsers) step).users().passwords())
                                .doesNotContainKey("root"));
    }

    /// Nobody signs in.
    @Test
    void noPasswordOfRootIsChangedWithoutAuthentication() {
        var off = Users.off(Users.APP);
        assertThat(kinds(planned(
                        Optional.of(Users.root(off, 2)), Observed.known(DesiredUsers.state(off)), Users.known(off))))
                .isEmpty();
    }

    /// Both are asked for by one commit: the new role must not make the password look changed.
    @Test
    void anotherPasswordIsNotForgottenBesideOtherChanges() {
        var next = Users.auth(
                false,
                List.of(Users.user("app", Users.password(2), "reader")),
                Map.of("reader", List.of(Users.ALL_APP)));
        var planned = planned(Optional.of(next), Observed.known(DesiredUsers.state(Users.APP)), Users.known(Users.APP));
        assertThat(kinds(planned)).containsExactly("SyncUsers", "RotatePasswords");
        assertThat(((SyncUsers) planned.operations().getFirst()).steps())
                .filteredOn(AuthStep.NoteUsers.class::isInstance)
                .singleElement()
                .satisfies(
                        step -> assertThat(((AuthStep.NoteUsers) step).users().passwords())
                                .containsEntry("app", 1));
    }

    @Test
    void strangersAndWideRolesAreTold() {
        var everything = Users.auth(false, List.of(Users.user("boss", Users.PASSWORD, "root")), Map.of());
        var has = Users.state(
                Map.of("boss", Users.names("root"), "eve", Users.names(), "root", Users.names("root")), Map.of());
        var planned = planned(Optional.of(everything), Observed.known(has), Users.known(everything));
        assertThat(codes(planned)).contains("wide-role", "foreign-users");
    }

    /// Whoever writes a lower number, or another place, expects something.
    @Test
    void passwordThatStaysIsTold() {
        var state = Observed.known(DesiredUsers.state(Users.APP));
        var second = Users.known(Users.APP)
                .map(k -> new Journal.Users(k.applied(), new TreeMap<>(Map.of("app", 3, "root", 2)), k.secrets()));
        var lower = planned(Optional.of(Users.APP), state, second);
        assertThat(kinds(lower)).isEmpty();
        assertThat(lower.findings())
                .filteredOn(f -> f.code().equals("password-kept"))
                .singleElement()
                .extracting(Finding::message)
                .asString()
                .contains("root (1, and has 2)", "app (1, and has 3)");

        var theirs = new User.SignIn.Password(Optional.of(new User.SecretRef("mine", "password")), 1);
        var moved = Users.auth(
                false, List.of(Users.user("app", theirs, "reader")), Map.of("reader", List.of(Users.READ_APP)));
        assertThat(codes(planned(Optional.of(moved), state, Users.known(Users.APP))))
                .containsOnlyOnce("password-kept");
        assertThat(codes(planned(Optional.of(Users.APP), state, Users.known(Users.APP))))
                .doesNotContain("password-kept");
        var next = new User.SignIn.Password(theirs.secret(), 2);
        var raised = Users.auth(
                false, List.of(Users.user("app", next, "reader")), Map.of("reader", List.of(Users.READ_APP)));
        assertThat(codes(planned(Optional.of(raised), state, Users.known(Users.APP))))
                .doesNotContain("password-kept");
    }

    /// What a tenant has in the ring stays while its documents are not all valid, also where documents are exclusive.
    @Test
    void usersOfHeldNamesStayAsTheyAre() {
        var both = Users.auth(
                true,
                List.of(
                        Users.user("app", Users.PASSWORD, "reader"),
                        Users.user("b-web", Users.CERTIFICATE, "b-all", "reader"),
                        Users.user("b-app", Users.password(3))),
                Map.of("reader", List.of(Users.READ_APP), "b-all", List.of(Users.ALL_APP)));
        var own = Users.auth(
                        true,
                        List.of(Users.user("app", Users.PASSWORD, "reader")),
                        Map.of("reader", List.of(Users.READ_APP)))
                .holding(List.of(new Glob("b-*")));

        var planned = planned(Optional.of(own), Observed.known(DesiredUsers.state(both)), Users.known(both));

        assertThat(kinds(planned)).isEmpty();
        assertThat(codes(planned)).containsExactly("auth-stays");
        // Whoever else has such a name is nobody of ours, and stays too.
        var stranger = Users.state(
                Map.of("app", Users.names("reader"), "b-eve", Users.names(), "root", Users.names("root")),
                Map.of("reader", List.of(Users.READ_APP)));
        assertThat(kinds(planned(Optional.of(own), Observed.known(stranger), Users.known(Users.APP))))
                .isEmpty();
        // What somebody has changed by hand is put back.
        var changed = Users.state(
                Map.of("app", Users.names("reader"), "b-app", Users.names("b-all"), "root", Users.names("root")),
                Map.of("reader", List.of(Users.READ_APP), "b-all", List.of(Users.ALL_APP)));
        assertThat(kinds(planned(Optional.of(own), Observed.known(changed), Users.known(both))))
                .containsExactly("SyncUsers");
    }
}
