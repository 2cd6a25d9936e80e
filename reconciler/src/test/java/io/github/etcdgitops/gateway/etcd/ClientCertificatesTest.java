package io.github.etcdgitops.gateway.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.certificate.Authority;
import io.github.etcdgitops.certificate.Leaf;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.gateway.RingSecrets;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ClientCertificatesTest {
    private static final ClusterRef REF = new ClusterRef("shop", "orders");
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Authority authority = Authority.create(REF, START, Duration.ofDays(1));
    private final Shelf shelf = new Shelf();
    private Instant now = START;
    private final ClientCertificates certificates = new ClientCertificates(shelf, () -> now);

    @Test
    void readsTheSecretOnceInAWhile() {
        shelf.content = issue(Duration.ofHours(1));

        var first = certificates.apply(new ToMember());
        now = START.plusSeconds(9);
        shelf.content = issue(Duration.ofHours(2));

        assertThat(certificates.apply(new ToMember())).isEqualTo(first);
        now = START.plusSeconds(10);
        assertThat(certificates.apply(new ToMember())).isNotEqualTo(first);
    }

    @Test
    void looksForAnotherOneAtOnceWhereTheOneAtHandHasEnded() {
        shelf.content = issue(Duration.ofSeconds(5));

        var first = certificates.apply(new ToMember());
        now = START.plusSeconds(5);
        assertThat(certificates.apply(new ToMember())).isEqualTo(first);
        now = now.plus(SECOND);
        shelf.content = issue(Duration.ofHours(1));

        assertThat(certificates.apply(new ToMember())).isNotEqualTo(first);
    }

    private RingSecrets.Content issue(Duration validity) {
        var made = authority.issue(Leaf.CLIENT, REF, now, validity);
        return new RingSecrets.Content(made.certificatePem(), made.keyPem(), authority.certificatePem());
    }

    /// One Secret, which may be another one the next time.
    private static final class Shelf implements RingSecrets {
        private Content content = new Content(new byte[0], new byte[0], new byte[0]);

        @Override
        public Optional<Stored> read(ClusterRef ref, Kind kind) {
            return kind == Kind.CLIENT ? Optional.of(new Stored(content, "1", true)) : Optional.empty();
        }

        @Override
        public Optional<String> order(ClusterRef ref, Kind kind, Order order, long epoch) {
            throw new AssertionError("nobody orders here");
        }

        @Override
        public String write(ClusterRef ref, Kind kind, Content other, Optional<String> resourceVersion, long epoch) {
            throw new AssertionError("nothing is written by who only reads");
        }
    }

    private record ToMember() implements MemberAccess.Route {
        @Override
        public String host() {
            return "192.0.2.1";
        }

        @Override
        public int port() {
            return 2379;
        }

        @Override
        public String authority() {
            return REF.memberHost(0);
        }

        @Override
        public MemberAccess.Way way() {
            return MemberAccess.Way.POD_IP;
        }

        @Override
        public MemberAccess.Door door() {
            return MemberAccess.Door.CLIENT_TLS;
        }

        @Override
        public Optional<ClusterRef> ring() {
            return Optional.of(REF);
        }

        @Override
        public void close() {}
    }
}
