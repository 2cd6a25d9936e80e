package io.github.etcdgitops.gateway.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.etcdgitops.certificate.Authority;
import io.github.etcdgitops.certificate.Leaf;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.gateway.MemberAccess.Door;
import io.github.etcdgitops.gateway.RingPasswords;
import io.github.etcdgitops.gateway.etcd.Escalation.Purpose;
import io.github.etcdgitops.gateway.etcd.Escalation.Visit;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.value.Observed;
import io.grpc.Status;
import io.netty.handler.ssl.SslContext;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Who a call is made as, over TLS: each of our certificates has a TLS context of its own.
class EscalationTest {
    private static final ClusterRef REF = new ClusterRef("shop", "orders");
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private final Ours ours = new Ours();
    private final Escalation escalation = new Escalation(ours);
    private final MemberAccess.Route route = new ToRing(new LoopbackRoute(1), Door.CLIENT_TLS, REF);

    /// The contexts that calls came with, in order.
    private final List<SslContext> seen = new ArrayList<>();

    private String answer(Endpoint endpoint, Set<Integer> refused, String text) {
        seen.add(endpoint.tls().orElseThrow());
        if (refused.contains(seen.size())) {
            throw Status.UNKNOWN.withDescription(text).asRuntimeException();
        }
        return "answer " + seen.size();
    }

    private String ask(Purpose purpose, Integer... refused) {
        return ask(purpose, "auth: permission denied", refused);
    }

    private String ask(Purpose purpose, String text, Integer... refused) {
        return escalation.call(Visit.of(route, LIMIT, purpose), e -> answer(e, Set.of(refused), text));
    }

    @Test
    void staysOrdinaryAsLongAsNothingIsRefused() {
        ask(Purpose.STATUS);
        ask(Purpose.UPKEEP);

        assertThat(seen).hasSize(2).containsOnly(seen.getFirst());
        assertThat(ours.askedForRoot).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "etcdserver: user name is empty",
                "etcdserver: permission denied",
                "auth: permission denied",
                "auth: user name is empty",
                "auth: invalid auth token",
                "etcdserver: user name not found",
                "auth: user not found"
            })
    void repeatsRefusedCallOnceAsRoot(String text) {
        assertThat(ask(Purpose.STATUS, text, 1)).isEqualTo("answer 2");

        assertThat(seen).hasSize(2).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @ValueSource(strings = {"etcdserver: no leader", "etcdserver: member not found", "permission"})
    void repeatsNothingElse(String text) {
        assertThatThrownBy(() -> ask(Purpose.STATUS, text, 1)).hasMessageContaining(text);

        assertThat(seen).hasSize(1);
        assertThat(ours.askedForRoot).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"etcdserver: revision of auth store is old", "auth: revision in header is old"})
    void repeatsCallThatChangesOfUsersOvertook(String text) {
        assertThat(ask(Purpose.KEYS, text, 1, 2)).isEqualTo("answer 3");
        assertThatThrownBy(() -> ask(Purpose.KEYS, text, 4, 5, 6)).hasMessageContaining(text);

        assertThat(seen).hasSize(6).containsOnly(seen.getFirst());
    }

    @Test
    void remembersForEachPurposeThatRootIsNeeded() {
        ask(Purpose.UPKEEP, 1);
        ask(Purpose.UPKEEP);
        ask(Purpose.STATUS);

        assertThat(seen).hasSize(4);
        assertThat(seen.get(2)).isSameAs(seen.get(1)).isNotSameAs(seen.get(0));
        assertThat(seen.get(3)).isSameAs(seen.get(0));
    }

    @Test
    void forgetsWhereRootIsRefused() {
        ask(Purpose.UPKEEP, 1);

        assertThat(ask(Purpose.UPKEEP, 3)).isEqualTo("answer 4");
        assertThat(ask(Purpose.UPKEEP)).isEqualTo("answer 5");

        assertThat(seen.get(3)).isSameAs(seen.get(0));
        assertThat(seen.get(4)).isSameAs(seen.get(0));
    }

    @Test
    void namesSecretsWhereThereIsNoRoot() {
        ours.root = Observed.unknown("the Secret orders-root-tls does not exist");

        var refused = catchThrowableOfType(RootRefused.class, () -> ask(Purpose.STATUS, 1));
        var said = EtcdErrors.changing("adding a learner", refused);

        assertThat(said.kind()).isEqualTo(Kind.UNAUTHORIZED);
        assertThat(said.mayHaveHappened()).isFalse();
        assertThat(said)
                .hasMessage("adding a learner: the ring has authentication enabled, and etcd lets only its user root do"
                        + " this: the Secret orders-root-tls does not exist; no password of root is known");
    }

    @Test
    void saysThatCertificateOfRootIsNotAccepted() {
        assertThatThrownBy(() -> ask(Purpose.STATUS, 1, 2))
                .isInstanceOf(RootRefused.class)
                .hasMessageContaining("etcd does not accept the certificate in the Secret orders-root-tls in namespace"
                        + " shop as that of its user root");
    }

    @Test
    void unreadableCertificateOfRootIsNoReasonToEnd() {
        ours.root = Observed.known(new TlsMaterial(new byte[0], new byte[0], new byte[0]));

        assertThatThrownBy(() -> ask(Purpose.STATUS, 1))
                .isInstanceOf(RootRefused.class)
                .hasMessageContaining("cannot be read");
    }

    /// It has no Secrets of its own, and anybody may have put it there.
    @Test
    void strangerIsNeverShownRoot() {
        var strange = new MemberAccessOfNoRing();

        assertThatThrownBy(() -> escalation.call(
                        Visit.of(strange, LIMIT, Purpose.UPKEEP),
                        e -> answer(e, Set.of(1), "etcdserver: user name is empty")))
                .hasMessageContaining("user name is empty");

        assertThat(ours.askedForRoot).isZero();
    }

    @Test
    void showsNoSecretAsText() {
        var endpoint = new Endpoint(
                route,
                Optional.empty(),
                Optional.of("the token"),
                Visit.of(route, LIMIT, Purpose.STATUS).deadline());

        assertThat(endpoint.toString()).doesNotContain("token");
        assertThat(new RingPasswords.Password("open sesame").toString()).doesNotContain("sesame");
    }

    private static final class Ours implements Identities {
        private final Authority authority = Authority.create(REF, Instant.now(), Duration.ofDays(1));
        private final TlsMaterial client = material(Leaf.CLIENT);
        private Observed<TlsMaterial> root = Observed.known(material(Leaf.ROOT));
        private int askedForRoot;

        private TlsMaterial material(Leaf leaf) {
            var made = authority.issue(leaf, REF, Instant.now(), Duration.ofDays(1));
            return new TlsMaterial(authority.certificatePem(), made.certificatePem(), made.keyPem());
        }

        @Override
        public Optional<TlsMaterial> ordinary(MemberAccess.Route route) {
            return Optional.of(client);
        }

        @Override
        public Observed<TlsMaterial> rootCertificate(MemberAccess.Route route) {
            askedForRoot++;
            return root;
        }
    }

    private record MemberAccessOfNoRing() implements MemberAccess.Route {
        @Override
        public String host() {
            return "127.0.0.1";
        }

        @Override
        public int port() {
            return 1;
        }

        @Override
        public String authority() {
            return "m0.test";
        }

        @Override
        public MemberAccess.Way way() {
            return MemberAccess.Way.POD_IP;
        }

        @Override
        public MemberAccess.Door door() {
            return Door.CLIENT_TLS;
        }

        @Override
        public void close() {}
    }
}
