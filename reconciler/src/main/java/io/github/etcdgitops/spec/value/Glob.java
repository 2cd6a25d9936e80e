package io.github.etcdgitops.spec.value;

/// A name in which `*` matches any number of characters, as in `team-a-*`.
public record Glob(String text) {
    private static final char ANY = '*';

    public boolean matches(String name) {
        return overlaps(new Glob(name));
    }

    /// Whether some name matches both. `meets[j]` is the result for the remaining ends of both; a star on
    /// either side matches nothing, or one more character of the other side.
    public boolean overlaps(Glob other) {
        int width = other.text.length();
        var below = new boolean[width + 1];
        for (int i = text.length(); i >= 0; i--) {
            var meets = new boolean[width + 1];
            for (int j = width; j >= 0; j--) {
                meets[j] = meets(other, i, j, meets, below);
            }
            below = meets;
        }
        return below[0];
    }

    private boolean meets(Glob other, int i, int j, boolean[] here, boolean[] below) {
        boolean ended = i == text.length();
        boolean otherEnded = j == other.text.length();
        if (ended && otherEnded) {
            return true;
        }
        if (!ended && text.charAt(i) == ANY) {
            return below[j] || (!otherEnded && here[j + 1]);
        }
        if (!otherEnded && other.text.charAt(j) == ANY) {
            return here[j + 1] || (!ended && below[j]);
        }
        return !ended && !otherEnded && text.charAt(i) == other.text.charAt(j) && below[j + 1];
    }

    @Override
    public String toString() {
        return text;
    }
}
