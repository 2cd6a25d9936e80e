package io.github.etcdgitops.spec;

import io.github.etcdgitops.validation.Location;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// The policies of a repository, and who need not keep to them. `unread` are documents that are, or may
/// be, policies and that cannot be read: what they would have forbidden must not pass because of a typing
/// error. `documents` are those of the rings, as expressions see them, where there are any.
public record Rulebook(
        List<Policy> policies,
        List<PolicyExemption> exemptions,
        List<Unread> unread,
        SortedMap<ClusterRef, Map<String, Object>> documents) {
    public static final Rulebook EMPTY = new Rulebook(List.of(), List.of(), List.of(), new TreeMap<>());

    public Rulebook {
        policies = List.copyOf(policies);
        exemptions = List.copyOf(exemptions);
        unread = List.copyOf(unread);
        documents = Collections.unmodifiableSortedMap(new TreeMap<>(documents));
    }

    /// `rings` are those that it selects; empty where that cannot be told.
    public record Unread(Optional<RingSelector> rings, Location source) {
        public boolean mayHold(EtcdClusterSpec ring) {
            return rings.map(selector -> selector.selects(ring)).orElse(true);
        }
    }
}
