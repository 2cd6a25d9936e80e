package io.github.etcdgitops.policy;

import io.github.etcdgitops.validation.Location;

/// A setting that asked for more before. `at` is where it stands now, or stood.
public record RelaxedRule(String setting, Location at, String former, String next) {
    String text() {
        return setting + " (" + at + ") was " + former + ", is " + next;
    }
}
