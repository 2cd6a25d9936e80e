package io.github.etcdgitops.certificate;

import io.github.etcdgitops.spec.time.Validity;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.security.PrivateKey;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x500.style.IETFUtils;

/// Why a certificate would not work in a ring, whoever issued it: as text for people, and never with any
/// part of the key or of the PEM text.
public final class CertificateCheck {
    private static final int SHOWN = 3;
    private static final int DNS = 2;
    private static final int ADDRESS = 7;

    private CertificateCheck() {}

    /// Empty when nothing is wrong. `bundle` has the CAs that the other side trusts.
    public static List<String> problems(Leaf leaf, ClusterRef ref, Credential credential, byte[] bundle, Instant now) {
        var problems = new ArrayList<String>();
        List<X509Certificate> chain = Pem.certificates(credential.certificatePem());
        List<X509Certificate> trusted = Pem.certificates(bundle);
        Optional<PrivateKey> key = Pem.key(credential.keyPem());
        if (chain.isEmpty()) {
            problems.add("the certificate cannot be read: it must be PEM");
        }
        if (key.isEmpty()) {
            problems.add("the key cannot be read: it must be PEM and not encrypted");
        }
        if (trusted.isEmpty()) {
            problems.add("the CA cannot be read: it must be PEM");
        }
        if (chain.isEmpty()) {
            return List.copyOf(problems);
        }
        X509Certificate certificate = chain.getFirst();
        if (key.filter(k -> !Pem.belong(k, certificate)).isPresent()) {
            problems.add("the key does not belong to the certificate");
        }
        if (!trusted.isEmpty()) {
            Trust.problem(chain, trusted, now).ifPresent(problems::add);
        }
        problems.addAll(time(certificate, now));
        names(leaf, ref, certificate).ifPresent(problems::add);
        if (leaf == Leaf.CLIENT && !names(certificate).isEmpty()) {
            problems.add("the certificate has subject alternative names, and peers would compare the caller's address"
                    + " with them: a client's must have none");
        }
        if (leaf == Leaf.ROOT && !commonNames(certificate).equals(List.of(leaf.commonName(ref)))) {
            problems.add("the certificate's common name is not " + leaf.commonName(ref)
                    + ", and etcd takes it for the user");
        }
        problems.addAll(usages(leaf, certificate));
        return List.copyOf(problems);
    }

    /// The validity of the first certificate in this text; empty where none can be read.
    public static Optional<Validity> validity(byte[] pem) {
        return Pem.certificates(pem).stream()
                .findFirst()
                .map(certificate -> new Validity(
                        certificate.getNotBefore().toInstant(),
                        certificate.getNotAfter().toInstant()));
    }

    /// The validity of the certificate in this text that started last.
    public static Optional<Validity> newest(byte[] pem) {
        return Pem.certificates(pem).stream()
                .map(certificate -> new Validity(
                        certificate.getNotBefore().toInstant(),
                        certificate.getNotAfter().toInstant()))
                .max(Comparator.comparing(Validity::begin));
    }

    private static List<String> time(X509Certificate certificate, Instant now) {
        Instant from = certificate.getNotBefore().toInstant();
        Instant until = certificate.getNotAfter().toInstant();
        if (now.isBefore(from)) {
            return List.of("the certificate is not valid before " + from);
        }
        return now.isAfter(until) ? List.of("the certificate expired on " + until) : List.of();
    }

    private static Optional<String> names(Leaf leaf, ClusterRef ref, X509Certificate certificate) {
        var present = names(certificate);
        var missing = leaf.required(ref).stream()
                .filter(name -> !present.contains(name))
                .filter(name -> !leaf.wildcards() || !present.contains(name.replaceFirst("^[^.]+", "*")))
                .toList();
        if (missing.isEmpty()) {
            return Optional.empty();
        }
        int more = missing.size() - SHOWN;
        return Optional.of("the certificate lacks the subject alternative "
                + (missing.size() == 1 ? "name " : "names ")
                + String.join(", ", missing.subList(0, Math.min(SHOWN, missing.size())))
                + (more > 0 ? " and " + more + " more" : ""));
    }

    private static Set<String> names(X509Certificate certificate) {
        var names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        try {
            var entries = certificate.getSubjectAlternativeNames();
            for (List<?> entry : entries == null ? List.<List<?>>of() : entries) {
                if (entry.get(0) instanceof Integer type
                        && (type == DNS || type == ADDRESS)
                        && entry.get(1) instanceof String name) {
                    names.add(name);
                }
            }
        } catch (CertificateParsingException _) {
            // It counts as absent: other programs will not understand it either.
            names.clear();
        }
        return names;
    }

    private static List<String> commonNames(X509Certificate certificate) {
        var subject = X500Name.getInstance(certificate.getSubjectX500Principal().getEncoded());
        return Stream.of(subject.getRDNs(BCStyle.CN))
                .map(name -> IETFUtils.valueToString(name.getFirst().getValue()))
                .toList();
    }

    /// A certificate without usages may be used for everything.
    private static List<String> usages(Leaf leaf, X509Certificate certificate) {
        var problems = new ArrayList<String>();
        boolean[] bits = certificate.getKeyUsage();
        if (bits != null && !bits[0]) {
            problems.add("the certificate is not meant for digital signatures (key usage)");
        }
        List<String> extended = extended(certificate);
        if (!extended.isEmpty() && !extended.contains(Leaf.Usage.ANY)) {
            leaf.usages().stream()
                    .filter(usage -> !extended.contains(usage.oid()))
                    .forEach(usage ->
                            problems.add("the certificate is not meant for " + usage + " (extended key usage)"));
        }
        return problems;
    }

    private static List<String> extended(X509Certificate certificate) {
        try {
            var usages = certificate.getExtendedKeyUsage();
            return usages == null ? List.of() : usages;
        } catch (CertificateParsingException _) {
            return List.of("unreadable");
        }
    }
}
