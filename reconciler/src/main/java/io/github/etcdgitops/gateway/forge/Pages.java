package io.github.etcdgitops.gateway.forge;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/// Reads page after page, until one brings nothing new: a Gitea without paging gives everything on each
/// page.
final class Pages {
    /// GitHub accepts at most 2,500 comments in a pull request.
    private static final int MOST = 50;

    private Pages() {}

    /// `full`: a page with fewer is the last one.
    static List<JsonNode> all(ForgeErrors errors, int full, IntFunction<JsonNode> page) {
        var found = new LinkedHashMap<Long, JsonNode>();
        if (!read(found, full, page)) {
            throw errors.tooManyPages();
        }
        return List.copyOf(found.values());
    }

    /// The same where the first pages are enough.
    static List<JsonNode> first(int full, IntFunction<JsonNode> page) {
        var found = new LinkedHashMap<Long, JsonNode>();
        read(found, full, page);
        return List.copyOf(found.values());
    }

    /// Whether it came to the last page.
    private static boolean read(Map<Long, JsonNode> found, int full, IntFunction<JsonNode> page) {
        for (int number = 1; number <= MOST; number++) {
            var items = page.apply(number);
            int before = found.size();
            items.forEach(item -> found.putIfAbsent(item.path("id").asLong(), item));
            if (items.size() < full || found.size() == before) {
                return true;
            }
        }
        return false;
    }
}
