package io.github.etcdgitops.expression;

/// Why an expression has no value.
final class Unanswerable extends RuntimeException {
    private static final long serialVersionUID = 1;

    Unanswerable(String why) {
        super(why);
    }
}
