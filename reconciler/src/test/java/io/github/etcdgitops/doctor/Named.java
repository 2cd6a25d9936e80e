package io.github.etcdgitops.doctor;

import java.util.List;

/// Finds a check by its name.
final class Named {
    private Named() {}

    static Check check(String name, List<Check> checks) {
        return checks.stream().filter(c -> c.name().equals(name)).findFirst().orElseThrow();
    }
}
