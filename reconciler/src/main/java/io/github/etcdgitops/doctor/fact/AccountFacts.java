package io.github.etcdgitops.doctor.fact;

import java.util.List;

/// An account that is impersonated for rings: whether we may impersonate it, and its rights. `title` names
/// it. `excess` are rights beyond its namespace.
public record AccountFacts(
        String title,
        Fact<Boolean> impersonable,
        Fact<Boolean> exists,
        List<AccessRight> rights,
        List<AccessRight> excess) {
    /// The connection's rights without impersonation.
    public static final String ITSELF = "rights of its own";

    public AccountFacts {
        rights = List.copyOf(rights);
        excess = List.copyOf(excess);
    }
}
