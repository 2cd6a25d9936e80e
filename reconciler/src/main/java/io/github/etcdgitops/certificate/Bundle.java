package io.github.etcdgitops.certificate;

import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// CAs that are trusted together, as one PEM text. Unreadable parts are ignored.
public final class Bundle {
    private Bundle() {}

    /// All of these, each once, in their order.
    public static byte[] of(List<byte[]> texts) {
        var all = new LinkedHashSet<X509Certificate>();
        texts.forEach(text -> all.addAll(Pem.certificates(text)));
        return all.stream()
                .map(certificate -> new String(Pem.certificate(certificate), StandardCharsets.US_ASCII))
                .collect(Collectors.joining())
                .getBytes(StandardCharsets.US_ASCII);
    }

    /// Whether `bundle` has every certificate of `text`, and at least one.
    public static boolean contains(byte[] bundle, byte[] text) {
        var certificates = Pem.certificates(text);
        return !certificates.isEmpty() && Set.copyOf(Pem.certificates(bundle)).containsAll(certificates);
    }

    /// Whether both have the same certificates, in any order.
    public static boolean same(byte[] one, byte[] other) {
        return Arrays.equals(one, other) || (contains(one, other) && contains(other, one));
    }
}
