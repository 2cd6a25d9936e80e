package io.github.etcdgitops.ring.auth;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.ring.StepOrder;
import io.github.etcdgitops.spec.auth.Auth;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.state.auth.AuthState;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SyncUsersTest {
    private static SyncUsers sync(AuthState have, Auth wanted) {
        return new SyncUsers(
                new ClusterRef("demo", "orders"),
                wanted,
                UserChanges.of(have, wanted, Users.known(wanted)),
                Users.secrets(wanted, Users.known(wanted)),
                Users.known(wanted),
                false);
    }

    @Test
    void whatGivesComesBeforeWhatTakes() {
        var has = Users.state(Map.of("app", Users.names("old")), Map.of("old", List.of(), "reader", List.of()));
        var sync = sync(has, Users.APP);
        assertThat(StepOrder.names(sync)).containsExactly("ChangeUsers", "ChangeUsers", "NoteUsers");
        assertThat(sync.risk()).isEqualTo(Risk.MEDIUM);
    }

    @Test
    void aNewUserSignsInAtTheEnd() {
        var has = Users.state(Map.of(), Map.of("reader", List.of(Users.READ_APP)));
        var sync = sync(has, Users.APP);
        assertThat(StepOrder.names(sync)).containsExactly("ChangeUsers", "NoteUsers", "ProveSignIns");
        assertThat(sync.risk()).isEqualTo(Risk.LOW);
    }

    /// The next run notes what a killed one made.
    @Test
    void whereNothingChangesItIsNoted() {
        var sync = sync(DesiredUsers.state(Users.APP), Users.APP);
        assertThat(StepOrder.names(sync)).containsExactly("NoteUsers");
    }
}
