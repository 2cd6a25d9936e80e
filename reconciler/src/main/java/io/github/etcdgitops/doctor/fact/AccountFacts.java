package io.github.etcdgitops.doctor.fact;

import java.util.List;

/// An account that is impersonated for rings, from both sides: whether we may, and what it may. `title` names it.
/// `excess` are rights that reach beyond its namespace.
public record AccountFacts(
        String title,
        Fact<Boolean> impersonable,
        Fact<Boolean> exists,
        List<AccessRight> rights,
        List<AccessRight> excess) {
    /// What the connection may without impersonating anybody.
    public static final String ITSELF = "rights of its own";

    public AccountFacts {
        rights = List.copyOf(rights);
        excess = List.copyOf(excess);
    }
}
