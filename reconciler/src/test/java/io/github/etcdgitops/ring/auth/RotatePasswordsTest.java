package io.github.etcdgitops.ring.auth;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.ring.RequestedBy;
import io.github.etcdgitops.ring.StepOrder;
import io.github.etcdgitops.spec.auth.User.SignIn;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.journal.Journal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RotatePasswordsTest {
    private static final Optional<RotatePasswords.Root> NO_ROOT = Optional.empty();

    private static RotatePasswords of(Optional<RotatePasswords.Root> root, int number, String... users) {
        var all = new TreeMap<String, SignIn.Password>();
        for (String user : users) {
            all.put(user, (SignIn.Password) Users.password(number));
        }
        return new RotatePasswords(
                new ClusterRef("demo", "orders"),
                root,
                all,
                Users.names(),
                Users.known(Users.APP).orElseThrow());
    }

    private static RotatePasswords to(int number) {
        return of(NO_ROOT, number, "app", "batch");
    }

    private static Optional<RotatePasswords.Root> root(int number) {
        return Optional.of(new RotatePasswords.Root(number, false));
    }

    private static List<Journal.Users> noted(RotatePasswords rotation) {
        return rotation.steps().stream()
                .filter(AuthStep.NoteUsers.class::isInstance)
                .map(step -> ((AuthStep.NoteUsers) step).users())
                .toList();
    }

    @Test
    void oneUserAfterTheOther() {
        assertThat(StepOrder.names(to(2))).containsExactly("ChangePassword", "ChangePassword", "NoteUsers");
    }

    @Test
    void theNextNumberIsAnotherOperation() {
        assertThat(to(2).id()).isNotEqualTo(to(3).id());
        assertThat(to(2).id()).isEqualTo(to(2).id());
        assertThat(of(root(2), 2, "app").id())
                .isNotEqualTo(of(root(3), 2, "app").id());
    }

    /// A user that fails afterwards must not change it again in the next run.
    @Test
    void rootIsFirstAndNotedAtOnce() {
        var both = of(root(3), 2, "app");

        assertThat(StepOrder.names(both))
                .containsExactly("ChangeRootPassword", "NoteUsers", "ChangePassword", "NoteUsers");
        assertThat(noted(both))
                .extracting(Journal.Users::passwords)
                .containsExactly(
                        new TreeMap<>(Map.of("app", 1, "root", 3)), new TreeMap<>(Map.of("app", 2, "root", 3)));
        assertThat(both.summary()).isEqualTo("change the password of root, app");
    }

    @Test
    void rootAloneIsAskedForByTheRingsDocument() {
        var alone = of(root(2), 1);

        assertThat(StepOrder.names(alone)).containsExactly("ChangeRootPassword", "NoteUsers");
        assertThat(alone.requestedBy()).containsExactly(RequestedBy.Part.AUTH);
        assertThat(to(2).requestedBy()).containsExactly(new RequestedBy.Accounts(Set.of("app", "batch"), Set.of()));
    }
}
