package io.github.etcdgitops.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.spec.time.Validity;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.stream.Stream;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CertificateCheckTest {
    private static final ClusterRef REF = new ClusterRef("shop", "orders");
    private static final Instant NOW = Instant.parse("2026-05-01T12:00:00Z");
    private static final Duration YEAR = Duration.ofDays(365);
    private static final Authority CA = Authority.create(REF, NOW, YEAR);
    private static final Authority OTHER = Authority.create(REF, NOW, YEAR);

    private static List<String> problems(Leaf leaf, Credential credential) {
        return CertificateCheck.problems(leaf, REF, credential, CA.certificatePem(), NOW);
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] joined(byte[]... parts) {
        var all = new ByteArrayOutputStream();
        Stream.of(parts).forEach(all::writeBytes);
        return all.toByteArray();
    }

    private static byte[] pem(String type, byte[] der) {
        return text("-----BEGIN " + type + "-----\n" + Base64.getMimeEncoder().encodeToString(der) + "\n-----END "
                + type + "-----\n");
    }

    // --- certificates of others

    private static KeyPair keys(String algorithm) {
        try {
            return KeyPairGenerator.getInstance(algorithm).generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /// A certificate as somebody else would make it, by a CA of theirs.
    private record Theirs(List<String> names, List<String> usages, int keyUsage) {
        private static final KeyPair CA_KEYS = keys("RSA");
        private static final Issue ROOT = issue("their CA", "their CA");
        static final byte[] BUNDLE = Pem.certificate(ROOT.authority(CA_KEYS));

        static Theirs naming(Stream<String> names) {
            return new Theirs(names.toList(), List.of(), KeyUsage.digitalSignature);
        }

        private static Issue issue(String issuer, String subject) {
            return new Issue(
                    Issue.name(issuer),
                    BigInteger.valueOf(subject.length()),
                    Date.from(NOW.minus(YEAR)),
                    Date.from(NOW.plus(YEAR)),
                    Issue.name(subject));
        }

        private X509v3CertificateBuilder builder(Issue issue, KeyPair keys) throws Exception {
            var builder = new JcaX509v3CertificateBuilder(
                    issue.issuer(),
                    issue.serial(),
                    issue.notBefore(),
                    issue.notAfter(),
                    issue.subject(),
                    keys.getPublic());
            builder.addExtension(Extension.keyUsage, true, new KeyUsage(keyUsage));
            if (!names.isEmpty()) {
                var general = names.stream()
                        .map(n ->
                                new GeneralName(n.matches("[0-9.]+") ? GeneralName.iPAddress : GeneralName.dNSName, n))
                        .toArray(GeneralName[]::new);
                builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(general));
            }
            if (!usages.isEmpty()) {
                var purposes = usages.stream()
                        .map(oid -> KeyPurposeId.getInstance(new ASN1ObjectIdentifier(oid)))
                        .toArray(KeyPurposeId[]::new);
                builder.addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(purposes));
            }
            return builder;
        }

        byte[] signed(KeyPair keys) throws Exception {
            var signer = new JcaContentSignerBuilder("SHA256withRSA").build(CA_KEYS.getPrivate());
            return pem(
                    "CERTIFICATE",
                    builder(issue("their CA", "leaf"), keys).build(signer).getEncoded());
        }

        /// By a CA between theirs and the certificate.
        byte[] chain(KeyPair keys) throws Exception {
            var between = keys("RSA");
            var root = new JcaContentSignerBuilder("SHA256withRSA").build(CA_KEYS.getPrivate());
            var signer = new JcaContentSignerBuilder("SHA256withRSA").build(between.getPrivate());
            var middle = new Theirs(List.of(), List.of(), KeyUsage.keyCertSign)
                    .builder(issue("their CA", "between"), between)
                    .addExtension(Extension.basicConstraints, true, new BasicConstraints(0))
                    .build(root);
            return joined(
                    pem(
                            "CERTIFICATE",
                            builder(issue("between", "leaf"), keys)
                                    .build(signer)
                                    .getEncoded()),
                    pem("CERTIFICATE", middle.getEncoded()));
        }

        List<String> problems(Leaf leaf) throws Exception {
            var keys = keys("EC");
            var credential = new Credential(signed(keys), Pem.key(keys.getPrivate()));
            return CertificateCheck.problems(leaf, REF, credential, BUNDLE, NOW);
        }
    }

    // --- what is fine

    @ParameterizedTest
    @EnumSource(Leaf.class)
    void findsNoFaultInOwnCertificates(Leaf leaf) {
        assertThat(problems(leaf, CA.issue(leaf, REF, NOW, YEAR))).isEmpty();
    }

    @Test
    void acceptsAnyCaOfBundle() {
        byte[] bundle = joined(OTHER.certificatePem(), text("# and the former one\n"), CA.certificatePem());
        var credential = CA.issue(Leaf.SERVER, REF, NOW, YEAR);

        assertThat(CertificateCheck.problems(Leaf.SERVER, REF, credential, bundle, NOW))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"EC", "RSA", "Ed25519"})
    void keysOfAnyKindAndFormAreRead(String algorithm) throws Exception {
        var keys = keys(algorithm);
        byte[] certificate = Theirs.naming(Stream.of()).signed(keys);
        byte[] key = keys.getPrivate().getEncoded();
        byte[] traditional = PrivateKeyInfo.getInstance(key)
                .parsePrivateKey()
                .toASN1Primitive()
                .getEncoded();

        assertThat(CertificateCheck.problems(
                        Leaf.CLIENT, REF, new Credential(certificate, pem("PRIVATE KEY", key)), Theirs.BUNDLE, NOW))
                .isEmpty();
        if (algorithm.equals("RSA")) {
            var credential = new Credential(certificate, pem("RSA PRIVATE KEY", traditional));
            assertThat(CertificateCheck.problems(Leaf.CLIENT, REF, credential, Theirs.BUNDLE, NOW))
                    .isEmpty();
        }
    }

    /// As `openssl ecparam -genkey` writes it: the parameters first.
    @Test
    void readsTraditionalEcKeyWithParameters() throws Exception {
        var keys = keys("EC");
        byte[] certificate = Theirs.naming(Stream.of()).signed(keys);
        var info = PrivateKeyInfo.getInstance(keys.getPrivate().getEncoded());
        var curve =
                ASN1ObjectIdentifier.getInstance(info.getPrivateKeyAlgorithm().getParameters());
        var own = org.bouncycastle.asn1.sec.ECPrivateKey.getInstance(info.parsePrivateKey());
        int bits = ((java.security.interfaces.ECPublicKey) keys.getPublic())
                .getParams()
                .getOrder()
                .bitLength();
        var traditional = new org.bouncycastle.asn1.sec.ECPrivateKey(bits, own.getKey(), curve);
        byte[] key = joined(pem("EC PARAMETERS", curve.getEncoded()), pem("EC PRIVATE KEY", traditional.getEncoded()));

        assertThat(CertificateCheck.problems(Leaf.CLIENT, REF, new Credential(certificate, key), Theirs.BUNDLE, NOW))
                .isEmpty();
    }

    @Test
    void acceptsIntermediateCa() throws Exception {
        var keys = keys("EC");
        byte[] chain = Theirs.naming(Leaf.PEER.required(REF).stream()).chain(keys);

        assertThat(CertificateCheck.problems(
                        Leaf.PEER, REF, new Credential(chain, Pem.key(keys.getPrivate())), Theirs.BUNDLE, NOW))
                .isEmpty();
        assertThat(CertificateCheck.problems(
                        Leaf.PEER, REF, new Credential(chain, Pem.key(keys.getPrivate())), CA.certificatePem(), NOW))
                .containsExactly("the certificate is not signed by the CA");
    }

    // --- what is not

    @ParameterizedTest
    @ValueSource(strings = {"", "no PEM", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"})
    void namesUnreadablePartWithoutShowingIt(String text) {
        var good = CA.issue(Leaf.PEER, REF, NOW, YEAR);

        assertThat(problems(Leaf.PEER, new Credential(text(text), good.keyPem())))
                .containsExactly("the certificate cannot be read: it must be PEM");
        assertThat(problems(Leaf.PEER, new Credential(good.certificatePem(), text(text))))
                .containsExactly("the key cannot be read: it must be PEM and not encrypted");
        assertThat(CertificateCheck.problems(Leaf.PEER, REF, good, text(text), NOW))
                .containsExactly("the CA cannot be read: it must be PEM");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-----BEGIN PRIVATE KEY-----\nMIGHAgEA\n-----END PRIVATE KEY-----\n",
                "-----BEGIN PRIVATE KEY-----\nMIGHAgEA",
                "-----BEGIN RSA PRIVATE KEY-----\n!!\n-----END RSA PRIVATE KEY-----\n",
                "-----BEGIN EC PRIVATE KEY-----\nMAA=\n-----END EC PRIVATE KEY-----\n",
                "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMAA=\n-----END ENCRYPTED PRIVATE KEY-----\n"
            })
    void reportsDamagedKeyAsUnreadable(String key) {
        byte[] certificate = CA.issue(Leaf.PEER, REF, NOW, YEAR).certificatePem();

        assertThat(problems(Leaf.PEER, new Credential(certificate, text(key))))
                .containsExactly("the key cannot be read: it must be PEM and not encrypted");
    }

    @ParameterizedTest
    @ValueSource(strings = {"EC", "RSA", "Ed25519"})
    void refusesKeyOfAnotherCertificate(String algorithm) {
        byte[] certificate = CA.issue(Leaf.PEER, REF, NOW, YEAR).certificatePem();

        assertThat(problems(
                        Leaf.PEER,
                        new Credential(certificate, Pem.key(keys(algorithm).getPrivate()))))
                .containsExactly("the key does not belong to the certificate");
    }

    @Test
    void anotherCaIsNotTrusted() {
        assertThat(problems(Leaf.PEER, OTHER.issue(Leaf.PEER, REF, NOW, YEAR)))
                .containsExactly("the certificate is not signed by the CA");
    }

    @Test
    void refusesCaAsLeaf() {
        assertThat(problems(Leaf.CLIENT, CA.credential())).first().isEqualTo("the certificate is a CA certificate");
    }

    @ParameterizedTest
    @CsvSource({
        "2026-04-30T00:00:00Z, not valid before 2026-05-01T11:55:00Z",
        "2026-06-01T00:00:00Z, expired on 2026-05-31T12:00:00Z"
    })
    void timeIsNamed(Instant at, String words) {
        var credential = CA.issue(Leaf.PEER, REF, NOW, Duration.ofDays(30));

        assertThat(CertificateCheck.problems(Leaf.PEER, REF, credential, CA.certificatePem(), at))
                .anyMatch(problem -> problem.startsWith("the certificate") && problem.contains(words));
    }

    @Test
    void distinguishesExpiredCa() {
        var brief = Authority.create(REF, NOW, Duration.ofDays(1));
        var credential = brief.issue(Leaf.PEER, REF, NOW, YEAR);

        assertThat(CertificateCheck.problems(
                        Leaf.PEER, REF, credential, brief.certificatePem(), NOW.plus(Duration.ofDays(2))))
                .containsExactly(
                        "its CA expired on 2026-05-02T12:00:00Z", "the certificate expired on 2026-05-02T12:00:00Z");
    }

    @Test
    void namesThatAreMissingAreListed() throws Exception {
        assertThat(Theirs.naming(Stream.of()).problems(Leaf.PEER))
                .containsExactly("the certificate lacks the subject alternative names orders-0.orders-peer.shop.svc,"
                        + " orders-1.orders-peer.shop.svc, orders-2.orders-peer.shop.svc and 6 more");
        assertThat(Theirs.naming(Leaf.SERVER.required(REF).stream().filter(name -> !name.equals("orders.shop.svc")))
                        .problems(Leaf.SERVER))
                .containsExactly("the certificate lacks the subject alternative name orders.shop.svc");
        assertThat(Theirs.naming(Leaf.SERVER.required(REF).stream().map(name -> name.replace("orders", "Orders")))
                        .problems(Leaf.SERVER))
                .isEmpty();
        assertThat(Theirs.naming(Stream.of()).problems(Leaf.CLIENT)).isEmpty();
    }

    @Test
    void acceptsWildcardForServerButNotForPeer() throws Exception {
        var wildcard = Theirs.naming(Stream.of("*.orders-peer.shop.svc", "*.shop.svc", "localhost", "127.0.0.1"));

        assertThat(wildcard.problems(Leaf.SERVER)).isEmpty();
        assertThat(wildcard.problems(Leaf.PEER)).singleElement().asString().endsWith("and 6 more");
    }

    @Test
    void namesMissingUsage() throws Exception {
        var serverOnly = List.of("1.3.6.1.5.5.7.3.1");
        var names = Leaf.PEER.required(REF);

        assertThat(new Theirs(names, serverOnly, KeyUsage.digitalSignature).problems(Leaf.PEER))
                .containsExactly("the certificate is not meant for client authentication (extended key usage)");
        assertThat(new Theirs(names, List.of("2.5.29.37.0"), KeyUsage.digitalSignature).problems(Leaf.PEER))
                .isEmpty();
        assertThat(new Theirs(List.of(), List.of(), KeyUsage.keyEncipherment).problems(Leaf.CLIENT))
                .containsExactly("the certificate is not meant for digital signatures (key usage)");
    }

    @Test
    void reportsEarliestExpiry() {
        byte[] brief = CA.issue(Leaf.PEER, REF, NOW, Duration.ofDays(7)).certificatePem();

        assertThat(CertificateCheck.validity(joined(brief, CA.certificatePem())).map(Validity::end))
                .contains(NOW.plus(Duration.ofDays(7)));
        assertThat(CertificateCheck.validity(text("no PEM"))).isEmpty();
    }
}
