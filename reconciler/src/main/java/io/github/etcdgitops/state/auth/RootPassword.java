package io.github.etcdgitops.state.auth;

/// Whether `root` can sign in with the password in its Secret, where its certificate works.
public enum RootPassword {
    /// There is nobody to ask, or we may not read the Secret.
    UNASKED,
    ACCEPTED,
    REFUSED,
    /// There is no Secret.
    MISSING,
    /// It has no valid password, or a refused one and is not ours: we do not write over it.
    FOREIGN
}
