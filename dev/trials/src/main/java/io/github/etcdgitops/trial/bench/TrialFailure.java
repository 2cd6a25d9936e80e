package io.github.etcdgitops.trial.bench;

/// What a trial was to show did not hold.
public final class TrialFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public TrialFailure(String message) {
        super(message);
    }

    public static void unlessSame(String what, Object wanted, Object found) {
        unless(wanted.equals(found), what + " differ: " + wanted + ", " + found);
    }

    public static void unless(boolean holds, String message) {
        if (!holds) {
            throw new TrialFailure(message);
        }
    }
}
