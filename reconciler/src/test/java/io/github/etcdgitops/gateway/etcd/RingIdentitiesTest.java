package io.github.etcdgitops.gateway.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.certificate.Authority;
import io.github.etcdgitops.certificate.Leaf;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.gateway.RingObjects;
import io.github.etcdgitops.gateway.RingPasswords;
import io.github.etcdgitops.gateway.RingSecrets;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RingIdentitiesTest {
    private static final ClusterRef REF = new ClusterRef("shop", "orders");
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Authority authority = Authority.create(REF, START, Duration.ofDays(1));
    private final Shelf shelf = new Shelf();
    private Instant now = START;
    private final RingIdentities identities = new RingIdentities(shelf, shelf, () -> now);

    @Test
    void readsTheSecretOnceInAWhile() {
        shelf.content = issue(Duration.ofHours(1));

        var first = identities.ordinary(new ToMember());
        now = START.plusSeconds(9);
        shelf.content = issue(Duration.ofHours(2));

        assertThat(identities.ordinary(new ToMember())).isEqualTo(first);
        now = START.plusSeconds(10);
        assertThat(identities.ordinary(new ToMember())).isNotEqualTo(first);
    }

    @Test
    void looksForAnotherOneAtOnceWhereTheOneAtHandHasEnded() {
        shelf.content = issue(Duration.ofSeconds(5));

        var first = identities.ordinary(new ToMember());
        now = START.plusSeconds(5);
        assertThat(identities.ordinary(new ToMember())).isEqualTo(first);
        now = now.plus(SECOND);
        shelf.content = issue(Duration.ofHours(1));

        assertThat(identities.ordinary(new ToMember())).isNotEqualTo(first);
    }

    @Test
    void readsSecretsOfRootOnlyWhenAskedAndOnceInAWhile() {
        shelf.content = issue(Duration.ofHours(1));
        shelf.root = Optional.of(issue(Leaf.ROOT, Duration.ofHours(1)));

        identities.ordinary(new ToMember());
        assertThat(shelf.readsOfRoot).isZero();

        assertThat(identities.rootCertificate(new ToMember()).isKnown()).isTrue();
        identities.rootCertificate(new ToMember());
        assertThat(shelf.readsOfRoot).isEqualTo(1);
        now = START.plusSeconds(10);
        identities.rootCertificate(new ToMember());
        assertThat(shelf.readsOfRoot).isEqualTo(2);
    }

    @Test
    void namesTheSecretsOfRootThatAreMissing() {
        assertThat(identities.rootCertificate(new ToMember()).unknownReason())
                .contains("the Secret orders-root-tls in namespace shop does not exist");
        assertThat(identities.rootPassword(new ToMember()).unknownReason())
                .contains("the Secret orders-root-auth in namespace shop does not exist");

        shelf.root = Optional.of(issue(Leaf.ROOT, Duration.ofHours(1)));
        assertThat(identities.rootCertificate(new ToMember()).isKnown()).isFalse();
        now = START.plusSeconds(10);
        assertThat(identities.rootCertificate(new ToMember()).isKnown()).isTrue();
    }

    @Test
    void saysThatCertificateOfRootExpired() {
        shelf.root = Optional.of(issue(Leaf.ROOT, Duration.ofSeconds(5)));

        assertThat(identities.rootCertificate(new ToMember()).isKnown()).isTrue();
        now = START.plusSeconds(6);
        assertThat(identities.rootCertificate(new ToMember()).unknownReason())
                .contains(
                        "the certificate in the Secret orders-root-tls in namespace shop expired 2026-01-01T00:00:05Z");

        shelf.root = Optional.of(new RingSecrets.Content(new byte[0], new byte[0], new byte[0]));
        now = START.plusSeconds(16);
        assertThat(identities.rootCertificate(new ToMember()).unknownReason())
                .contains("the certificate in the Secret orders-root-tls in namespace shop cannot be read");
    }

    @Test
    void repeatsWhichRightIsMissing() {
        shelf.refusal = Optional.of(new GatewayException(
                GatewayException.Kind.UNAUTHORIZED, false, "a Role has to let it get Secret shop/orders-root"));

        assertThat(identities.rootCertificate(new ToMember()).unknownReason())
                .contains("a Role has to let it get Secret shop/orders-root");
        assertThat(identities.rootPassword(new ToMember()).unknownReason())
                .contains("a Role has to let it get Secret shop/orders-root");
    }

    private RingSecrets.Content issue(Duration validity) {
        return issue(Leaf.CLIENT, validity);
    }

    private RingSecrets.Content issue(Leaf leaf, Duration validity) {
        var made = authority.issue(leaf, REF, now, validity);
        return new RingSecrets.Content(made.certificatePem(), made.keyPem(), authority.certificatePem());
    }

    /// Secrets that may be other ones the next time.
    private static final class Shelf implements RingSecrets, RingPasswords {
        private Content content = new Content(new byte[0], new byte[0], new byte[0]);
        private Optional<Content> root = Optional.empty();
        private Optional<GatewayException> refusal = Optional.empty();
        private int readsOfRoot;

        @Override
        public RingPasswords passwords() {
            return this;
        }

        @Override
        public Optional<RingSecrets.Stored> read(ClusterRef ref, Kind kind) {
            if (kind == Kind.CLIENT) {
                return Optional.of(new RingSecrets.Stored(content, "1", true));
            }
            readsOfRoot++;
            refuse();
            return root.map(c -> new RingSecrets.Stored(c, "1", true));
        }

        private void refuse() {
            refusal.ifPresent(e -> {
                throw e;
            });
        }

        @Override
        public Optional<RingPasswords.Stored> root(ClusterRef ref) {
            refuse();
            return Optional.empty();
        }

        @Override
        public Optional<RingPasswords.Stored> read(ClusterRef ref, String secretName, String key) {
            throw new AssertionError("only root's is read");
        }

        @Override
        public Optional<byte[]> entry(ClusterRef ref, String secretName, String key) {
            throw new AssertionError("only root's is read");
        }

        @Override
        public String writeRoot(
                ClusterRef ref, Password password, Optional<Password> next, Optional<String> version, long epoch) {
            throw new AssertionError("nothing is written by who only reads");
        }

        @Override
        public String writeUser(RingObjects wanted, String user, Password password, Optional<String> version) {
            throw new AssertionError("nothing is written by who only reads");
        }

        @Override
        public Touched connectUser(RingObjects wanted, String user) {
            throw new AssertionError("nothing is written by who only reads");
        }

        @Override
        public Touched removeUser(ClusterRef ref, String user, long epoch) {
            throw new AssertionError("nothing is removed by who only reads");
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
