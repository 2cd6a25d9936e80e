package io.github.etcdgitops.gateway.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.state.value.EtcdId;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/// Peers that are no etcd at all, or not any more.
class JetcdGatewayNetworkTest {
    private static final Duration LIMIT = Duration.ofMillis(500);
    private static final Duration GENEROUS = Duration.ofSeconds(10);

    @Test
    void silentServerEndsWithinDeadline() throws IOException {
        try (var hole = listen()) {
            var route = new LoopbackRoute(hole.getLocalPort());
            long start = System.nanoTime();

            var probed = failure(() -> new JetcdGateway().probe(route, LIMIT));
            var changed = failure(() -> new JetcdGateway().removeMember(route, new EtcdId(1), LIMIT));

            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
            assertThat(probed.kind()).isEqualTo(Kind.TIMEOUT);
            assertThat(changed.kind()).isEqualTo(Kind.TIMEOUT);
            assertThat(changed.mayHaveHappened()).isTrue();
        }
    }

    @Test
    void closedPortIsUnreachableAtOnce() throws IOException {
        var hole = listen();
        var route = new LoopbackRoute(hole.getLocalPort());
        hole.close();

        var changed = failure(() -> new JetcdGateway().addVoter(route, "http://127.0.0.1:1", GENEROUS));

        assertThat(changed.kind()).isEqualTo(Kind.UNREACHABLE);
        assertThat(changed.mayHaveHappened()).isFalse();
    }

    /// The local port of a port-forward is another one each time: whoever reads of it finds nobody
    /// there, and two runs that failed alike would be told as two different failures.
    @Test
    void namesPortForwardedMemberByItsHost() throws IOException {
        var hole = listen();
        var route = new LoopbackRoute(hole.getLocalPort(), MemberAccess.Way.PORT_FORWARD);
        hole.close();

        var probed = failure(() -> new JetcdGateway().probe(route, GENEROUS));

        assertThat(probed).hasMessageStartingWith("asking the member at m0.test:2379 (port-forward): ");
        assertThat(probed).hasMessageNotContaining("127.0.0.1");
    }

    @Test
    void connectionThatBreaksProvesNothing() throws IOException {
        try (var server = listen()) {
            Thread.ofVirtual().start(() -> hangUp(server));

            var changed = failure(() ->
                    new JetcdGateway().removeMember(new LoopbackRoute(server.getLocalPort()), new EtcdId(1), GENEROUS));

            assertThat(changed.kind()).isEqualTo(Kind.UNREACHABLE);
            assertThat(changed.mayHaveHappened()).isTrue();
        }
    }

    @Test
    void unreadableTlsMaterialIsNamedAndNotShown() {
        var nonsense = "-----BEGIN PRIVATE KEY-----\nhush\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
        var material = new TlsMaterial(nonsense, nonsense, nonsense);
        var gateway = new JetcdGateway(_ -> Optional.of(material));

        var refused = failure(() -> gateway.probe(new LoopbackRoute(1), GENEROUS));

        assertThat(refused.kind()).isEqualTo(Kind.UNAUTHORIZED);
        assertThat(refused).hasMessageNotContaining("hush").hasNoCause();
        assertThat(material.toString()).doesNotContain("hush").contains("***");
    }

    private static ServerSocket listen() throws IOException {
        return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    private static void hangUp(ServerSocket server) {
        while (!server.isClosed()) {
            try (var accepted = server.accept()) {
                accepted.getInputStream().readNBytes(24);
            } catch (IOException _) {
                // The test has ended, or the client was quicker.
            }
        }
    }

    private static GatewayException failure(ThrowingCallable call) {
        return catchThrowableOfType(GatewayException.class, call);
    }
}
