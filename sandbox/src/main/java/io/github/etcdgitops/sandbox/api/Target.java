package io.github.etcdgitops.sandbox.api;

import io.github.etcdgitops.sandbox.objects.Resource;
import java.util.List;
import java.util.Optional;

/// What the path of a request names: one object, a part of it, or all of a kind. Without a name it is a
/// collection, without a namespace that of all namespaces.
record Target(Resource resource, String apiVersion, String namespace, String name, String part) {
    /// Empty when nothing is served there.
    static Optional<Target> parse(String path) {
        List<String> parts = List.of(path.replaceFirst("^/", "").split("/"));
        int versionParts = parts.getFirst().equals("api") ? 1 : parts.getFirst().equals("apis") ? 2 : parts.size();
        if (parts.size() < versionParts + 2) {
            return Optional.empty();
        }
        String apiVersion = String.join("/", parts.subList(1, 1 + versionParts));
        List<String> rest = parts.subList(1 + versionParts, parts.size());
        boolean inNamespace = rest.size() > 2
                && rest.getFirst().equals("namespaces")
                && resource(apiVersion, rest.get(2)).isPresent();
        String namespace = inNamespace ? rest.get(1) : "";
        List<String> object = inNamespace ? rest.subList(2, rest.size()) : rest;
        return resource(apiVersion, object.getFirst())
                .filter(resource -> object.size() <= 3)
                .filter(resource -> resource.namespaced() ? inNamespace || object.size() == 1 : !inNamespace)
                .map(resource -> new Target(resource, apiVersion, namespace, at(object, 1), at(object, 2)));
    }

    private static Optional<Resource> resource(String apiVersion, String plural) {
        for (Resource resource : Resource.values()) {
            if (resource.plural().equals(plural) && resource.versions().contains(apiVersion)) {
                return Optional.of(resource);
            }
        }
        return Optional.empty();
    }

    private static String at(List<String> parts, int index) {
        return index < parts.size() ? parts.get(index) : "";
    }

    /// One of the collection.
    Target of(String one) {
        return new Target(resource, apiVersion, namespace, one, part);
    }

    boolean collection() {
        return name.isEmpty();
    }
}
