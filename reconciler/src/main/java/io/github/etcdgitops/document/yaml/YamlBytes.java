package io.github.etcdgitops.document.yaml;

import io.github.etcdgitops.validation.Location;
import io.github.etcdgitops.validation.Validated;
import io.github.etcdgitops.validation.Violation;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/// The checks before a parser reads a file: its size, valid UTF-8, and no characters that are invisible to
/// a reviewer.
public final class YamlBytes {
    /// Larger files cost a parser seconds, and no ring needs a hundredth of it.
    public static final int LIMIT = 256 * 1024;

    private static final String LFS = "version https://git-lfs.github.com/spec/";

    private YamlBytes() {}

    static Validated<String> text(String file, byte[] bytes) {
        if (bytes.length > LIMIT) {
            return invalid(tooLarge(file, bytes.length));
        }
        var buffer = ByteBuffer.wrap(bytes);
        // Valid UTF-8 has at most as many UTF-16 units as bytes.
        var chars = CharBuffer.allocate(bytes.length + 1);
        CoderResult result = StandardCharsets.UTF_8.newDecoder().decode(buffer, chars, true);
        String text = chars.flip().toString();
        if (result.isError()) {
            int offset = buffer.position();
            return invalid(Violation.of(
                    "invalid-utf-8",
                    place(file, text, text.length()),
                    String.format(
                            Locale.ROOT, "The byte 0x%02X at offset %d is not valid UTF-8.", bytes[offset], offset),
                    "Save the file as UTF-8 without a byte order mark."));
        }
        if (text.startsWith(LFS)) {
            return invalid(Violation.of(
                    "lfs-pointer",
                    Location.ofFile(file),
                    "The file is a Git LFS pointer; its target is not read.",
                    "Keep documents out of Git LFS: git lfs untrack FILE, then add it again."));
        }
        return unseen(file, text);
    }

    static Violation tooLarge(String file, long size) {
        return Violation.of(
                "file-too-large",
                Location.ofFile(file),
                "The file has " + size + " bytes; at most " + LIMIT + " (256 KiB) are read.",
                "Split it: each ring can have its own file.");
    }

    private static Validated<String> unseen(String file, String text) {
        if (text.startsWith("\uFEFF")) {
            return invalid(Violation.of(
                    "byte-order-mark",
                    place(file, text, 0),
                    "The file begins with a byte order mark, which some tools read as part of the first key.",
                    "Save the file as UTF-8 without a byte order mark."));
        }
        for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
            int c = text.codePointAt(i);
            if (forbidden(c)) {
                return invalid(Violation.of(
                        "control-character",
                        place(file, text, i),
                        String.format(
                                Locale.ROOT,
                                "The invisible character U+%04X is here; it can make a file look different from"
                                        + " what it contains.",
                                c),
                        "Remove it, or write it as an escape within double quotes."));
            }
        }
        return new Validated.Valid<>(text);
    }

    /// Control characters, line breaks that only YAML 1.1 knows, direction marks and Unicode noncharacters.
    private static boolean forbidden(int c) {
        if (c == '\t' || c == '\n' || c == '\r') {
            return false;
        }
        return Character.isISOControl(c)
                || (c >= 0x2028 && c <= 0x202E)
                || (c >= 0x2066 && c <= 0x2069)
                || c == 0xFEFF
                || (c & 0xFFFE) == 0xFFFE;
    }

    private static Location place(String file, String text, int end) {
        int line = 1;
        int start = 0;
        for (int i = 0; i < end; i++) {
            char c = text.charAt(i);
            boolean breaks = c == '\n' || (c == '\r' && !(i + 1 < text.length() && text.charAt(i + 1) == '\n'));
            if (breaks) {
                line++;
                start = i + 1;
            }
        }
        return new Location(file, line, text.codePointCount(start, end) + 1, "");
    }

    private static Validated<String> invalid(Violation violation) {
        return new Validated.Invalid<>(List.of(violation));
    }
}
