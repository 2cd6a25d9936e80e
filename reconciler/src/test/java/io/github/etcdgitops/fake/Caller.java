package io.github.etcdgitops.fake;

/// Who calls the members of a ring, as far as its authentication goes.
public enum Caller {
    /// Without a certificate and without a token.
    NOBODY,
    /// With a certificate whose common name is no user.
    STRANGER,
    /// With the user root at hand, for the calls that need it.
    ROOT
}
