package io.github.etcdgitops.cli.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.etcdgitops.plan.fleet.FleetPlan;
import io.github.etcdgitops.report.PlanJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/// What has changed since a plan was saved: the facts of each ring first, because they explain the rest.
public final class PlanChanges {
    private static final int SHOWN = 12;

    private PlanChanges() {}

    public static String describe(JsonNode saved, FleetPlan now) {
        var changes = new ArrayList<String>();
        JsonNode current = parse(PlanJson.render(now));
        for (String input : new String[] {"/environment", "/inputs/specDigest", "/inputs/tool"}) {
            compare(input.substring(input.lastIndexOf('/') + 1), saved.at(input), current.at(input), changes);
        }
        var before = clusters(saved);
        var after = clusters(current);
        var ids = new TreeSet<>(before.keySet());
        ids.addAll(after.keySet());
        for (String id : ids) {
            if (!before.containsKey(id) || !after.containsKey(id)) {
                changes.add(id + (after.containsKey(id) ? " is new" : " is gone"));
                continue;
            }
            facts(id, before.getOrDefault(id, saved), after.getOrDefault(id, saved), changes);
        }
        String more = changes.size() > SHOWN ? "; and " + (changes.size() - SHOWN) + " more" : "";
        return changes.isEmpty()
                ? "the plan itself was edited"
                : String.join("; ", changes.subList(0, Math.min(SHOWN, changes.size()))) + more;
    }

    private static void facts(String id, JsonNode before, JsonNode after, List<String> changes) {
        var keys = new TreeSet<String>();
        before.path("fingerprint").fieldNames().forEachRemaining(keys::add);
        after.path("fingerprint").fieldNames().forEachRemaining(keys::add);
        int count = changes.size();
        for (String key : keys) {
            compare(
                    id + " " + key,
                    before.path("fingerprint").path(key),
                    after.path("fingerprint").path(key),
                    changes);
        }
        if (count == changes.size() && !before.equals(after)) {
            changes.add(id + " would be planned otherwise (situation "
                    + before.path("situation").asText() + ", now "
                    + after.path("situation").asText() + ")");
        }
    }

    private static void compare(String what, JsonNode before, JsonNode after, List<String> changes) {
        if (!before.equals(after)) {
            changes.add(what + " was " + shown(before) + ", is " + shown(after));
        }
    }

    private static String shown(JsonNode node) {
        return node.isMissingNode() ? "absent" : node.asText();
    }

    private static Map<String, JsonNode> clusters(JsonNode plan) {
        var clusters = new TreeMap<String, JsonNode>();
        plan.path("clusters").forEach(c -> clusters.put(c.path("id").asText(), c));
        return clusters;
    }

    private static JsonNode parse(String json) {
        try {
            return new ObjectMapper().readTree(json);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("our own plan is JSON", e);
        }
    }
}
