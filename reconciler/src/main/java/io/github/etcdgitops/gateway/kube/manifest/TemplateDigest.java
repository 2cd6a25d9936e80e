package io.github.etcdgitops.gateway.kube.manifest;

import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.github.etcdgitops.gateway.kube.api.CanonicalJson;
import io.github.etcdgitops.state.TemplateParts;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Splits a pod template and computes the digest of each part. An absent part has no digest.
public final class TemplateDigest {
    private static final int LENGTH = 12;

    private TemplateDigest() {}

    static String of(PodTemplateSpec template) {
        var tree = CanonicalJson.tree(template);
        var parts = new TreeMap<String, Object>();
        parts(parts, "", map(tree.get("metadata")));
        parts(parts, "", map(tree.get("spec")));
        if (parts.remove("containers") instanceof List<?> containers) {
            parts(parts, "container.", map(containers.getFirst()));
        }
        var digests = new TreeMap<String, String>();
        parts.forEach((name, part) -> digests.put(name, digest(part)));
        return new TemplateParts(digests).toString();
    }

    /// For a template that is not ours: one part, which no template of ours has.
    public static String ofForeign(Map<String, Object> template) {
        return new TemplateParts(new TreeMap<>(Map.of(TemplateParts.FOREIGN, digest(template)))).toString();
    }

    private static void parts(Map<String, Object> parts, String prefix, Map<?, ?> tree) {
        tree.forEach((name, value) -> parts.put(prefix + name, value));
    }

    private static Map<?, ?> map(@Nullable Object value) {
        return value instanceof Map<?, ?> map ? map : Map.of();
    }

    private static String digest(Object part) {
        return CanonicalJson.digest(Map.of("part", part)).substring(0, LENGTH);
    }
}
