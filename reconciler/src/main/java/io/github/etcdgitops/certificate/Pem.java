package io.github.etcdgitops.certificate;

import io.github.etcdgitops.digest.Digests;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;

/// Certificates and keys as text. An unreadable text gives an empty result, without the reason: parsers
/// quote what they did not understand, and that may be a key.
final class Pem {
    private static final String BEGIN = "-----BEGIN";

    /// Keys that were seen to belong to a certificate: their digests. A wait reads the same Secrets again and again.
    private static final Map<X509Certificate, String> PROVEN = Collections.synchronizedMap(new WeakHashMap<>());

    private Pem() {}

    static byte[] certificate(X509Certificate certificate) {
        try {
            return pem("CERTIFICATE", certificate.getEncoded());
        } catch (CertificateException e) {
            throw new IllegalStateException("a certificate that was just made has no encoding", e);
        }
    }

    /// In PKCS#8 form, which every program reads.
    static byte[] key(PrivateKey key) {
        return pem("PRIVATE KEY", key.getEncoded());
    }

    private static byte[] pem(String type, byte[] der) {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        return ("-----BEGIN " + type + "-----\n" + body + "\n-----END " + type + "-----\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    static X509Certificate certificate(byte[] der) {
        try {
            return (X509Certificate) factory().generateCertificate(new ByteArrayInputStream(der));
        } catch (CertificateException e) {
            throw new IllegalStateException("a certificate that was just made cannot be read", e);
        }
    }

    /// In the order of the text; also empty where the text has none. They are read one by one: the JDK then
    /// gives the same object for the same text while it is in memory, and the object remembers whose
    /// signature it was seen to have.
    static List<X509Certificate> certificates(byte[] pem) {
        var found = new ArrayList<X509Certificate>();
        String text = new String(pem, StandardCharsets.ISO_8859_1);
        var rest = new ByteArrayInputStream(pem);
        try {
            while (text.indexOf(BEGIN, pem.length - rest.available()) >= 0) {
                if (factory().generateCertificate(rest) instanceof X509Certificate x509) {
                    found.add(x509);
                }
            }
        } catch (CertificateException _) {
            return List.of();
        }
        return List.copyOf(found);
    }

    static CertificateFactory factory() {
        try {
            return CertificateFactory.getInstance("X.509");
        } catch (CertificateException e) {
            throw new IllegalStateException("every JDK has X.509", e);
        }
    }

    /// The first key in PKCS#8 or traditional form that is not encrypted.
    static Optional<PrivateKey> key(byte[] pem) {
        try (var parser = new PEMParser(new StringReader(new String(pem, StandardCharsets.US_ASCII)))) {
            for (Object found = parser.readObject(); found != null; found = parser.readObject()) {
                if (found instanceof PEMKeyPair pair) {
                    return Optional.of(key(pair.getPrivateKeyInfo()));
                }
                if (found instanceof PrivateKeyInfo info) {
                    return Optional.of(key(info));
                }
            }
            return Optional.empty();
        } catch (IOException | GeneralSecurityException | RuntimeException _) {
            // The parser also throws unchecked exceptions of its parts.
            return Optional.empty();
        }
    }

    private static PrivateKey key(PrivateKeyInfo info) throws IOException, GeneralSecurityException {
        String algorithm = info.getPrivateKeyAlgorithm().getAlgorithm().getId();
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(info.getEncoded()));
    }

    /// Whether the certificate's public key verifies signatures of the private key.
    static boolean belong(PrivateKey key, X509Certificate to) {
        String digest = HexFormat.of().formatHex(Digests.sha256().digest(key.getEncoded()));
        if (digest.equals(PROVEN.get(to))) {
            return true;
        }
        boolean belong = verifies(to.getPublicKey(), key);
        if (belong) {
            PROVEN.put(to, digest);
        }
        return belong;
    }

    private static boolean verifies(PublicKey to, PrivateKey key) {
        try {
            byte[] text = "who signed this".getBytes(StandardCharsets.US_ASCII);
            var signing = Signature.getInstance(signature(key));
            signing.initSign(key);
            signing.update(text);
            byte[] signature = signing.sign();
            var verifying = Signature.getInstance(signature(key));
            verifying.initVerify(to);
            verifying.update(text);
            return verifying.verify(signature);
        } catch (InvalidKeyException | SignatureException _) {
            return false;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has the signatures of TLS", e);
        }
    }

    /// The JDK's name of the signature algorithm for this key.
    static String signature(PrivateKey key) throws InvalidKeyException {
        return switch (key.getAlgorithm()) {
            case "EC" -> "SHA256withECDSA";
            case "RSA" -> "SHA256withRSA";
            case "EdDSA", "Ed25519" -> "Ed25519";
            default -> throw new InvalidKeyException("of no use for TLS");
        };
    }
}
