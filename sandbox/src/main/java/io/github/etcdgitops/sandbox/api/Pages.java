package io.github.etcdgitops.sandbox.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.objects.KubeObjects;
import io.github.etcdgitops.sandbox.objects.KubeObjects.Listing;
import io.github.etcdgitops.sandbox.objects.Refusal;
import io.github.etcdgitops.sandbox.objects.Resource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Lists in pages. All pages show the objects as they were when the first was asked for, as long as that is
/// remembered.
final class Pages {
    private static final int REMEMBERED = 32;
    private static final String TOO_OLD =
            "The provided continue parameter is too old to display a consistent list result. You can start a new list"
                    + " without the continue parameter.";

    private final KubeObjects objects;
    private final Map<Moment, Listing> moments = new LinkedHashMap<>();

    private record Moment(Resource resource, String namespace, long resourceVersion) {}

    record Page(List<ObjectNode> items, long resourceVersion, Optional<String> next, int remaining) {}

    Pages(KubeObjects objects) {
        this.objects = objects;
    }

    Page page(Call call) {
        Target target = call.target();
        Selection selection = Selection.of(call);
        int limit = Math.toIntExact(call.number("limit").orElse(0L));
        String token = call.parameter("continue");
        Optional<JsonNode> read = token.isEmpty() ? Optional.empty() : Optional.of(decoded(token));
        Listing listing = read.map(t -> remembered(target, t.path("rv").asLong()))
                .orElseGet(() -> objects.list(target.resource(), target.namespace()));
        int from = read.map(t -> t.path("start").asInt()).orElse(0);
        List<ObjectNode> all =
                listing.items().stream().filter(selection::matches).toList();
        List<ObjectNode> rest = all.subList(Math.min(from, all.size()), all.size());
        if (limit <= 0 || rest.size() <= limit) {
            return new Page(rest, listing.resourceVersion(), Optional.empty(), 0);
        }
        remember(target, listing);
        return new Page(
                rest.subList(0, limit),
                listing.resourceVersion(),
                Optional.of(encoded(listing.resourceVersion(), from + limit)),
                selection.everything() ? rest.size() - limit : 0);
    }

    private synchronized void remember(Target target, Listing listing) {
        moments.put(new Moment(target.resource(), target.namespace(), listing.resourceVersion()), listing);
        if (moments.size() > REMEMBERED) {
            moments.remove(moments.keySet().iterator().next());
        }
    }

    private synchronized Listing remembered(Target target, long resourceVersion) {
        Listing listing = moments.get(new Moment(target.resource(), target.namespace(), resourceVersion));
        if (listing == null) {
            throw new Refusal(410, "Expired", TOO_OLD);
        }
        return listing;
    }

    private static String encoded(long resourceVersion, int start) {
        String json = Call.JSON
                .createObjectNode()
                .put("v", "meta.k8s.io/v1")
                .put("rv", resourceVersion)
                .put("start", Integer.toString(start))
                .toString();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(json.getBytes(StandardCharsets.UTF_8));
    }

    private static JsonNode decoded(String token) {
        try {
            return Call.JSON.readTree(Base64.getUrlDecoder().decode(token));
        } catch (IOException | IllegalArgumentException e) {
            throw Refusal.badRequest("continue key is not valid: " + token);
        }
    }
}
