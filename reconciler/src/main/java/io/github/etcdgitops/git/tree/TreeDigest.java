package io.github.etcdgitops.git.tree;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.etcdgitops.digest.Digests;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.SortedMap;

/// A hash over paths and contents, each preceded by its length, so that two different trees never give the
/// same input.
public final class TreeDigest {
    private TreeDigest() {}

    public static String of(SortedMap<String, byte[]> documents) {
        MessageDigest digest = Digests.sha256();
        documents.forEach((path, content) -> {
            update(digest, path.getBytes(UTF_8));
            update(digest, content);
        });
        return "sha256:" + HexFormat.of().formatHex(digest.digest());
    }

    public static String of(String text) {
        return HexFormat.of().formatHex(Digests.sha256().digest(text.getBytes(UTF_8)));
    }

    private static void update(MessageDigest digest, byte[] bytes) {
        digest.update(ByteBuffer.allocate(Long.BYTES).putLong(0, bytes.length));
        digest.update(bytes);
    }
}
