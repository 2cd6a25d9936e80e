package io.github.etcdgitops.gateway.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.etcdgitops.backup.SnapshotCheck;
import io.github.etcdgitops.certificate.Authority;
import io.github.etcdgitops.certificate.Leaf;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.it.EtcdBinaries;
import io.github.etcdgitops.it.EtcdRing;
import io.github.etcdgitops.it.TlsFiles;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.value.EtcdId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// A member that serves TLS alone, by a certificate for its DNS name, and is reached by its address.
class JetcdGatewayTlsIT {
    private static final ClusterRef ORDERS = new ClusterRef("shop", "orders");
    private static final String HOST = ORDERS.memberHost(0);
    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration LIMIT = Duration.ofSeconds(10);

    @Nested
    class Etcd3423 extends OverTls {
        Etcd3423() {
            super("3.4.23");
        }
    }

    @Nested
    class Etcd3530 extends OverTls {
        Etcd3530() {
            super("3.5.30");
        }
    }

    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    abstract static class OverTls {
        private final String version;
        private EtcdRing ring;
        private EtcdRing open;
        private MemberAccess.Route route;
        private TlsMaterial client;
        private TlsMaterial stranger;

        OverTls(String version) {
            this.version = version;
        }

        @BeforeAll
        void serveTls(@TempDir Path folder) {
            var binaries = EtcdBinaries.require(version);
            var ca = Authority.create(ORDERS, Instant.now(), DAY);
            client = material(ca);
            stranger = material(Authority.create(ORDERS, Instant.now(), DAY));
            var server = ca.issue(Leaf.SERVER, ORDERS, Instant.now(), DAY);
            // Files first: etcd still reads them after it said that it is ready.
            var ours = new TlsFiles(folder).clients(server, ca.certificatePem());
            var anyones = new TlsFiles(folder).anyone(server);
            ring = EtcdRing.start(binaries, 1, ours);
            open = EtcdRing.start(binaries, 1, anyones);
            route = ring.member(0).route(HOST);
        }

        @AfterAll
        void stop() {
            if (ring != null) {
                ring.close();
            }
            if (open != null) {
                open.close();
            }
        }

        @Test
        void readsAndChangesWithOurCertificate() throws IOException {
            assertThat(with(client).probe(route, LIMIT).members()).hasSize(1);
            assertThat(with(client).countKeys(route, 0, LIMIT)).isZero();
            assertThat(with(client).hashKeys(route, 0, LIMIT).revision()).isEqualTo(1);
            assertWhole(with(client), route);
            assertThat(failure(() -> with(client).removeMember(route, new EtcdId(1), LIMIT))
                            .kind())
                    .isEqualTo(Kind.NOT_FOUND);
        }

        @Test
        void connectsWithOnlyCaIfNoCertificateIsRequired() throws IOException {
            var onlyCa = new TlsMaterial(client.caPem(), Optional.empty());
            var anyone = open.member(0).route(HOST);

            assertThat(with(onlyCa).probe(anyone, LIMIT).members()).hasSize(1);
            assertWhole(with(onlyCa), anyone);
            assertThat(failure(() -> with(onlyCa).probe(route, LIMIT)).kind())
                    .isIn(Kind.UNAUTHORIZED, Kind.UNREACHABLE);
        }

        @Test
        void refusesAMemberOfAnotherName() {
            var wrong = ring.member(0).route(new ClusterRef("shop", "invoices").memberHost(0));

            var probed = failure(() -> with(client).probe(wrong, LIMIT));
            var taken = failure(() -> with(client).snapshot(wrong, LIMIT, _ -> {}));
            var changed = failure(() -> with(client).removeMember(wrong, new EtcdId(1), LIMIT));

            assertThat(probed.kind()).isEqualTo(Kind.UNAUTHORIZED);
            assertThat(taken.kind()).isEqualTo(Kind.UNAUTHORIZED);
            assertThat(changed.kind()).isEqualTo(Kind.UNAUTHORIZED);
            assertThat(changed.mayHaveHappened()).isFalse();
        }

        @Test
        void refusesAMemberOfAnotherCa() {
            var misled = new TlsMaterial(stranger.caPem(), client.client());

            assertThat(failure(() -> with(misled).probe(route, LIMIT)).kind()).isEqualTo(Kind.UNAUTHORIZED);
        }

        @Test
        void saysThatOurCertificateIsRefused() {
            var strange = new TlsMaterial(client.caPem(), stranger.client());

            assertThat(failure(() -> with(strange).probe(route, LIMIT)).kind()).isEqualTo(Kind.UNAUTHORIZED);
        }

        @Test
        void plainTextIsNotServed() {
            assertThat(failure(() -> new JetcdGateway().probe(route, LIMIT)).kind())
                    .isEqualTo(Kind.UNREACHABLE);
        }
    }

    private static TlsMaterial material(Authority ca) {
        var client = ca.issue(Leaf.CLIENT, ORDERS, Instant.now(), DAY);
        return new TlsMaterial(ca.certificatePem(), client.certificatePem(), client.keyPem());
    }

    private static void assertWhole(JetcdGateway gateway, MemberAccess.Route route) throws IOException {
        var digest = new SnapshotCheck();
        gateway.snapshot(route, LIMIT, digest::update);
        assertThat(digest.finish().fault()).isEmpty();
    }

    private static JetcdGateway with(TlsMaterial material) {
        return new JetcdGateway(_ -> Optional.of(material));
    }

    private static GatewayException failure(ThrowingCallable call) {
        return catchThrowableOfType(GatewayException.class, call);
    }
}
