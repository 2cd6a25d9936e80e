package io.github.etcdgitops.policy;

import io.github.etcdgitops.spec.EtcdClusterSpec;
import io.github.etcdgitops.spec.SecretShapes;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Where a ring's document has something in it that looks like a secret. Names the place, and never what
/// stands there.
final class SecretSearch {
    private SecretSearch() {}

    /// A pointer into the document; the first one by name, where there are several.
    static Optional<String> in(EtcdClusterSpec spec) {
        var template = spec.podTemplate();
        var declaration = spec.declaration();
        var places = new TreeMap<String, Object>(Map.of(
                "/metadata/labels", declaration.labels(),
                "/spec/podTemplate", List.of(template.pod(), template.resources()),
                "/spec/podTemplate/metadata", List.of(template.labels(), template.annotations()),
                "/spec/etcd", spec.server().options(),
                "/spec/image", spec.server().image().repository()));
        declaration.suspend().ifPresent(s -> places.put("/spec/suspend", List.of(s.reason(), s.by())));
        return places.entrySet().stream()
                .flatMap(place -> in(place.getKey(), place.getValue()).stream())
                .min(String::compareTo);
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
