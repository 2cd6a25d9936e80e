package io.github.etcdgitops.policy;

import io.github.etcdgitops.inert.Few;
import io.github.etcdgitops.spec.auth.Auth;
import io.github.etcdgitops.spec.auth.Grant;
import io.github.etcdgitops.spec.auth.KeyRange;
import io.github.etcdgitops.spec.auth.User;
import io.github.etcdgitops.spec.ring.Rule;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/// Objections to a ring's users and roles.
final class AuthRules {
    private static final int NAMED = 5;

    private AuthRules() {}

    /// The ring's own document decides: where the document of one user is invalid, the ring still asks for
    /// authentication.
    static Optional<String> required(Map<String, Object> document) {
        if (!(document.get("spec") instanceof Map<?, ?> spec) || !(spec.get("auth") instanceof Map<?, ?> auth)) {
            return Optional.of("every client that reaches the ring may use all keys; set spec.auth, with users for"
                    + " the clients");
        }
        return Boolean.FALSE.equals(auth.get("enabled"))
                ? Optional.of("every client that reaches the ring may use all keys; remove spec.auth.enabled: false"
                        + " when the clients have their passwords or certificates")
                : Optional.empty();
    }

    /// Invalid documents of users and roles give none: the ring's users stay as they are.
    static Optional<String> breadth(Rule.RoleBreadth rule, Optional<Auth> auth) {
        return auth.flatMap(asked -> wideRole(rule, asked).or(() -> ofRoot(rule, asked)));
    }

    /// The first one by name, where there are several.
    private static Optional<String> wideRole(Rule.RoleBreadth rule, Auth auth) {
        return auth.roles().entrySet().stream()
                .filter(role -> !rule.except().contains(role.getKey()))
                .flatMap(role ->
                        wide(rule, role.getValue())
                                .map(what -> "the role " + role.getKey() + " covers " + what)
                                .stream())
                .findFirst();
    }

    private static Optional<String> wide(Rule.RoleBreadth rule, Collection<Grant> grants) {
        var ranges = grants.stream().map(Grant::keys).toList();
        if (rule.prefixes().isEmpty()) {
            return KeyRange.areEverything(ranges)
                    ? Optional.of("every key; grant it the prefixes that its users need")
                    : Optional.empty();
        }
        var allowed = rule.prefixes().stream().map(KeyRange::prefix).toList();
        return ranges.stream()
                .filter(range -> allowed.stream().noneMatch(prefix -> prefix.covers(range)))
                .findFirst()
                .map(range -> range.describe() + ", and may cover only keys below " + Few.of(rule.prefixes(), NAMED));
    }

    /// The role `root` covers every key, and is in no document.
    private static Optional<String> ofRoot(Rule.RoleBreadth rule, Auth auth) {
        var users = new TreeSet<String>();
        auth.users().forEach((name, user) -> {
            if (user.roles().contains(User.ROOT)) {
                users.add(name);
            }
        });
        return users.isEmpty() || rule.except().contains(User.ROOT)
                ? Optional.empty()
                : Optional.of("the role root, which " + Few.of(List.copyOf(users), NAMED)
                        + " has, covers every key; give roles with fewer keys");
    }
}
