package io.github.etcdgitops.gateway;

import java.util.regex.Pattern;

/// Identifies a snapshot: its size, and its SHA-256 in lower-case hexadecimal. Both are of the file as it
/// is restored, not as it is stored.
public record SnapshotDigest(long size, String sha256) {
    private static final Pattern FORM = Pattern.compile("[0-9a-f]{64}");

    public SnapshotDigest {
        if (size < 1) {
            throw new IllegalArgumentException("a snapshot has at least one byte");
        }
        if (!FORM.matcher(sha256).matches()) {
            throw new IllegalArgumentException("a SHA-256 is 64 lower-case hexadecimal digits");
        }
    }
}
