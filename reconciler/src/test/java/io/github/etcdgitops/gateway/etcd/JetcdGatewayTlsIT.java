package io.github.etcdgitops.gateway.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.it.EtcdBinaries;
import io.github.etcdgitops.it.EtcdRing;
import io.github.etcdgitops.state.EtcdId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A member that serves TLS alone, by a certificate for its DNS name, and is reached by its address.
class JetcdGatewayTlsIT {
    private static final String HOST = "orders-0.orders-peer.shop.svc";
    private static final Duration LIMIT = Duration.ofSeconds(10);

    @Test
    void checksTheMembersNameAndShowsOurCertificate(@TempDir Path folder) throws IOException {
        var ca = Certificates.createCa(folder, "ours");
        var client = ca.issue("client");
        var flags = ca.serve(ca.issue(HOST));
        try (var ring = EtcdRing.start(EtcdBinaries.require("3.5.30"), 1, flags)) {
            var gateway = new JetcdGateway(_ -> Optional.of(client));
            var right = ring.member(0).route(HOST);
            var wrong = ring.member(0).route("orders-1.orders-peer.shop.svc");

            assertThat(gateway.probe(right, LIMIT).members()).hasSize(1);
            assertThat(failure(() -> gateway.removeMember(right, new EtcdId(1), LIMIT))
                            .kind())
                    .isEqualTo(Kind.NOT_FOUND);
            assertThat(failure(() -> gateway.probe(wrong, LIMIT)).kind()).isEqualTo(Kind.UNAUTHORIZED);
            assertThat(failure(() -> gateway.removeMember(wrong, new EtcdId(1), LIMIT)))
                    .matches(e -> e.kind() == Kind.UNAUTHORIZED && !e.mayHaveHappened());
        }
    }

    @Test
    void refusesAndIsRefusedAcrossCas(@TempDir Path folder) throws IOException {
        var ours = Certificates.createCa(folder, "ours");
        var theirs = Certificates.createCa(folder, "theirs").issue("client");
        var client = ours.issue("client");
        var flags = ours.serve(ours.issue(HOST));
        try (var ring = EtcdRing.start(EtcdBinaries.require("3.5.30"), 1, flags)) {
            var route = ring.member(0).route(HOST);
            var strange = new TlsMaterial(client.caPem(), theirs.certPem(), theirs.keyPem());
            var misled = new TlsMaterial(theirs.caPem(), client.certPem(), client.keyPem());

            var refused = failure(() -> new JetcdGateway(_ -> Optional.of(strange)).probe(route, LIMIT));
            var refusing = failure(() -> new JetcdGateway(_ -> Optional.of(misled)).probe(route, LIMIT));
            var plain = failure(() -> new JetcdGateway().probe(route, LIMIT));

            assertThat(refused.kind()).isEqualTo(Kind.UNAUTHORIZED);
            assertThat(refusing.kind()).isEqualTo(Kind.UNAUTHORIZED);
            assertThat(plain.kind()).isEqualTo(Kind.UNREACHABLE);
        }
    }

    private static GatewayException failure(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        return catchThrowableOfType(GatewayException.class, call);
    }
}
