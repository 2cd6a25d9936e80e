package io.github.etcdgitops.trial;

/// What a trial was to show did not hold.
final class TrialFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TrialFailure(String message) {
        super(message);
    }

    static void unlessSame(String what, Object wanted, Object found) {
        unless(wanted.equals(found), what + " differ: " + wanted + ", " + found);
    }

    static void unless(boolean holds, String message) {
        if (!holds) {
            throw new TrialFailure(message);
        }
    }
}
