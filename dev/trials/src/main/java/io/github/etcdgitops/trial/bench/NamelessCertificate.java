package io.github.etcdgitops.trial.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.github.etcdgitops.certificate.Credential;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/// A client certificate of a ring's own CA without a common name. In a ring with users, etcd's HTTP gateway refuses
/// every other one.
final class NamelessCertificate {
    private NamelessCertificate() {}

    /// Ends with the CA.
    static Credential of(byte[] caPem, byte[] caKeyPem) {
        try {
            var ca = (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(caPem));
            String key = new String(caKeyPem, US_ASCII).replaceAll("-----[A-Z ]+-----", "");
            var signs = KeyFactory.getInstance("EC")
                    .generatePrivate(
                            new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(key)));
            var pair = KeyPairGenerator.getInstance("EC").generateKeyPair();
            var issued = new JcaX509v3CertificateBuilder(
                            ca,
                            BigInteger.valueOf(System.nanoTime()),
                            Date.from(Instant.now().minusSeconds(300)),
                            ca.getNotAfter(),
                            new X500Principal("O=trial"),
                            pair.getPublic())
                    .build(new JcaContentSignerBuilder("SHA256withECDSA").build(signs));
            return new Credential(
                    pem("CERTIFICATE", issued.getEncoded()),
                    pem("PRIVATE KEY", pair.getPrivate().getEncoded()));
        } catch (GeneralSecurityException | OperatorCreationException | IOException e) {
            throw new IllegalStateException("the CA signs no certificate", e);
        }
    }

    private static byte[] pem(String kind, byte[] der) {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        return ("-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n").getBytes(US_ASCII);
    }
}
