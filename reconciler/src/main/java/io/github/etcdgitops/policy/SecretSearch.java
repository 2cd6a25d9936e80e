package io.github.etcdgitops.policy;

import io.github.etcdgitops.spec.value.SecretShapes;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Finds values in a ring's document that look like a secret. Names the location, and never the value.
final class SecretSearch {
    private SecretSearch() {}

    /// A pointer into the document; the first one by name, where there are several.
    static Optional<String> in(Map<String, Object> document) {
        return in("", document);
    }

    private static Optional<String> in(String pointer, Object value) {
        return switch (value) {
            case Map<?, ?> map ->
                map.entrySet().stream()
                        .flatMap(entry -> in(pointer + "/" + entry.getKey(), entry.getValue()).stream())
                        .min(String::compareTo);
            case List<?> list ->
                list.stream().flatMap(item -> in(pointer, item).stream()).findFirst();
            case String text -> SecretShapes.likely(text) ? Optional.of(pointer) : Optional.empty();
            default -> Optional.empty();
        };
    }
}
