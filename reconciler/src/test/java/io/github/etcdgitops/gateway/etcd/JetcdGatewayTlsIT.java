package io.github.etcdgitops.gateway.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.it.EtcdBinaries;
import io.github.etcdgitops.it.EtcdRing;
import io.github.etcdgitops.state.EtcdId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// A member that serves TLS alone, by a certificate for its DNS name, and is reached by its address.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JetcdGatewayTlsIT {
    private static final String HOST = "orders-0.orders-peer.shop.svc";
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private EtcdRing ring;
    private MemberAccess.Route route;
    private TlsMaterial client;
    private TlsMaterial stranger;

    @BeforeAll
    void serveTls(@TempDir Path folder) throws IOException {
        var binaries = EtcdBinaries.require("3.5.30");
        var ca = Certificates.createCa(folder, "ours");
        client = ca.issue("client");
        stranger = Certificates.createCa(folder, "theirs").issue("client");
        ring = EtcdRing.start(binaries, 1, ca.serve(ca.issue(HOST)));
        route = ring.member(0).route(HOST);
    }

    @AfterAll
    void stop() {
        if (ring != null) {
            ring.close();
        }
    }

    @Test
    void readsAndChangesWithOurCertificate() {
        assertThat(with(client).probe(route, LIMIT).members()).hasSize(1);
        assertThat(failure(() -> with(client).removeMember(route, new EtcdId(1), LIMIT))
                        .kind())
                .isEqualTo(Kind.NOT_FOUND);
    }

    @Test
    void refusesAMemberOfAnotherName() {
        var wrong = ring.member(0).route("orders-1.orders-peer.shop.svc");

        var probed = failure(() -> with(client).probe(wrong, LIMIT));
        var changed = failure(() -> with(client).removeMember(wrong, new EtcdId(1), LIMIT));

        assertThat(probed.kind()).isEqualTo(Kind.UNAUTHORIZED);
        assertThat(changed.kind()).isEqualTo(Kind.UNAUTHORIZED);
        assertThat(changed.mayHaveHappened()).isFalse();
    }

    @Test
    void refusesAMemberOfAnotherCa() {
        var misled = new TlsMaterial(stranger.caPem(), client.certPem(), client.keyPem());

        assertThat(failure(() -> with(misled).probe(route, LIMIT)).kind()).isEqualTo(Kind.UNAUTHORIZED);
    }

    @Test
    void saysThatOurCertificateIsRefused() {
        var strange = new TlsMaterial(client.caPem(), stranger.certPem(), stranger.keyPem());

        assertThat(failure(() -> with(strange).probe(route, LIMIT)).kind()).isEqualTo(Kind.UNAUTHORIZED);
    }

    @Test
    void plainTextIsNotServed() {
        assertThat(failure(() -> new JetcdGateway().probe(route, LIMIT)).kind()).isEqualTo(Kind.UNREACHABLE);
    }

    private static JetcdGateway with(TlsMaterial material) {
        return new JetcdGateway(_ -> Optional.of(material));
    }

    private static GatewayException failure(ThrowingCallable call) {
        return catchThrowableOfType(GatewayException.class, call);
    }
}
