package io.github.etcdgitops.gateway.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.gateway.MemberAccessMode;
import io.github.etcdgitops.gateway.kube.tunnel.PodRoutes;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/// Ways to a real pod with a real etcd in it.
@Isolated("counts the threads of the process")
class PodRoutesIT {
    private static final String NOWHERE = "192.0.2.1";

    private static RealKubernetes world;
    private static ClusterRef ref;
    private static String ip = "";

    @BeforeAll
    static void startAMember() {
        world = RealKubernetes.open();
        ref = new ClusterRef(world.namespace(), "db");
        ip = start("db-0").getStatus().getPodIP();
    }

    @AfterAll
    static void stop() {
        if (world != null) {
            world.close();
        }
    }

    private static Pod start(String name) {
        var pods = TypedClient.of(world.connection()).pods().inNamespace(world.namespace());
        pods.resource(new PodBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .withNewSpec()
                        .withAutomountServiceAccountToken(false)
                        .addNewContainer()
                        .withName("etcd")
                        .withImage("gcr.io/etcd-development/etcd:v3.5.16")
                        .withCommand(
                                "/usr/local/bin/etcd",
                                "--data-dir=/tmp/data",
                                "--listen-client-urls=http://0.0.0.0:2379",
                                "--advertise-client-urls=http://127.0.0.1:2379")
                        .withNewReadinessProbe()
                        .withNewTcpSocket()
                        .withNewPort(MemberAccess.Door.CLIENT.port())
                        .endTcpSocket()
                        .withPeriodSeconds(1)
                        .endReadinessProbe()
                        .endContainer()
                        .endSpec()
                        .build())
                .create();
        return pods.withName(name).waitUntilReady(60, TimeUnit.SECONDS);
    }

    private static String ask(MemberAccess.Route route) throws IOException {
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress(route.host(), route.port()), 2_000);
            socket.setSoTimeout(10_000);
            socket.getOutputStream()
                    .write("GET /version HTTP/1.1\r\nHost: db\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    private static PodRoutes routes(MemberAccessMode mode) {
        return new PodRoutes(world.connection(), mode);
    }

    @Test
    void reachesAMemberThroughTheApiServer() throws IOException {
        try (var routes = routes(MemberAccessMode.PORT_FORWARD);
                var route = routes.open(ref, 0, "", MemberAccess.Door.CLIENT)) {
            assertThat(route.host()).isEqualTo("127.0.0.1");
            assertThat(route.authority()).isEqualTo("db-0.db-peer." + ref.namespace() + ".svc");

            // One after the other, the first over the connection that was opened ahead.
            assertThat(ask(route)).contains("200 OK", "etcdserver");
            assertThat(ask(route)).contains("200 OK", "etcdserver");
        }
    }

    @Test
    void carriesManyConnectionsAtOnceAndLeavesNoThreads() throws Exception {
        int before = Thread.activeCount();
        try (var routes = routes(MemberAccessMode.PORT_FORWARD);
                var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            var answers = new ArrayList<Future<String>>();
            for (int i = 0; i < 60; i++) {
                answers.add(executor.submit(() -> {
                    try (var route = routes.open(ref, 0, "", MemberAccess.Door.CLIENT)) {
                        return ask(route);
                    }
                }));
            }
            for (Future<String> answer : answers) {
                assertThat(answer.get(30, TimeUnit.SECONDS)).contains("200 OK");
            }
        }
        assertThat(Thread.activeCount()).isLessThanOrEqualTo(before + 5);
    }

    @Test
    void saysAtOnceThatAPodIsNotThere() {
        try (var routes = routes(MemberAccessMode.PORT_FORWARD)) {
            assertThatThrownBy(() -> routes.open(ref, 7, "", MemberAccess.Door.CLIENT))
                    .isInstanceOfSatisfying(
                            GatewayException.class,
                            e -> assertThat(e.kind()).isEqualTo(GatewayException.Kind.UNREACHABLE))
                    .hasMessageContaining("db-7")
                    .hasMessageContaining("HTTP 404");
        }
    }

    @Test
    void endsConnectionToClosedPort() throws IOException {
        try (var routes = routes(MemberAccessMode.PORT_FORWARD);
                var route = routes.open(ref, 0, "", MemberAccess.Door.PEER_TLS)) {
            assertThat(endOf(route)).isEmpty();
        }
    }

    private static String endOf(MemberAccess.Route route) throws IOException {
        try {
            return ask(route);
        } catch (java.net.SocketException e) {
            return "";
        }
    }

    @Test
    void endsConnectionsWhenThePodGoesAway() throws Exception {
        start("db-1");
        var pod = TypedClient.of(world.connection())
                .pods()
                .inNamespace(ref.namespace())
                .withName("db-1");
        try (var routes = routes(MemberAccessMode.PORT_FORWARD);
                var route = routes.open(ref, 1, "", MemberAccess.Door.CLIENT);
                var socket = new Socket(route.host(), route.port())) {
            socket.setSoTimeout(30_000);

            var _ = pod.withGracePeriod(0).delete();

            assertThat(socket.getInputStream().read()).isEqualTo(-1);
            var _ = pod.waitUntilCondition(java.util.Objects::isNull, 30, TimeUnit.SECONDS);
            assertThatThrownBy(() -> routes.open(ref, 1, "", MemberAccess.Door.CLIENT))
                    .isInstanceOf(GatewayException.class);
        }
    }

    @Test
    void closesWhatIsOpenWithTheRoutes() throws IOException {
        MemberAccess.Route route;
        try (var routes = routes(MemberAccessMode.PORT_FORWARD)) {
            route = routes.open(ref, 0, "", MemberAccess.Door.CLIENT);
            assertThat(ask(route)).contains("200 OK");
        }

        assertThatThrownBy(() -> ask(route)).isInstanceOf(IOException.class);
    }

    @Test
    void staysWithThePodIpWhereItWorks() throws IOException {
        try (var routes = routes(MemberAccessMode.AUTO);
                var route = routes.open(ref, 0, ip, MemberAccess.Door.CLIENT)) {
            assertThat(route.host()).isEqualTo(ip);
            assertThat(ask(route)).contains("200 OK");

            try (var dead = routes.open(ref, 7, NOWHERE, MemberAccess.Door.CLIENT)) {
                assertThat(dead.host()).isEqualTo(NOWHERE);
            }
        }
    }

    @Test
    void staysWithThePortForwardWhereThePodIpLeadsNowhere() throws IOException {
        var asked = new TreeMap<Integer, String>();
        try (var routes = routes(MemberAccessMode.AUTO)) {
            // A dead pod teaches nothing.
            assertThatThrownBy(() -> routes.open(ref, 7, NOWHERE, MemberAccess.Door.CLIENT))
                    .isInstanceOf(GatewayException.class);
            for (int i = 0; i < 2; i++) {
                try (var route = routes.open(ref, 0, i == 0 ? NOWHERE : ip, MemberAccess.Door.CLIENT)) {
                    asked.put(i, route.host());
                }
            }
        }
        assertThat(asked.values()).containsExactly("127.0.0.1", "127.0.0.1");
    }
}
