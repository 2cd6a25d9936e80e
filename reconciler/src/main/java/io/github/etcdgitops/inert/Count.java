package io.github.etcdgitops.inert;

/// A number of things, such as `1 member` or `3 members`.
public final class Count {
    private Count() {}

    /// `noun` is the singular of a noun whose plural ends in `s`.
    public static String of(long number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }
}
