package io.github.etcdgitops.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class AuthorityTest {
    private static final ClusterRef REF = new ClusterRef("shop", "orders");
    private static final Instant NOW = Instant.parse("2026-05-01T12:00:00Z");
    private static final Duration YEAR = Duration.ofDays(365);
    private static final Authority CA = Authority.create(REF, NOW, YEAR);

    private static X509Certificate certificate(Credential credential) {
        return Pem.certificates(credential.certificatePem()).getFirst();
    }

    private static List<Object> names(X509Certificate certificate) throws Exception {
        var entries = certificate.getSubjectAlternativeNames();
        return entries == null
                ? List.of()
                : entries.stream().<Object>map(entry -> entry.get(1)).toList();
    }

    @Test
    void caSignsOnlyLeafCertificates() {
        var certificate = certificate(CA.credential());

        assertThat(certificate.getBasicConstraints()).isZero();
        assertThat(certificate.getCriticalExtensionOIDs()).containsExactlyInAnyOrder("2.5.29.19", "2.5.29.15");
        assertThat(certificate.getNonCriticalExtensionOIDs()).containsExactlyInAnyOrder("2.5.29.14", "2.5.29.35");
        assertThat(certificate.getKeyUsage())
                .containsExactly(false, false, false, false, false, true, true, false, false);
        assertThat(certificate.getSubjectX500Principal()).isEqualTo(certificate.getIssuerX500Principal());
        assertThat(certificate.getSubjectX500Principal().getName()).matches("CN=shop/orders etcd CA [0-9a-f]{8}");
        assertThat(certificate.getNotAfter().toInstant()).isEqualTo(NOW.plus(YEAR));
        assertThat(certificate.getNotBefore().toInstant()).isBefore(NOW);
    }

    @Test
    void twoCasOfARingDiffer() {
        var other = Authority.create(REF, NOW, YEAR);

        assertThat(certificate(other.credential()).getSubjectX500Principal())
                .isNotEqualTo(certificate(CA.credential()).getSubjectX500Principal());
        assertThat(other.credential()).isNotEqualTo(CA.credential());
    }

    @Test
    void itsNameFitsWhateverTheRingIsCalled() {
        var ref = new ClusterRef("n".repeat(63), "r".repeat(52));
        var authority = Authority.create(ref, NOW, YEAR);
        var leaf = authority.issue(Leaf.CLIENT, ref, NOW, YEAR);

        assertThat(certificate(authority.credential()).getSubjectX500Principal().getName())
                .hasSize("CN=".length() + 64)
                .matches(".* etcd CA [0-9a-f]{8}");
        assertThat(certificate(leaf).getSubjectX500Principal().getName()).isEqualTo("CN=" + ref.name() + "-client");
    }

    @ParameterizedTest
    @CsvSource({"PEER, orders-peer", "SERVER, orders-server", "CLIENT, orders-client"})
    void issuesLeafWithNameAndUsagesOfItsKind(Leaf leaf, String commonName) throws Exception {
        var certificate = certificate(CA.issue(leaf, REF, NOW, YEAR));

        certificate.verify(certificate(CA.credential()).getPublicKey());
        assertThat(certificate.getSubjectX500Principal().getName()).isEqualTo("CN=" + commonName);
        assertThat(certificate.getBasicConstraints()).isNegative();
        assertThat(certificate.getKeyUsage()).startsWith(true, false);
        assertThat(certificate.getExtendedKeyUsage())
                .isEqualTo(
                        leaf == Leaf.CLIENT
                                ? List.of("1.3.6.1.5.5.7.3.2")
                                : List.of("1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2"));
        assertThat(certificate.getSerialNumber()).isPositive();
        assertThat(certificate.getPublicKey())
                .isInstanceOfSatisfying(
                        ECPublicKey.class,
                        key -> assertThat(key.getParams().getOrder().bitLength())
                                .isEqualTo(256));
    }

    @Test
    void membersComeFirstAmongTheNames() throws Exception {
        var hosts = IntStream.range(0, EtcdClusterSpec.MAX_SIZE)
                .<Object>mapToObj(REF::memberHost)
                .toList();

        var peer = names(certificate(CA.issue(Leaf.PEER, REF, NOW, YEAR)));
        var server = names(certificate(CA.issue(Leaf.SERVER, REF, NOW, YEAR)));
        var client = names(certificate(CA.issue(Leaf.CLIENT, REF, NOW, YEAR)));

        assertThat(peer).startsWith(hosts.toArray());
        assertThat(peer.get(hosts.size())).isEqualTo("localhost");
        assertThat(peer).contains("127.0.0.1", "0:0:0:0:0:0:0:1", "orders-8.orders-peer.shop.svc.cluster.local");
        assertThat(server).startsWith(hosts.toArray()).containsAll(peer);
        assertThat(server)
                .contains("orders.shop.svc", "orders.shop", "orders", "orders.shop.svc.cluster.local")
                .doesNotContain("orders.cluster.local");
        assertThat(client).isEmpty();
        assertThat(server).noneMatch(name -> name.toString().contains("*"));
    }

    @ParameterizedTest
    @EnumSource(Leaf.class)
    void leafNeverOutlivesItsCa(Leaf leaf) {
        var late = NOW.plus(YEAR).minus(Duration.ofDays(1));

        var certificate = certificate(CA.issue(leaf, REF, late, YEAR));

        assertThat(certificate.getNotAfter().toInstant()).isEqualTo(CA.notAfter());
        assertThat(certificate.getNotBefore().toInstant()).isBefore(late);
        assertThatThrownBy(() -> CA.issue(leaf, REF, CA.notAfter(), YEAR))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expired on 2027-05-01T12:00:00Z");
    }

    @Test
    void keepsUsingRetainedCa() throws Exception {
        var kept = Authority.of(CA.credential());

        var issued = certificate(kept.issue(Leaf.PEER, REF, NOW, YEAR));

        issued.verify(certificate(CA.credential()).getPublicKey());
        assertThat(kept.credential()).isEqualTo(CA.credential());
        assertThat(kept.certificatePem()).isEqualTo(CA.certificatePem());
    }

    @Test
    void refusesCredentialThatIsNoCa() {
        var leaf = CA.issue(Leaf.PEER, REF, NOW, YEAR);
        byte[] key = CA.credential().keyPem();
        byte[] text = "no PEM".getBytes(StandardCharsets.US_ASCII);

        assertThatThrownBy(() -> Authority.of(leaf)).hasMessageContaining("not a CA certificate");
        assertThatThrownBy(() -> Authority.of(new Credential(text, key))).hasMessageContaining("certificate");
        assertThatThrownBy(() -> Authority.of(new Credential(CA.certificatePem(), text)))
                .hasMessageContaining("key cannot be read");
        assertThatThrownBy(() -> Authority.of(new Credential(CA.certificatePem(), leaf.keyPem())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("does not belong");
    }

    @Test
    void copiesCredentialBytesAndPrintsNone() {
        byte[] certificate = CA.certificatePem();
        byte[] key = CA.credential().keyPem();
        var credential = new Credential(certificate, key);
        certificate[0] = 0;
        credential.keyPem()[0] = 0;

        assertThat(credential).isEqualTo(CA.credential()).hasSameHashCodeAs(CA.credential());
        assertThat(credential).hasToString("Credential[***]");
        assertThat(new String(key, StandardCharsets.US_ASCII)).startsWith("-----BEGIN PRIVATE KEY-----\n");
    }
}
