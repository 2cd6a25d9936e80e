package io.github.etcdgitops.plan;

/// Something a person should know about a ring. `code` is stable and in kebab case.
public record Finding(Level level, String code, String message) implements Comparable<Finding> {
    /// ERROR stands in the way of changes to this ring.
    public enum Level {
        ERROR,
        WARNING,
        NOTE
    }

    @Override
    public int compareTo(Finding other) {
        int byLevel = level.compareTo(other.level);
        int byCode = byLevel != 0 ? byLevel : code.compareTo(other.code);
        return byCode != 0 ? byCode : message.compareTo(other.message);
    }
}
