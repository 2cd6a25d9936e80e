package io.github.etcdgitops.inert;

import java.util.Collection;
import java.util.stream.Collectors;

/// The first few of many, and how many more there are: `a, b and 3 more`.
public final class Few {
    private Few() {}

    public static String of(Collection<?> all, int shown) {
        int more = all.size() - shown;
        return all.stream().limit(shown).map(String::valueOf).collect(Collectors.joining(", "))
                + (more > 0 ? " and " + more + " more" : "");
    }
}
