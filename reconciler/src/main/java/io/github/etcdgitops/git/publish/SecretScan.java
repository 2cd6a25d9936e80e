package io.github.etcdgitops.git.publish;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.github.etcdgitops.git.remote.GitAccess;
import io.github.etcdgitops.git.repository.GitException;
import io.github.etcdgitops.git.repository.GitException.Kind;
import io.github.etcdgitops.spec.value.SecretShapes;

/// Searches bytes for secrets before they become public: a commit cannot be undone. Rendered reports
/// contain foreign names and texts. What looks like a secret in them is left out, and the rest is
/// published.
public final class SecretScan {
    /// A shorter password may be a common word.
    private static final int LONG_ENOUGH = 12;

    private SecretScan() {}

    /// The same text without anything that looks like a key or a token, and without the current token.
    public static String without(String text, GitAccess access) {
        String known = SecretShapes.known(text) ? SecretShapes.without(text) : text;
        return ours(known, access) ? access.leftOut(known, SecretShapes.MARK) : known;
    }

    static byte[] without(byte[] content, GitAccess access) {
        String text = new String(content, ISO_8859_1);
        String clean = without(text, access);
        return clean.equals(text) ? content : clean.getBytes(ISO_8859_1);
    }

    private static boolean ours(String text, GitAccess access) {
        return access.token().filter(t -> t.length() >= LONG_ENOUGH).isPresent() && access.occursIn(text);
    }

    /// For a text that must not be changed: a secret in it stops the publication.
    public static void requireNone(String path, byte[] content, GitAccess access) {
        String text = new String(content, ISO_8859_1);
        if (ours(text, access) || SecretShapes.known(text)) {
            throw new GitException(
                    Kind.REFUSED, path + " contains text that looks like a key or a token: nothing was published");
        }
    }
}
