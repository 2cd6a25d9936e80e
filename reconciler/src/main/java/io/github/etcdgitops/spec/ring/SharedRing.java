package io.github.etcdgitops.spec.ring;

import io.github.etcdgitops.spec.auth.KeyRange;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Glob;
import java.util.List;

/// What a tenant may add to a ring of somebody else: users and roles of these `names`. Its roles grant keys below
/// one of the `prefixes`. Besides them, its users may have `roles`, which are those of the ring.
public record SharedRing(String tenant, ClusterRef ring, List<String> prefixes, List<Glob> names, List<String> roles) {
    public SharedRing {
        prefixes = List.copyOf(prefixes);
        names = List.copyOf(names);
        roles = List.copyOf(roles);
    }

    public boolean isNamed(String account) {
        return names.stream().anyMatch(pattern -> pattern.matches(account));
    }

    public boolean covers(KeyRange keys) {
        return prefixes.stream().map(KeyRange::prefix).anyMatch(prefix -> prefix.covers(keys));
    }
}
