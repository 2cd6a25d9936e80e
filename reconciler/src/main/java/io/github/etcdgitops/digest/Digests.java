package io.github.etcdgitops.digest;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// SHA-256 of streams and of texts.
public final class Digests {
    private Digests() {}

    /// A new digest, for a stream.
    public static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /// The digest of a text in UTF-8.
    public static byte[] of(String text) {
        return sha256().digest(text.getBytes(StandardCharsets.UTF_8));
    }

    /// The digest of a text in UTF-8, as 64 lower-case hexadecimal digits.
    public static String hex(String text) {
        return HexFormat.of().formatHex(of(text));
    }

    /// The first `digits` of [#hex], an even number: enough for a name.
    public static String name(String text, int digits) {
        return HexFormat.of().formatHex(of(text), 0, digits / 2);
    }
}
