package io.github.etcdgitops.ring.auth;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.ring.StepOrder;
import io.github.etcdgitops.spec.auth.User.SignIn;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RotatePasswordsTest {
    private static RotatePasswords to(int number) {
        var users = new TreeMap<>(Map.of(
                "app", (SignIn.Password) Users.password(number), "batch", (SignIn.Password) Users.password(number)));
        return new RotatePasswords(
                new ClusterRef("demo", "orders"), users, Users.names(), Users.known(Users.APP).orElseThrow());
    }

    @Test
    void oneUserAfterTheOther() {
        assertThat(StepOrder.names(to(2))).containsExactly("ChangePassword", "ChangePassword", "NoteUsers");
    }

    @Test
    void theNextNumberIsAnotherOperation() {
        assertThat(to(2).id()).isNotEqualTo(to(3).id());
        assertThat(to(2).id()).isEqualTo(to(2).id());
    }
}
