package io.github.etcdgitops.certificate;

import io.github.etcdgitops.spec.value.ClusterRef;
import java.io.IOException;
import java.math.BigInteger;
import java.security.InvalidKeyException;
import java.security.KeyPair;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.util.Date;
import java.util.stream.Stream;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/// One certificate to sign.
record Issue(X500Name issuer, BigInteger serial, Date notBefore, Date notAfter, X500Name subject) {
    static X500Name name(String commonName) {
        return new X500NameBuilder(BCStyle.INSTANCE)
                .addRDN(BCStyle.CN, commonName)
                .build();
    }

    /// Self-signed. It signs leaf certificates and no further CA.
    X509Certificate authority(KeyPair pair) {
        try {
            var identifiers = new JcaX509ExtensionUtils();
            var builder = builder(pair.getPublic())
                    .addExtension(Extension.basicConstraints, true, new BasicConstraints(0))
                    .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign))
                    .addExtension(
                            Extension.subjectKeyIdentifier,
                            false,
                            identifiers.createSubjectKeyIdentifier(pair.getPublic()))
                    .addExtension(
                            Extension.authorityKeyIdentifier,
                            false,
                            identifiers.createAuthorityKeyIdentifier(pair.getPublic()));
            return signed(builder, pair.getPrivate());
        } catch (NoSuchAlgorithmException | IOException e) {
            throw unexpected(e);
        }
    }

    X509Certificate leaf(Leaf leaf, ClusterRef ref, PublicKey key, X509Certificate ca, PrivateKey caKey) {
        try {
            var identifiers = new JcaX509ExtensionUtils();
            var builder = builder(key)
                    .addExtension(Extension.basicConstraints, true, new BasicConstraints(false))
                    .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature))
                    .addExtension(Extension.extendedKeyUsage, false, usages(leaf))
                    .addExtension(Extension.subjectKeyIdentifier, false, identifiers.createSubjectKeyIdentifier(key))
                    .addExtension(
                            Extension.authorityKeyIdentifier,
                            false,
                            identifiers.createAuthorityKeyIdentifier(ca.getPublicKey()));
            GeneralName[] names = names(leaf, ref);
            if (names.length > 0) {
                builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(names));
            }
            return signed(builder, caKey);
        } catch (NoSuchAlgorithmException | IOException e) {
            throw unexpected(e);
        }
    }

    private X509v3CertificateBuilder builder(PublicKey key) {
        return new JcaX509v3CertificateBuilder(issuer, serial, notBefore, notAfter, subject, key);
    }

    private static ExtendedKeyUsage usages(Leaf leaf) {
        return new ExtendedKeyUsage(leaf.usages().stream()
                .map(usage -> KeyPurposeId.getInstance(new ASN1ObjectIdentifier(usage.oid())))
                .toArray(KeyPurposeId[]::new));
    }

    private static GeneralName[] names(Leaf leaf, ClusterRef ref) {
        return Stream.concat(
                        leaf.dnsNames(ref).stream().map(name -> new GeneralName(GeneralName.dNSName, name)),
                        leaf.addresses().stream().map(ip -> new GeneralName(GeneralName.iPAddress, ip)))
                .toArray(GeneralName[]::new);
    }

    private static X509Certificate signed(X509v3CertificateBuilder builder, PrivateKey key) throws IOException {
        return Pem.certificate(builder.build(signer(key)).getEncoded());
    }

    /// A CA from outside may have another kind of key.
    private static ContentSigner signer(PrivateKey key) {
        try {
            return new JcaContentSignerBuilder(Pem.signature(key)).build(key);
        } catch (OperatorCreationException | InvalidKeyException e) {
            throw unexpected(e);
        }
    }

    private static IllegalStateException unexpected(Exception e) {
        return new IllegalStateException("a certificate is made in memory, of parts that every JDK has", e);
    }
}
