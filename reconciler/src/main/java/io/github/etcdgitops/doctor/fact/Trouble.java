package io.github.etcdgitops.doctor.fact;

/// The kind of a failed check, and so how a run would have ended.
public enum Trouble {
    DOCUMENTS,
    TEMPORARY,
    RIGHTS,
    CONFIGURATION
}
