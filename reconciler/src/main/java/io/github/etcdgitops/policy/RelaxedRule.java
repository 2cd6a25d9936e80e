package io.github.etcdgitops.policy;

import io.github.etcdgitops.validation.Location;

/// A setting that was stricter before. `at` is its current, or former, location.
public record RelaxedRule(String setting, Location at, String former, String next) {
    String text() {
        return setting + " (" + at + ") was " + former + ", is " + next;
    }
}
