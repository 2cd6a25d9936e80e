package io.github.etcdgitops.plan;

/// The answer of the rules. `rule` is the rule's id; `reason` is for people and names the remedy.
public sealed interface Verdict {
    record Allow() implements Verdict {}

    record Warn(String rule, String reason) implements Verdict {}

    /// Not now: an approval, a window or a manual action is missing.
    record Hold(String rule, String reason, Cause cause) implements Verdict {
        public Hold(String rule, String reason) {
            this(rule, reason, Cause.OTHER);
        }
    }

    /// Why an operation is held, as far as reports and exit codes tell it apart.
    enum Cause {
        FREEZE,
        /// Too many changes of the run have failed.
        FAILED_CHANGES,
        OTHER
    }

    record Deny(String rule, String reason) implements Verdict {}

    /// The verdict in one word, for machine-readable plans: `hold`.
    default String result() {
        return switch (this) {
            case Allow _ -> "allow";
            case Warn _ -> "warn";
            case Hold _ -> "hold";
            case Deny _ -> "deny";
        };
    }

    /// Greater for a stricter verdict.
    default int strictness() {
        return switch (this) {
            case Allow _ -> 0;
            case Warn _ -> 1;
            case Hold _ -> 2;
            case Deny _ -> 3;
        };
    }

    default boolean lets() {
        return this instanceof Allow || this instanceof Warn;
    }
}
