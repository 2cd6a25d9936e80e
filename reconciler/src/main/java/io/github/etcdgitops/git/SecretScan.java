package io.github.etcdgitops.git;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.github.etcdgitops.git.GitException.Kind;
import io.github.etcdgitops.spec.SecretShapes;

/// The last look at bytes before they become public for good: a commit cannot be taken back. Nothing that we render
/// should ever hold a secret, so a find is a bug somewhere, and nothing is published.
public final class SecretScan {
    /// A shorter password may be a common word.
    private static final int LONG_ENOUGH = 12;

    private SecretScan() {}

    public static void requireNone(String path, byte[] content, GitAccess access) {
        String text = new String(content, ISO_8859_1);
        boolean ours = access.token().filter(t -> t.length() >= LONG_ENOUGH).isPresent() && access.occursIn(text);
        if (ours || SecretShapes.known(text)) {
            throw new GitException(
                    Kind.REFUSED, path + " has text in it that looks like a key or a token: nothing was published");
        }
    }
}
