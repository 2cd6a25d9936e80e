package io.github.etcdgitops.doctor.fact;

/// What kind of trouble a failed check is, and so what a run would have ended with.
public enum Trouble {
    DOCUMENTS,
    TEMPORARY,
    RIGHTS,
    CONFIGURATION
}
