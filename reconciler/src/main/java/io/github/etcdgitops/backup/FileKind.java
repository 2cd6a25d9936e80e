package io.github.etcdgitops.backup;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;

/// The kind of a file by its first bytes, for users who named a file that is not a snapshot.
enum FileKind {
    GZIP("a gzip file", 0, "1f8b"),
    ZSTD("a zstd file", 0, "28b52ffd"),
    XZ("an xz file", 0, "fd377a585a00"),
    BZIP2("a bzip2 file", 0, "425a68"),
    LZ4("an lz4 file", 0, "04224d18"),
    SEVEN_ZIP("a 7z archive", 0, "377abcaf271c"),
    ZIP("a zip archive", 0, "504b0304"),
    /// `ustar`
    TAR("a tar archive", 257, "7573746172"),
    /// `age-encryption.org/`
    AGE("a file encrypted with age", 0, "6167652d656e6372797074696f6e2e6f72672f"),
    /// `-----BEGIN AGE`
    ARMORED_AGE("a file encrypted with age", 0, "2d2d2d2d2d424547494e20414745"),
    /// `-----BEGIN `
    PEM("a PEM file", 0, "2d2d2d2d2d424547494e20"),
    ETCD("an etcd database", 16, "edda0ced");

    /// How many bytes identify the kind.
    static final int HEAD = 512;

    private static final int WORD = 64;

    private final String title;
    private final int offset;
    private final String magic;

    /// `magic` is in hexadecimal.
    FileKind(String title, int offset, String magic) {
        this.title = title;
        this.offset = offset;
        this.magic = magic;
    }

    /// The kind of a file that is not a snapshot; empty for a database, and for an unknown kind.
    static Optional<String> insteadOfDatabase(byte[] head) {
        return Arrays.stream(values())
                .filter(kind -> kind != ETCD && kind.begins(head))
                .findFirst()
                .map(kind -> kind.title)
                .or(() -> text(head));
    }

    static boolean isDatabase(byte[] head) {
        return ETCD.begins(head);
    }

    private boolean begins(byte[] head) {
        return HexFormat.of().formatHex(head).startsWith(magic, 2 * offset);
    }

    /// For a page or an error that a server sent in place of the file.
    private static Optional<String> text(byte[] head) {
        String start = new String(head, 0, Math.min(head.length, WORD), StandardCharsets.UTF_8)
                .replace("\uFEFF", "")
                .strip()
                .toLowerCase(Locale.ROOT);
        if (start.startsWith("<!doctype html") || start.startsWith("<html")) {
            return Optional.of("an HTML page");
        }
        if (start.startsWith("<?xml") || start.startsWith("<error")) {
            return Optional.of("an XML document");
        }
        return start.startsWith("{") || start.startsWith("[") ? Optional.of("a JSON document") : Optional.empty();
    }
}
