package io.github.etcdgitops.spec;

/// How far repairs of a ring go by themselves.
public record Repairs(Mode volumes) {
    public static final Repairs DEFAULT = new Repairs(Mode.MANUAL);

    public enum Mode {
        /// Done as soon as it is found to be due.
        AUTOMATIC,
        /// Planned, and done once it is approved.
        MANUAL,
        /// Only told.
        OFF
    }
}
