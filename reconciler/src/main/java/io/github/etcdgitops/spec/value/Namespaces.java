package io.github.etcdgitops.spec.value;

import java.util.List;
import java.util.stream.Collectors;

/// Namespaces, by names and patterns.
public record Namespaces(List<Glob> patterns) {
    public static final Namespaces ALL = new Namespaces(List.of(new Glob("*")));

    public Namespaces {
        patterns = List.copyOf(patterns);
    }

    public static Namespaces of(List<String> patterns) {
        return new Namespaces(patterns.stream().map(Glob::new).toList());
    }

    public boolean contains(String namespace) {
        return patterns.stream().anyMatch(pattern -> pattern.matches(namespace));
    }

    @Override
    public String toString() {
        return patterns.stream().map(Glob::text).collect(Collectors.joining(", "));
    }
}
