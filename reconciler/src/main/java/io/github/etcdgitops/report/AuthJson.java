package io.github.etcdgitops.report;

import io.github.etcdgitops.ring.auth.AuthStanding;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// A ring's users and roles for machines, in `status` and in plans alike. Nothing here knows a password.
public final class AuthJson {
    private AuthJson() {}

    public static Map<String, Object> tree(AuthStanding auth) {
        var tree = new TreeMap<String, Object>(Map.of(
                "enabled", auth.enabled(),
                "users", auth.users(),
                "roles", auth.roles(),
                "usersWithoutRole", List.copyOf(auth.withoutRole()),
                "seenIn", source(auth)));
        auth.passwordsAt().ifPresent(at -> tree.put("lastPassword", at.toString()));
        return tree;
    }

    /// Where this was read.
    public static String source(AuthStanding auth) {
        return auth.read() ? "ring" : "journal";
    }
}
