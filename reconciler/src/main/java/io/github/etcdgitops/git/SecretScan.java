package io.github.etcdgitops.git;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.github.etcdgitops.git.GitException.Kind;
import java.util.regex.Pattern;

/// The last look at bytes before they become public for good: a commit cannot be taken back. Nothing that we render
/// should ever hold a secret, so a find is a bug somewhere, and nothing is published.
final class SecretScan {
    private static final Pattern SHAPES = Pattern.compile("-----BEGIN [A-Z0-9 ]*PRIVATE KEY"
            + "|\\bgh[pousr]_[A-Za-z0-9]{36}"
            + "|\\bgithub_pat_[A-Za-z0-9_]{40}"
            + "|\\bglpat-[A-Za-z0-9_-]{20}"
            + "|\\bAGE-SECRET-KEY-1[0-9A-Z]{50}"
            + "|\\bAKIA[0-9A-Z]{16}\\b"
            + "|\\bxox[abpr]-[A-Za-z0-9-]{20}"
            + "|\\beyJ[A-Za-z0-9_-]{10,}\\.eyJ[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{10,}");

    /// A shorter password may be a common word.
    private static final int LONG_ENOUGH = 12;

    private SecretScan() {}

    static void requireNone(String path, byte[] content, GitAccess access) {
        String text = new String(content, ISO_8859_1);
        boolean ours = access.token().filter(t -> t.length() >= LONG_ENOUGH).isPresent() && access.occursIn(text);
        if (ours || SHAPES.matcher(text).find()) {
            throw new GitException(
                    Kind.REFUSED, path + " has text in it that looks like a key or a token: nothing was published");
        }
    }
}
