package io.github.etcdgitops.git.repository;

import java.io.Serial;

/// Git failed, or refused. The message is safe to print: our own words and the address without credentials, never a
/// server's answer. So is the cause, whose text was looked through for the credentials.
public final class GitException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /// What kind of failure it was, and so what a caller may do about it.
    public enum Kind {
        /// The address, a credential or a combination of the two that we do not use.
        INVALID_ADDRESS,
        /// Temporary, as far as we can tell: try again later.
        UNREACHABLE,
        UNAUTHORIZED,
        /// The other side is not who it should be: a host key or a certificate that we do not know.
        UNTRUSTED,
        /// Nobody who is allowed to vouches for a commit.
        UNVERIFIED,
        /// The files that say whose signatures count, or the key to sign with, cannot be used.
        SIGNERS,
        NO_SUCH_REPOSITORY,
        NO_SUCH_REF,
        /// The repository has no commit yet, or the commit has none of our files.
        EMPTY,
        /// The server does not let us write this branch, and will not next time either.
        PROTECTED,
        /// Others were faster, every time we tried.
        CONTENDED,
        /// What the server sent is damaged, even after the cache was thrown away.
        CORRUPT,
        /// Our own folder cannot be used.
        CACHE,
        /// The server sends more than is taken.
        TOO_LARGE,
        /// What was to be published must not be, such as a secret.
        REFUSED
    }

    private final Kind kind;

    public GitException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    public GitException(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
