package io.github.etcdgitops.git;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.etcdgitops.inert.Inert;
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
    private static final int SHOWN = 400;
    private static final Set<String> RESERVED = Set.of(".", "..", ".git", "git~1");

    private UnsafeNames() {}

    /// Looks at the last name of a path; the ones before it were looked at on the way down.
    static Optional<Violation> violation(byte[] rawPath, String path) {
        int start = 0;
        for (int i = 0; i < rawPath.length; i++) {
            if (rawPath[i] == '/') {
                start = i + 1;
            }
        }
        int length = rawPath.length - start;
        Location at = Location.ofFile(printable(path));
        if (length > LONGEST) {
            return Optional.of(Violation.of(
                    "name-too-long", at, "the name has " + length + " bytes; file systems take at most " + LONGEST));
        }
        if (!isUtf8(rawPath)) {
            return Optional.of(Violation.of("name-not-utf8", at, "the name is not UTF-8"));
        }
        String name = path.substring(path.lastIndexOf('/') + 1);
        if (name.codePoints().anyMatch(Inert::acts)) {
            return Optional.of(Violation.of(
                    "control-character",
                    at,
                    "the name has a control character, or one that changes how text is shown"));
        }
        if (name.isEmpty() || RESERVED.contains(name.toLowerCase(Locale.ROOT)) || name.indexOf('\\') >= 0) {
            return Optional.of(
                    Violation.of("unsafe-name", at, "the name leads out of its folder, or into Git's own, somewhere"));
        }
        return Optional.empty();
    }

    private static boolean isUtf8(byte[] raw) {
        try {
            UTF_8.newDecoder().decode(ByteBuffer.wrap(raw));
            return true;
        } catch (CharacterCodingException _) {
            return false;
        }
    }

    private static String printable(String path) {
        return Inert.line(
                path.codePointCount(0, path.length()) > SHOWN
                        ? path.substring(0, path.offsetByCodePoints(0, SHOWN))
                        : path);
    }
}
