package io.github.etcdgitops.backup;

import io.github.etcdgitops.digest.Digests;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;

/// Checks a snapshot while it is streamed. A snapshot is etcd's database, in whole pages of at least 512
/// bytes, and then the SHA-256 of all that in 32 bytes, which etcd computed while sending. So data that was
/// lost or changed on the way is detected. Damage in etcd's own file from before is not.
///
/// It keeps only the last 32 bytes, and hashes everything once: the digest of the whole continues from the
/// digest of the pages. For one thread.
public final class SnapshotCheck {
    private static final int TRAILER = 32;
    private static final int PAGE = 512;

    private final MessageDigest digest;
    private final byte[] last = new byte[TRAILER];
    private int kept;
    private long size;

    private final byte[] head = new byte[FileKind.HEAD];
    private int headed;

    public SnapshotCheck() {
        digest = Digests.sha256();
    }

    /// Takes the next bytes; the position of `piece` is unchanged.
    public void update(ByteBuffer piece) {
        var rest = piece.duplicate();
        int begun = Math.min(rest.remaining(), FileKind.HEAD - headed);
        rest.get(rest.position(), head, headed, begun);
        headed += begun;
        size += rest.remaining();
        int surplus = kept + rest.remaining() - TRAILER;
        if (surplus > 0) {
            int fromKept = Math.min(kept, surplus);
            digest.update(last, 0, fromKept);
            kept -= fromKept;
            System.arraycopy(last, fromKept, last, 0, kept);
            int end = rest.limit();
            digest.update(rest.limit(rest.position() + surplus - fromKept));
            rest.limit(end);
        }
        int added = rest.remaining();
        rest.get(last, kept, added);
        kept += added;
    }

    /// Call it once, at the end.
    public Result finish() {
        var whole = copy(digest);
        whole.update(last, 0, kept);
        return new Result(size, HexFormat.of().formatHex(whole.digest()), fault());
    }

    private Optional<String> fault() {
        if (size == 0) {
            return Optional.of("the snapshot is empty");
        }
        var other = FileKind.insteadOfDatabase(Arrays.copyOf(head, headed));
        boolean whole = size % PAGE == TRAILER && size != TRAILER;
        byte[] content = digest.digest();
        if (whole && Arrays.equals(content, last)) {
            return Optional.empty();
        }
        if (other.isPresent()) {
            return Optional.of("this is " + other.get() + ", not a snapshot from etcd (etcdctl snapshot save)");
        }
        if (size % PAGE == 0 && FileKind.isDatabase(head)) {
            return Optional.of(
                    "this is an etcd database without the SHA-256 that ends a snapshot: a file copied from a data"
                            + " directory cannot be verified. Take a snapshot (etcdctl snapshot save)");
        }
        if (!FileKind.isDatabase(head) && headed == FileKind.HEAD && !whole) {
            return Optional.of("this is not an etcd database, and not a part of one: it does not start like one");
        }
        return Optional.of(
                whole
                        ? "the snapshot's bytes differ from those that etcd sent: their SHA-256 is "
                                + HexFormat.of().formatHex(content) + ", and the trailer says "
                                + HexFormat.of().formatHex(last)
                        : "the snapshot is truncated: " + size
                                + " bytes are not whole pages of 512 and a trailer of 32");
    }

    private static MessageDigest copy(MessageDigest digest) {
        try {
            return (MessageDigest) digest.clone();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("the JDK's SHA-256 can be cloned", e);
        }
    }

    /// `sha256` covers every byte, including the trailer, in lower-case hexadecimal. `fault` says what is
    /// wrong with the snapshot; empty where nothing is.
    public record Result(long size, String sha256, Optional<String> fault) {}
}
