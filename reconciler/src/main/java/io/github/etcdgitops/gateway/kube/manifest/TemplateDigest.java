package io.github.etcdgitops.gateway.kube.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.etcdgitops.digest.Digests;
import io.github.etcdgitops.gateway.kube.api.JsonObject;
import io.github.etcdgitops.state.TemplateParts;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/// Splits a pod template and computes the digest of each part. An absent part has no digest.
public final class TemplateDigest {
    private static final int LENGTH = 12;

    /// Of the parts that were digested last: most are the same in all rings of a fleet.
    private static final Map<JsonNode, String> KNOWN = Collections.synchronizedMap(new Recent());

    /// Longer parts are a ring's own, such as annotations.
    private static final int LONGEST_KNOWN = 2000;

    private TemplateDigest() {}

    /// `template` must not change afterwards: its parts are remembered.
    static String of(JsonObject template) {
        var parts = new TreeMap<String, JsonNode>();
        parts(parts, "", template.tree().path("metadata"));
        parts(parts, "", template.tree().path("spec"));
        JsonNode containers = parts.remove("containers");
        if (containers != null) {
            parts(parts, "container.", containers.path(0));
        }
        var digests = new TreeMap<String, String>();
        parts.forEach((name, part) -> digests.put(name, known(part)));
        return new TemplateParts(digests).toString();
    }

    /// For a template that is not ours: one part, which no template of ours has.
    public static String ofForeign(JsonNode template) {
        String text = JsonObject.from(template).tree().toString();
        return new TemplateParts(new TreeMap<>(Map.of(TemplateParts.FOREIGN, digest(text)))).toString();
    }

    private static void parts(Map<String, JsonNode> parts, String prefix, JsonNode tree) {
        tree.properties().forEach(part -> parts.put(prefix + part.getKey(), part.getValue()));
    }

    private static String known(JsonNode part) {
        String known = KNOWN.get(part);
        if (known != null) {
            return known;
        }
        String text = part.toString();
        String digest = digest(text);
        if (text.length() <= LONGEST_KNOWN) {
            KNOWN.put(part, digest);
        }
        return digest;
    }

    /// `text` is that of a [JsonObject] or of a part of one: its fields are sorted.
    private static String digest(String text) {
        return Digests.name("{\"part\":" + text + "}", LENGTH);
    }

    @SuppressWarnings("serial")
    private static final class Recent extends LinkedHashMap<JsonNode, String> {
        private static final int MOST = 500;

        Recent() {
            super(16, 0.75f, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<JsonNode, String> eldest) {
            return size() > MOST;
        }
    }
}
