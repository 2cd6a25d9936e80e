package io.github.etcdgitops.spec.release;

import java.util.List;

/// Settings in a member's file that the minor versions of etcd 3 have from `from` on, and before `below`.
public record Settings(int from, int below, List<String> names) {
    public Settings {
        names = List.copyOf(names);
    }

    boolean are(String name, int minor) {
        return from <= minor && minor < below && names.contains(name);
    }
}
