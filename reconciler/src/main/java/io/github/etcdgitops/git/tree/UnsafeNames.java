package io.github.etcdgitops.git.tree;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.etcdgitops.inert.Inert;
import io.github.etcdgitops.validation.Location;
import io.github.etcdgitops.validation.Violation;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Names that no document has, and that mislead programs or people. Nothing is ever checked out here, but
/// the same repository is cloned elsewhere, and its paths are printed in reports and on terminals.
final class UnsafeNames {
    private static final int LONGEST = 255;
    private static final int SHOWN = 400;
    private static final Set<String> RESERVED = Set.of(".", "..", ".git", "git~1");
    private static final String RENAME = "Use letters, digits, dots and dashes.";

    private UnsafeNames() {}

    /// Checks one name of a path, in the form of [TreeEntry]. `shown` is the whole path in printable form.
    static Optional<Violation> violation(String raw, String shown) {
        if (raw.length() > LONGEST) {
            return refuse(
                    "name-too-long",
                    shown,
                    "The name has " + raw.length() + " bytes; file systems take at most " + LONGEST + ".");
        }
        var decoded = decoded(raw);
        if (decoded.isEmpty()) {
            return refuse("name-not-utf8", shown, "The name is not UTF-8.");
        }
        String name = decoded.get();
        if (name.codePoints().anyMatch(Inert::acts)) {
            return refuse(
                    "control-character",
                    shown,
                    "The name has a control character, or one that changes how text is shown.");
        }
        if (name.isEmpty() || RESERVED.contains(name.toLowerCase(Locale.ROOT)) || name.indexOf('\\') >= 0) {
            return refuse(
                    "unsafe-name", shown, "On some system, this name leads out of its folder or into the .git folder.");
        }
        return Optional.empty();
    }

    private static Optional<Violation> refuse(String code, String shown, String message) {
        return Optional.of(Violation.of(code, Location.ofFile(shown), message, RENAME));
    }

    /// A name in printable form: bytes that are not text, or not visible, are escaped. The same bytes give
    /// the same text in every locale.
    static String shown(String raw) {
        return decoded(raw)
                .map(text -> Inert.line(text.substring(0, text.offsetByCodePoints(0, shortened(text)))))
                .orElseGet(() -> raw.chars()
                        .limit(SHOWN)
                        .mapToObj(c ->
                                c < 0x20 || c > 0x7e ? String.format(Locale.ROOT, "\\x%02x", c) : Character.toString(c))
                        .collect(Collectors.joining()));
    }

    private static int shortened(String text) {
        return Math.min(SHOWN, text.codePointCount(0, text.length()));
    }

    private static Optional<String> decoded(String raw) {
        try {
            return Optional.of(UTF_8.newDecoder()
                    .decode(ByteBuffer.wrap(raw.getBytes(ISO_8859_1)))
                    .toString());
        } catch (CharacterCodingException _) {
            return Optional.empty();
        }
    }
}
