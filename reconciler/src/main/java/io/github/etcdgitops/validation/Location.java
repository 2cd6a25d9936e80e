package io.github.etcdgitops.validation;

import java.util.Comparator;

/// A location in a user's file. Line and column count from 1; 0 means the whole file. The pointer is a JSON
/// pointer (RFC 6901); the empty pointer is the whole document.
public record Location(String file, int line, int column, String pointer) implements Comparable<Location> {
    private static final Comparator<Location> ORDER = Comparator.comparing(Location::file)
            .thenComparingInt(Location::line)
            .thenComparingInt(Location::column)
            .thenComparing(Location::pointer);

    public static Location ofFile(String file) {
        return new Location(file, 0, 0, "");
    }

    @Override
    public int compareTo(Location other) {
        return ORDER.compare(this, other);
    }

    /// `file`, or `file:line:column`, in the form of compilers.
    @Override
    public String toString() {
        return line == 0 ? file : file + ":" + line + ":" + column;
    }
}
