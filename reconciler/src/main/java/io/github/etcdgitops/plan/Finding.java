package io.github.etcdgitops.plan;

import io.github.etcdgitops.spec.WireName;
/// Something a person should know about a ring. `code` is stable and in kebab case. `denies` where a policy
/// refuses the ring's document for it; the order does not hang on that.

public record Finding(Level level, String code, String message, boolean denies) implements Comparable<Finding> {
    public Finding(Level level, String code, String message) {
        this(level, code, message, false);
    }

    /// ERROR stands in the way of changes to this ring.
    public enum Level implements WireName {
        ERROR,
        WARNING,
        NOTE;

        @Override
        public String wire() {
            return switch (this) {
                case ERROR -> "error";
                case WARNING -> "warning";
                case NOTE -> "note";
            };
        }
    }

    @Override
    public int compareTo(Finding other) {
        int byLevel = level.compareTo(other.level);
        int byCode = byLevel != 0 ? byLevel : code.compareTo(other.code);
        return byCode != 0 ? byCode : message.compareTo(other.message);
    }
}
