package io.github.etcdgitops.ring;

/// A number of things, such as `3 members`.
public final class Quantity {
    private Quantity() {}

    public static String of(int number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }
}
