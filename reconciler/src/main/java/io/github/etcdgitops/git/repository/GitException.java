package io.github.etcdgitops.git.repository;

import java.io.Serial;

/// A Git call failed, or was refused. The message is safe to print: our own words and the address without
/// credentials, never a server's answer. So is the cause, whose text was checked for the credentials.
public final class GitException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /// The kind of failure, which decides what a caller may do about it.
    public enum Kind {
        /// The address, a credential or a combination of the two that is not supported.
        INVALID_ADDRESS,
        /// Probably temporary: try again later.
        UNREACHABLE,
        UNAUTHORIZED,
        /// The other side is not the expected one: an unknown host key or certificate.
        UNTRUSTED,
        /// No allowed signer vouches for a commit.
        UNVERIFIED,
        /// The files with the allowed signers, or the signing key, cannot be used.
        SIGNERS,
        NO_SUCH_REPOSITORY,
        NO_SUCH_REF,
        /// The repository has no commit yet, or the commit has none of our files.
        EMPTY,
        /// The server does not let us write this branch, now or later.
        PROTECTED,
        /// Other writers were faster at every attempt.
        CONTENDED,
        /// The server's data is damaged, even with a new cache.
        CORRUPT,
        /// Our own folder cannot be used.
        CACHE,
        /// The server sends more than the limit.
        TOO_LARGE,
        /// The content must not be published, for example because of a secret.
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
