package io.github.etcdgitops.fake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.etcdgitops.gateway.EtcdGateway;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.spec.auth.Grant;
import io.github.etcdgitops.spec.auth.Grant.Access;
import io.github.etcdgitops.spec.auth.KeyRange;
import io.github.etcdgitops.spec.auth.User;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.auth.AuthChange;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FakeUsersTest {
    private static final ClusterRef REF = new ClusterRef("demo", "orders");

    private static Hands hands(String version) {
        var hands = new Hands(Given.ring("demo", "orders").version(version).build(), REF);
        change(hands, new AuthChange.AddUser(User.ROOT));
        change(hands, new AuthChange.GrantRole(User.ROOT, User.ROOT));
        change(hands, new AuthChange.Enable());
        return hands;
    }

    private static void change(Hands hands, AuthChange change) {
        hands.faults.change(
                change,
                Optional.of("open-sesame").filter(_ -> change.withPassword().isPresent()));
    }

    /// As the table of decision 53 has it: N is for nobody, S for a stranger, R for root.
    @ParameterizedTest
    @CsvSource({
        // version, Status with MemberList, MoveLeader, compact
        "3.4.23, NSR, NSR, NSR",
        "3.4.42, R, R, R",
        "3.4.45, R, R, R",
        "3.5.16, NSR, NSR, NSR",
        "3.5.28, R, R, R",
        "3.5.30, R, R, R",
        "3.5.33, SR, R, R",
        "3.6.3, R, R, NSR",
        "3.6.10, R, R, R",
        "3.6.14, SR, R, R",
        "3.7.1, SR, R, R",
    })
    void releasesDifferInWhomTheyAnswer(String version, String probe, String moveLeader, String compact) {
        var hands = hands(version);
        var leader = hands.ring.leader().orElseThrow();

        assertThat(answered(hands, etcd -> etcd.probe(hands.route(0), Hands.DEADLINE)))
                .isEqualTo(probe);
        assertThat(answered(hands, etcd -> etcd.moveLeader(hands.route(leader), hands.id(leader), Hands.DEADLINE)))
                .isEqualTo(moveLeader);
        assertThat(answered(hands, etcd -> etcd.compact(hands.route(0), 1, Hands.DEADLINE)))
                .isEqualTo(compact);
        assertThat(answered(hands, etcd -> etcd.hashKeys(hands.route(0), 0, Hands.DEADLINE)))
                .isEqualTo("R");
        assertThat(answered(hands, etcd -> etcd.ringRevision(hands.route(0), Hands.DEADLINE)))
                .isEqualTo("R");
        assertThat(answered(hands, etcd -> etcd.proveWrite(hands.route(0), Hands.DEADLINE)))
                .isEqualTo("R");
        assertThat(answered(hands, etcd -> etcd.removeMember(hands.route(0), hands.world.nextId(), Hands.DEADLINE)))
                .isEqualTo("R");
    }

    /// The first letters of those who are not refused for what they are.
    private static String answered(Hands hands, Call call) {
        var letters = new StringBuilder();
        for (var caller : Caller.values()) {
            var refused = catchThrowableOfType(GatewayException.class, () -> call.at(hands.world.etcd(caller)));
            if (refused == null || refused.kind() != Kind.UNAUTHORIZED) {
                letters.append(caller.name().charAt(0));
            }
        }
        return letters.toString();
    }

    @FunctionalInterface
    private interface Call {
        void at(EtcdGateway etcd) throws IOException;
    }

    @Test
    void snapshotHasTheUsers() throws IOException {
        var hands = hands("3.5.33");
        change(hands, new AuthChange.AddRole("reader"));
        var grant = new Grant(Access.READ, KeyRange.prefix("orders/"));
        change(hands, new AuthChange.GrantKeys("reader", grant));
        change(hands, new AuthChange.AddUserWithoutPassword("alice"));
        change(hands, new AuthChange.GrantRole("alice", "reader"));
        var file = new ByteArrayOutputStream();

        hands.etcd.snapshot(hands.route(0), Hands.DEADLINE, piece -> {
            byte[] bytes = new byte[piece.remaining()];
            piece.get(bytes);
            file.write(bytes);
        });
        var restored = FakeUsers.of(FakeSnapshot.read(file.toByteArray()).users());

        assertThat(restored.state()).isEqualTo(hands.ring.users());
        assertThat(restored.accepts(User.ROOT, "open-sesame")).isTrue();
        assertThat(file.toString()).doesNotContain("open-sesame");
    }

    @Test
    void needsAMajority() {
        var hands = hands("3.5.33");
        hands.faults.stop(1);
        hands.faults.stop(2);
        hands.world.tick(5);
        var users = hands.world.users();
        var route = hands.route(0);

        var read = failure(() -> users.read(route, Hands.DEADLINE));
        var changed =
                failure(() -> users.apply(route, new AuthChange.AddRole("reader"), Optional.empty(), Hands.DEADLINE));

        assertThat(Arrays.asList(read, changed)).allMatch(e -> e.kind() == Kind.TIMEOUT);
        assertThat(read.mayHaveHappened()).isFalse();
        assertThat(changed.mayHaveHappened()).isTrue();
        assertThat(hands.probe(0).members()).hasSize(3);
    }

    private static GatewayException failure(ThrowingCallable call) {
        return catchThrowableOfType(GatewayException.class, call);
    }
}
