package io.github.etcdgitops.ring.auth;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.ring.StepOrder;
import io.github.etcdgitops.spec.Authorities;
import io.github.etcdgitops.spec.auth.Auth;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.spec.value.Tls;
import io.github.etcdgitops.spec.value.Transport;
import io.github.etcdgitops.spec.value.Transport.Mode;
import io.github.etcdgitops.state.auth.AuthState;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EnableAuthTest {
    private static EnableAuth enabling(Auth auth, AuthState have, Mode clients) {
        return new EnableAuth(
                new ClusterRef("demo", "orders"),
                auth,
                UserChanges.of(have, auth, Optional.empty()),
                Users.secrets(auth, Optional.empty()),
                Optional.empty(),
                Tls.NONE.with(new Transport(clients, clients)),
                Authorities.FIRST);
    }

    /// Root first, then everybody else, and the switch last.
    @Test
    void everybodyExistsBeforeTheSwitch() {
        assertThat(StepOrder.names(enabling(Users.APP, AuthState.NONE, Mode.PLAIN)))
                .containsExactly("NoteUsers", "MakeRoot", "ChangeUsers", "SwitchOn", "NoteUsers", "ProveSignIns");
    }

    @Test
    void rootGetsACertificateWhereClientsUseTls() {
        assertThat(StepOrder.names(enabling(Users.APP, AuthState.NONE, Mode.MUTUAL)))
                .startsWith("NoteUsers", "IssueCertificates", "MakeRoot");
    }

    @Test
    void onlyAHealthyRingIsSwitched() {
        assertThat(enabling(Users.APP, AuthState.NONE, Mode.PLAIN).steps())
                .filteredOn(AuthStep.SwitchOn.class::isInstance)
                .extracting(Step::gate)
                .containsExactly(Step.Gate.GREEN);
        assertThat(enabling(Users.APP, AuthState.NONE, Mode.PLAIN).risk()).isEqualTo(Risk.HIGH);
    }

    /// An approval is for these users, whatever the ring has before.
    @Test
    void theIdHangsOnTheUsersAlone() {
        var other = Users.state(Map.of("app", Users.names()), Map.of());
        assertThat(enabling(Users.APP, AuthState.NONE, Mode.PLAIN).id())
                .isEqualTo(enabling(Users.APP, other, Mode.PLAIN).id());
        var wider = Users.auth(
                false, List.of(Users.user("app", Users.PASSWORD, "reader")), Map.of("reader", List.of(Users.ALL_APP)));
        assertThat(enabling(wider, AuthState.NONE, Mode.PLAIN).id())
                .isNotEqualTo(enabling(Users.APP, AuthState.NONE, Mode.PLAIN).id());
    }
}
