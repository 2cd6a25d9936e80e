package io.github.etcdgitops.step;

/// A number of things, such as `3 members`.
final class Quantity {
    private Quantity() {}

    static String of(int number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }
}
