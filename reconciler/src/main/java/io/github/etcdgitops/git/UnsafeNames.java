package io.github.etcdgitops.git;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.etcdgitops.validation.Location;
import io.github.etcdgitops.validation.Violation;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// Names that no document has, and that mislead programs or people who see them. Nothing is ever checked out, but the
/// same repository is cloned elsewhere, and its paths are printed in reports and on terminals.
final class UnsafeNames {
    private static final int LONGEST = 255;
    private static final Set<String> RESERVED = Set.of(".", "..", ".git", "git~1");
    private static final String RENAME = "Use letters, digits, dots and dashes.";

    private UnsafeNames() {}

    /// Looks at one name of a path, as [TreeEntry] has it. `shown` is the whole path as people may see it.
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
        if (name.codePoints().anyMatch(UnsafeNames::isUnprintable)) {
            return refuse(
                    "control-character",
                    shown,
                    "The name has a control character, or one that changes how text is shown.");
        }
        if (name.isEmpty() || RESERVED.contains(name.toLowerCase(Locale.ROOT)) || name.indexOf('\\') >= 0) {
            return refuse("unsafe-name", shown, "The name leads out of its folder, or into Git's own, somewhere.");
        }
        return Optional.empty();
    }

    private static Optional<Violation> refuse(String code, String shown, String message) {
        return Optional.of(Violation.of(code, Location.ofFile(shown), message, RENAME));
    }

    /// A name as people may see it: what is no text, or not visible, is written out. The same text for the same bytes
    /// whatever the locale.
    static String shown(String raw) {
        var decoded = decoded(raw);
        var shown = new StringBuilder();
        if (decoded.isPresent()) {
            decoded.get().codePoints().limit(400).forEach(c -> {
                if (isUnprintable(c)) {
                    shown.append(String.format(Locale.ROOT, "\\u%04x", c));
                } else {
                    shown.appendCodePoint(c);
                }
            });
        } else {
            raw.chars().limit(400).forEach(c -> {
                if (c < 0x20 || c > 0x7e) {
                    shown.append(String.format(Locale.ROOT, "\\x%02x", c));
                } else {
                    shown.append((char) c);
                }
            });
        }
        return shown.toString();
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

    /// Controls, line separators, and the invisible ones that turn the direction of writing.
    private static boolean isUnprintable(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> true;
            default -> false;
        };
    }
}
