package io.github.etcdgitops.spec;

/// Which of a ring's CAs its members trust, by the CAs' numbers. While one takes over from another, both
/// are trusted: then `former` is the lower number.
public record Authorities(int former, int newest) {
    public static final Authorities FIRST = of(1);

    public static Authorities of(int number) {
        return new Authorities(number, number);
    }

    /// One CA, and no change under way.
    public boolean settled() {
        return former == newest;
    }

    /// The former CA and this one.
    public Authorities joinedBy(int number) {
        return new Authorities(former, number);
    }

    public Authorities withoutFormer() {
        return of(newest);
    }

    /// `CA 1`, or `CAs 1 and 2`.
    public String describe() {
        return settled() ? "CA " + newest : "CAs " + former + " and " + newest;
    }
}
