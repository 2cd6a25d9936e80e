package io.github.etcdgitops.gateway.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.etcdgitops.gateway.EtcdGateway.Answer;
import io.github.etcdgitops.gateway.EtcdGateway.Manner;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.gateway.MemberAccess.Door;
import io.github.etcdgitops.it.EtcdBinaries;
import io.github.etcdgitops.it.EtcdProcess;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// Whom real members serve at each of their doors: one in plain text, one of both kinds, and one that
/// takes certificates alone.
class KnockIT {
    private static final String HOST = "orders-0.orders-peer.shop.svc";
    private static final Duration LIMIT = Duration.ofSeconds(20);

    @Nested
    class Etcd3325 extends OnRealEtcd {
        Etcd3325() {
            super("3.3.25");
        }
    }

    @Nested
    class Etcd3423 extends OnRealEtcd {
        Etcd3423() {
            super("3.4.23");
        }
    }

    @Nested
    class Etcd3516 extends OnRealEtcd {
        Etcd3516() {
            super("3.5.16");
        }
    }

    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    abstract static class OnRealEtcd {
        private final String version;
        private final List<EtcdProcess> started = new ArrayList<>();
        private EtcdProcess plain;
        private EtcdProcess both;
        private EtcdProcess strict;
        private TlsMaterial client;
        private TlsMaterial named;
        private TlsMaterial server;
        private TlsMaterial stranger;

        OnRealEtcd(String version) {
            this.version = version;
        }

        @BeforeAll
        void startMembers(@TempDir Path folder) throws IOException {
            var binaries = EtcdBinaries.require(version);
            var ca = Certificates.createCa(folder, "ours");
            client = ca.issueNameless("client");
            named = ca.issue("named", "dns:elsewhere.test");
            server = ca.issue(HOST);
            stranger = Certificates.createCa(Files.createDirectory(folder.resolve("other")), "theirs")
                    .issue("client");
            var tls = new ArrayList<>(ca.serve(server));
            tls.addAll(ca.servePeers(server));
            plain = member(binaries);
            both = member(binaries);
            both.flags(with(
                    tls,
                    "--listen-client-urls=" + both.url("https", Door.CLIENT) + "," + both.url("http", Door.CLIENT),
                    "--listen-peer-urls=" + both.url("http", Door.PEER) + "," + both.url("https", Door.PEER_TLS)));
            strict = member(binaries);
            strict.flags(with(tls, "--listen-peer-urls=" + strict.url("https", Door.PEER_TLS)));
            started.forEach(member -> member.start(member.name() + "=" + member.peerUrl(), "new"));
            started.forEach(EtcdProcess::awaitReady);
        }

        private EtcdProcess member(EtcdBinaries binaries) {
            var member = new EtcdProcess(binaries, "m" + started.size(), List.of());
            started.add(member);
            return member;
        }

        private static List<String> with(List<String> flags, String... more) {
            var all = new ArrayList<>(flags);
            all.addAll(List.of(more));
            return all;
        }

        @AfterAll
        void stop() {
            started.forEach(EtcdProcess::close);
        }

        @Test
        void plainMemberServesOnlyPlainText() {
            assertThat(knock(plain, Door.CLIENT, Manner.PLAIN)).isEqualTo(new Answer.Served(Optional.empty()));
            assertThat(knock(plain, Door.PEER, Manner.PLAIN)).isEqualTo(new Answer.Served(Optional.empty()));
            for (var manner : List.of(Manner.TLS, Manner.TLS_WITHOUT_CERTIFICATE)) {
                assertRefused(knock(plain, Door.CLIENT_TLS, manner));
                assertRefused(knock(plain, Door.PEER, manner));
                assertThat(knock(plain, Door.PEER_TLS, manner)).isEqualTo(new Answer.Refused("connection refused"));
            }
        }

        @Test
        void mixedMemberServesPlainTextAndOurCertificate() throws CertificateException {
            var served = new Answer.Served(Optional.of(ends(server)));

            assertThat(knock(both, Door.CLIENT, Manner.PLAIN)).isEqualTo(new Answer.Served(Optional.empty()));
            assertThat(knock(both, Door.CLIENT_TLS, Manner.TLS)).isEqualTo(served);
            assertRefused(knock(both, Door.CLIENT_TLS, Manner.TLS_WITHOUT_CERTIFICATE));
            assertThat(knock(both, Door.PEER, Manner.PLAIN)).isEqualTo(new Answer.Served(Optional.empty()));
            assertThat(knock(both, Door.PEER_TLS, Manner.TLS)).isEqualTo(served);
            assertRefused(knock(both, Door.PEER_TLS, Manner.TLS_WITHOUT_CERTIFICATE));
            assertRefused(knock(both, Door.PEER_TLS, Manner.PLAIN));
        }

        @Test
        void strictMemberServesOnlyOurCertificate() throws CertificateException {
            var served = new Answer.Served(Optional.of(ends(server)));

            assertThat(knock(strict, Door.CLIENT_TLS, Manner.TLS)).isEqualTo(served);
            assertThat(knock(strict, Door.PEER_TLS, Manner.TLS)).isEqualTo(served);
            for (var door : List.of(Door.CLIENT_TLS, Door.PEER_TLS)) {
                assertRefused(knock(strict, door, Manner.TLS_WITHOUT_CERTIFICATE));
                assertRefused(knock(strict, door, Manner.PLAIN));
            }
            assertThat(knock(strict, Door.PEER, Manner.PLAIN)).isEqualTo(new Answer.Refused("connection refused"));
        }

        @Test
        void certificatesOfAnotherCaAreRefusedBothWays() {
            var strange = gateway(new TlsMaterial(client.caPem(), stranger.client()));
            var misled = gateway(new TlsMaterial(stranger.caPem(), client.client()));

            for (var door : List.of(Door.CLIENT_TLS, Door.PEER_TLS)) {
                var route = both.route(HOST, door);
                assertRefused(strange.knock(route, Manner.TLS, LIMIT));
                assertThat(misled.knock(route, Manner.TLS, LIMIT)).satisfies(this::assertItsCertificate);
                assertThat(knock(both.route("orders-1.orders-peer.shop.svc", door), Manner.TLS))
                        .satisfies(this::assertItsCertificate);
            }
        }

        /// Peers' ports hold the caller's address against the names in its certificate, if it has any.
        /// Clients' ports do not.
        @Test
        void onlyPeersRefuseCertificateWithOtherNames() {
            var other = gateway(named);

            assertThat(other.knock(both.route(HOST, Door.CLIENT_TLS), Manner.TLS, LIMIT))
                    .isInstanceOf(Answer.Served.class);
            assertRefused(other.knock(both.route(HOST, Door.PEER_TLS), Manner.TLS, LIMIT));
        }

        /// gRPC goes through what tells the two kinds apart at the shared port as HTTP does; but before
        /// 3.4.25 and 3.5.8 a server that starts both may give plain text to the one for TLS.
        @Test
        void callsOfBothKindsAreServedAtTheSharedPort() throws IOException {
            Assumptions.assumeTrue(version.equals("3.5.16"), "plain gRPC fails before, by chance");
            var overTls = gateway(client);
            var inPlainText = new JetcdGateway();
            var route = both.route(HOST, Door.CLIENT_TLS);

            for (int i = 0; i < 5; i++) {
                var plainView = inPlainText.probe(route, LIMIT);
                var tlsView = overTls.probe(route, LIMIT);
                assertThat(tlsView.self()).isEqualTo(plainView.self());
                assertThat(tlsView.members()).hasSize(1);
            }
            for (var gateway : List.of(overTls, inPlainText)) {
                var self = gateway.probe(route, LIMIT).self();
                gateway.updatePeerUrls(route, self, List.of(both.peerUrl()), LIMIT);
                gateway.snapshot(route, LIMIT, _ -> {});
            }
        }

        @Test
        void figuresNeedNoCertificate() {
            for (var member : started) {
                var metrics = member.route(HOST, Door.METRICS);
                EtcdProcess.await(
                        "the version", LIMIT, () -> answers(() -> new JetcdGateway().clusterVersion(metrics, LIMIT)));
            }
        }

        @Test
        void probesNoTlsWithoutCa() {
            var refused = catchThrowableOfType(
                    GatewayException.class,
                    () -> new JetcdGateway().knock(strict.route(HOST, Door.CLIENT_TLS), Manner.TLS, LIMIT));

            assertThat(refused.kind()).isEqualTo(Kind.UNAUTHORIZED);
        }

        private Answer knock(EtcdProcess member, Door door, Manner manner) {
            return knock(member.route(HOST, door), manner);
        }

        private Answer knock(MemberAccess.Route route, Manner manner) {
            return gateway(client).knock(route, manner, LIMIT);
        }

        private void assertItsCertificate(Answer answer) {
            assertThat(answer)
                    .isInstanceOfSatisfying(
                            Answer.Refused.class,
                            refused -> assertThat(refused.why()).startsWith("its certificate"));
        }
    }

    private static boolean answers(Runnable call) {
        try {
            call.run();
            return true;
        } catch (GatewayException _) {
            return false;
        }
    }

    private static void assertRefused(Answer answer) {
        assertThat(answer).isInstanceOf(Answer.Refused.class);
    }

    private static Instant ends(TlsMaterial material) throws CertificateException {
        var pem = new ByteArrayInputStream(material.client().orElseThrow().certPem());
        return ((X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(pem))
                .getNotAfter()
                .toInstant();
    }

    private static JetcdGateway gateway(TlsMaterial material) {
        return new JetcdGateway(_ -> Optional.of(material));
    }
}
