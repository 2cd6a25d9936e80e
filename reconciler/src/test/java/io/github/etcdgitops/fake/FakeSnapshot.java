package io.github.etcdgitops.fake;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;

/// What a fake ring's snapshot holds, and the bytes that say so: whole pages and a trailer, as etcd's have them. The
/// same content makes the same bytes.
record FakeSnapshot(long revision, List<String> keys, long hash, List<String> users) {
    private static final int PAGE = 4096;
    private static final int TRAILER = 32;
    private static final String TITLE = "a fake ring's snapshot";
    private static final String USERS = "users";

    FakeSnapshot {
        keys = List.copyOf(keys);
        users = List.copyOf(users);
    }

    byte[] bytes() {
        var text = new StringBuilder(TITLE + "\n" + revision + "\n" + hash + "\n");
        keys.forEach(key -> text.append(key).append('\n'));
        text.append('\n');
        if (!users.isEmpty()) {
            text.append(USERS).append('\n');
            users.forEach(user -> text.append(user).append('\n'));
            text.append('\n');
        }
        byte[] content = text.toString().getBytes(StandardCharsets.UTF_8);
        byte[] pages = Arrays.copyOf(content, (content.length / PAGE + 2) * PAGE);
        var file = new ByteArrayOutputStream();
        file.writeBytes(pages);
        file.writeBytes(sha256(pages));
        return file.toByteArray();
    }

    /// Fails where the bytes are not what `bytes` gives.
    static FakeSnapshot read(byte[] file) {
        int size = file.length - TRAILER;
        byte[] pages = Arrays.copyOf(file, Math.max(0, size));
        if (size <= 0 || !Arrays.equals(sha256(pages), Arrays.copyOfRange(file, size, file.length))) {
            throw new IllegalArgumentException("the trailer does not fit");
        }
        var lines = new String(pages, StandardCharsets.UTF_8).lines().toList();
        if (!lines.getFirst().equals(TITLE)) {
            throw new IllegalArgumentException("not a fake ring's snapshot");
        }
        int end = lines.indexOf("");
        var rest = lines.subList(end + 1, lines.size());
        return new FakeSnapshot(
                Long.parseLong(lines.get(1)),
                lines.subList(3, end),
                Long.parseLong(lines.get(2)),
                rest.getFirst().equals(USERS) ? rest.subList(1, rest.indexOf("")) : List.of());
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
