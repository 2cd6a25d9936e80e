package io.github.etcdgitops.spec;

import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.RingSelector;
import io.github.etcdgitops.spec.ring.Rule;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.validation.Location;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/// Rings that are exempted from rules for a while: `rules` are their ids. Without `policies` it covers
/// those rules in all policies. It covers the rings in `rings`, and those that `selector` selects where it
/// has a condition.
public record PolicyExemption(
        String name,
        Set<String> rules,
        Set<String> policies,
        RingSelector selector,
        List<ClusterRef> rings,
        Word word,
        Location source) {
    /// How long before its expiry the findings mention it.
    public static final Duration SOON = Duration.ofDays(7);

    public PolicyExemption {
        rules = Set.copyOf(rules);
        policies = Set.copyOf(policies);
        rings = List.copyOf(rings);
    }

    /// Its owner, its reason, its start, and its end.
    public record Word(String owner, String reason, String ticket, Instant created, Instant expires) {}

    public boolean expiredAt(Instant now) {
        return !now.isBefore(word.expires());
    }

    /// Whether it applies: one with a later start does not yet.
    public boolean inForceAt(Instant now) {
        return !expiredAt(now) && !now.isBefore(word.created());
    }

    public boolean concerns(EtcdClusterSpec ring) {
        return rings.contains(ring.ref()) || (!selector.isEmpty() && selector.selects(ring));
    }

    public boolean concerns(Policy policy, Rule rule) {
        return rules.contains(rule.id()) && (policies.isEmpty() || policies.contains(policy.name()));
    }
}
