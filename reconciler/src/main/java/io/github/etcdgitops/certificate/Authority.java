package io.github.etcdgitops.certificate;

import io.github.etcdgitops.spec.value.ClusterRef;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.HexFormat;
import org.bouncycastle.asn1.x500.X500Name;

/// The CA of one ring: its certificates are valid for that ring alone.
public final class Authority {
    private static final int COMMON_NAME = 64;
    private static final int SERIAL_BITS = 128;

    /// Allows for clock differences between members and clients.
    private static final Duration EARLIER = Duration.ofMinutes(5);

    private final Credential credential;
    private final X509Certificate certificate;
    private final PrivateKey key;

    private Authority(Credential credential, X509Certificate certificate, PrivateKey key) {
        this.credential = credential;
        this.certificate = certificate;
        this.key = key;
    }

    /// Creates a CA. Its name differs from those of the ring's other CAs, because certificates name their
    /// issuer by it and a ring has two CAs during a change from one to the next.
    public static Authority create(ClusterRef ref, Instant now, Duration validity) {
        var random = new SecureRandom();
        byte[] tail = new byte[4];
        random.nextBytes(tail);
        String end = " etcd CA " + HexFormat.of().formatHex(tail);
        X500Name name = Issue.name(Leaf.cut(ref.toString(), COMMON_NAME - end.length()) + end);
        KeyPair pair = keys(random);
        var issue = new Issue(name, serial(random), Date.from(now.minus(EARLIER)), Date.from(now.plus(validity)), name);
        X509Certificate certificate = issue.authority(pair);
        var credential = new Credential(Pem.certificate(certificate), Pem.key(pair.getPrivate()));
        return new Authority(credential, certificate, pair.getPrivate());
    }

    /// An existing CA. An IllegalArgumentException says what is wrong with it.
    public static Authority of(Credential credential) {
        var certificates = Pem.certificates(credential.certificatePem());
        if (certificates.isEmpty()) {
            throw new IllegalArgumentException("the CA's certificate cannot be read: it must be PEM");
        }
        X509Certificate certificate = certificates.getFirst();
        PrivateKey key = Pem.key(credential.keyPem())
                .orElseThrow(() ->
                        new IllegalArgumentException("the CA's key cannot be read: it must be PEM and not encrypted"));
        if (certificate.getBasicConstraints() < 0) {
            throw new IllegalArgumentException("the certificate is not a CA certificate");
        }
        if (!Pem.belong(key, certificate)) {
            throw new IllegalArgumentException("the CA's key does not belong to its certificate");
        }
        return new Authority(credential, certificate, key);
    }

    public Credential credential() {
        return credential;
    }

    public byte[] certificatePem() {
        return credential.certificatePem();
    }

    public Instant notAfter() {
        return certificate.getNotAfter().toInstant();
    }

    /// A certificate with a new key. It expires with the CA at the latest; throws IllegalArgumentException
    /// where the CA has expired.
    public Credential issue(Leaf leaf, ClusterRef ref, Instant now, Duration validity) {
        Instant wanted = now.plus(validity);
        Instant until = wanted.isBefore(notAfter()) ? wanted : notAfter();
        if (!until.isAfter(now)) {
            throw new IllegalArgumentException("the CA of ring " + ref + " expired on " + notAfter());
        }
        var random = new SecureRandom();
        KeyPair pair = keys(random);
        var issue = new Issue(
                X500Name.getInstance(certificate.getSubjectX500Principal().getEncoded()),
                serial(random),
                Date.from(now.minus(EARLIER)),
                Date.from(until),
                Issue.name(leaf.commonName(ref)));
        X509Certificate issued = issue.leaf(leaf, ref, pair.getPublic(), certificate, key);
        return new Credential(Pem.certificate(issued), Pem.key(pair.getPrivate()));
    }

    private static KeyPair keys(SecureRandom random) {
        try {
            var generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"), random);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has P-256", e);
        }
    }

    private static BigInteger serial(SecureRandom random) {
        return new BigInteger(SERIAL_BITS, random).add(BigInteger.ONE);
    }
}
