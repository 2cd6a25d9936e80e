package io.github.etcdgitops.backup;

import io.github.etcdgitops.digest.Digests;
import java.io.IOException;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.util.HexFormat;

/// Counts and hashes bytes on their way to a target. Closing it leaves the target open.
final class CountingDigest extends OutputStream {
    private final OutputStream target;
    private final MessageDigest digest = Digests.sha256();
    private final boolean hashing;
    private long size;

    /// Without `hashing` only the size is known: data that is hashed elsewhere need not be hashed twice.
    CountingDigest(OutputStream target, boolean hashing) {
        this.target = target;
        this.hashing = hashing;
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        target.write(bytes, offset, length);
        if (hashing) {
            digest.update(bytes, offset, length);
        }
        size += length;
    }

    @Override
    public void flush() throws IOException {
        target.flush();
    }

    @Override
    public void close() throws IOException {
        flush();
    }

    long size() {
        return size;
    }

    /// Call it once, at the end.
    String sha256() {
        return HexFormat.of().formatHex(digest.digest());
    }
}
