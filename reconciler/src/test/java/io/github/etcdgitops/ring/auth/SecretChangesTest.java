package io.github.etcdgitops.ring.auth;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.spec.auth.Auth;
import io.github.etcdgitops.spec.auth.User;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.journal.UserSecrets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SecretChangesTest {
    private static final User.SignIn ELSEWHERE =
            new User.SignIn.Password(Optional.of(new User.SecretRef("theirs", "pass")), 1);

    private static Auth users(User... users) {
        return Users.auth(false, List.of(users), Map.of());
    }

    private static final Auth TWO = users(
            Users.user("app", Users.PASSWORD),
            Users.user("web", Users.PASSWORD),
            Users.user("cert", Users.CERTIFICATE));

    private static Optional<Journal.Users> without(Optional<Journal.Users> known) {
        return known.map(k -> new Journal.Users(k.applied(), k.passwords(), Optional.empty()));
    }

    @Test
    void nothingIsToBeDoneWhereTheJournalSaysSo() {
        var changes = Users.secrets(TWO, Users.known(TWO));

        assertThat(changes.none()).isTrue();
        assertThat(changes.steps()).isEmpty();
        assertThat(changes.after()).contains(new UserSecrets(Users.PLAIN, Users.names("app", "web")));
    }

    /// The step that makes a user writes its Secret.
    @Test
    void newUsersGetTheirsWithTheUser() {
        assertThat(Users.secrets(TWO, Optional.empty()).none()).isTrue();
        assertThat(Users.secrets(TWO, Users.known(users())).none()).isTrue();
    }

    @Test
    void allAreWrittenWhereClientsConnectInAnotherWay() {
        var changes = SecretChanges.of(TWO, Users.known(TWO), "another");

        assertThat(changes.written()).containsExactly("app", "web");
        assertThat(changes.removed()).isEmpty();
        assertThat(changes.after()).contains(new UserSecrets("another", Users.names("app", "web")));
    }

    @Test
    void allAreWrittenWhereTheJournalSaysNothing() {
        assertThat(Users.secrets(TWO, without(Users.known(TWO))).written()).containsExactly("app", "web");
    }

    @Test
    void thoseOfUsersThatAreGoneAreRemoved() {
        var left = users(Users.user("app", Users.PASSWORD), Users.user("web", Users.CERTIFICATE));
        assertThat(Users.secrets(left, Users.known(TWO)).removed()).containsExactly("web");

        var nobody = Users.secrets(users(), Users.known(TWO));
        assertThat(nobody.removed()).containsExactly("app", "web");
        assertThat(nobody.after()).isEmpty();
    }

    /// What the journal does not name is not ours to remove.
    @Test
    void usersWithPasswordsFromElsewhereHaveNone() {
        var theirs = users(Users.user("app", ELSEWHERE));
        assertThat(Users.secrets(users(), Users.known(theirs)).none()).isTrue();
    }

    @Test
    void aFormerSecretStaysUntilThePasswordIsChanged() {
        var left = users(Users.user("app", ELSEWHERE), Users.user("web", Users.PASSWORD));
        var changes = Users.secrets(left, Users.known(TWO));

        assertThat(changes.none()).isTrue();
        assertThat(changes.after().orElseThrow().users()).containsExactly("app", "web");
        assertThat(changes.replaced(left, Users.names("app", "web"))).containsExactly("app");
        assertThat(SecretChanges.without(changes.after(), Users.names("app"))
                        .orElseThrow()
                        .users())
                .containsExactly("web");
    }
}
