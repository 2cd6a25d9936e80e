package io.github.etcdgitops.gateway.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.etcdgitops.backup.SnapshotCheck;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.it.EtcdBinaries;
import io.github.etcdgitops.it.EtcdRing;
import io.github.etcdgitops.it.EtcdTool;
import io.github.etcdgitops.state.value.EtcdId;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/// A ring whose authentication is enabled, with a user who has the role `root` and one who has none.
class JetcdGatewayAuthIT {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    @Nested
    class Etcd3423 extends WithUsers {
        Etcd3423() {
            super("3.4.23");
        }
    }

    @Nested
    class Etcd3530 extends WithUsers {
        Etcd3530() {
            super("3.5.30");
        }
    }

    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    abstract static class WithUsers {
        private final String version;
        private EtcdRing ring;
        private MemberAccess.Route route;

        WithUsers(String version) {
            this.version = version;
        }

        @BeforeAll
        void enableAuthentication() {
            var binaries = EtcdBinaries.require(version);
            ring = EtcdRing.start(binaries, 1);
            route = ring.member(0).route("m0.test");
            var etcdctl = new EtcdTool(
                    binaries.etcdctl(), "--endpoints=" + ring.endpoints().getFirst());
            etcdctl.run("put", "a", "1");
            etcdctl.run("user", "add", "root:open-sesame");
            etcdctl.run("user", "add", "reader:swordfish");
            etcdctl.run("role", "add", "root");
            etcdctl.run("user", "grant-role", "root", "root");
            etcdctl.run("auth", "enable");
        }

        @AfterAll
        void stop() {
            if (ring != null) {
                ring.close();
            }
        }

        @Test
        void rootReadsAndChangesEverything() throws IOException {
            var gateway = as("root", "open-sesame");

            assertReads(gateway);
            assertThat(failure(() -> gateway.removeMember(route, new EtcdId(1), LIMIT))
                            .kind())
                    .isEqualTo(Kind.NOT_FOUND);
        }

        /// Tokens are in the members' memory alone.
        @Test
        void signsInAgainWhenTheMemberForgotTheToken() throws IOException {
            var gateway = as("root", "open-sesame");
            assertReads(gateway);

            ring.member(0).kill();
            ring.restart(ring.member(0));
            ring.member(0).awaitReady();

            assertReads(gateway);
        }

        @Test
        void namesMissingRole() {
            var gateway = as("reader", "swordfish");

            var refused = List.of(
                    failure(() -> gateway.snapshot(route, LIMIT, _ -> {})),
                    failure(() -> gateway.hashKeys(route, 0, LIMIT)),
                    failure(() -> gateway.countKeys(route, 0, LIMIT)));

            assertThat(refused)
                    .allMatch(e -> e.kind() == Kind.UNAUTHORIZED)
                    .allMatch(e -> e.getMessage().contains("role root"))
                    .noneMatch(e -> e.getMessage().contains("swordfish"));
        }

        @Test
        void wrongPasswordIsSaidAndNotShown() {
            var refused = failure(() -> as("root", "swordfish").snapshot(route, LIMIT, _ -> {}));

            assertThat(refused.kind()).isEqualTo(Kind.UNAUTHORIZED);
            assertThat(refused).hasMessageContaining("password").hasMessageNotContaining("swordfish");
        }

        @Test
        void neverAsksForAUser() {
            var refused = failure(() -> new JetcdGateway().snapshot(route, LIMIT, _ -> {}));

            assertThat(refused.kind()).isEqualTo(Kind.UNAUTHORIZED);
            assertThat(refused).hasMessageContaining("no user was given");
        }

        private void assertReads(JetcdGateway gateway) throws IOException {
            var digest = new SnapshotCheck();
            gateway.snapshot(route, LIMIT, digest::update);

            assertThat(digest.finish().fault()).isEmpty();
            assertThat(gateway.probe(route, LIMIT).members()).hasSize(1);
            assertThat(gateway.hashKeys(route, 0, LIMIT).revision()).isEqualTo(2);
            assertThat(gateway.countKeys(route, 0, LIMIT)).isEqualTo(1);
        }
    }

    @Test
    void passwordsAreNotPrinted() {
        var access = new EndpointAccess(Optional.empty(), Optional.of(new EndpointAccess.Login("root", "open-sesame")));

        assertThat(access.toString()).doesNotContain("open-sesame");
    }

    private static JetcdGateway as(String user, String password) {
        var access = new EndpointAccess(Optional.empty(), Optional.of(new EndpointAccess.Login(user, password)));
        return new JetcdGateway(_ -> access);
    }

    private static GatewayException failure(ThrowingCallable call) {
        return catchThrowableOfType(GatewayException.class, call);
    }
}
