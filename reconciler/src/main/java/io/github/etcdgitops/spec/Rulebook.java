package io.github.etcdgitops.spec;

import io.github.etcdgitops.spec.ring.DriftHandling;
import io.github.etcdgitops.spec.ring.DriftObject;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.RingSelector;
import io.github.etcdgitops.spec.ring.Rule;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Namespaces;
import io.github.etcdgitops.validation.Location;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/// The policies of a repository, and the exemptions. `unread` are unreadable documents that are, or may be,
/// policies: a typing error must not allow what they would have forbidden. `documents` are those of the
/// rings, as expressions see them, where there are any.
public record Rulebook(
        List<Policy> policies,
        List<PolicyExemption> exemptions,
        List<Unread> unread,
        SortedMap<ClusterRef, Map<String, Object>> documents) {
    public static final Rulebook EMPTY = new Rulebook(List.of(), List.of(), List.of(), new TreeMap<>());

    private static final DriftHandling EVERYTHING_TOLD = new DriftHandling(Arrays.stream(DriftObject.values())
            .map(object -> new DriftHandling.Field(object, "", DriftHandling.Mode.REPORT))
            .toList());

    public Rulebook {
        policies = List.copyOf(policies);
        exemptions = List.copyOf(exemptions);
        unread = List.copyOf(unread);
        documents = Collections.unmodifiableSortedMap(new TreeMap<>(documents));
    }

    /// The drift handling of the policies. An unreadable policy may have wanted to leave something. Until
    /// it is fixed, everything that may be left is left, unless another policy corrects it.
    public List<DriftHandling> drift(EtcdClusterSpec ring) {
        var asked = policies.stream()
                .filter(policy -> policy.rings().selects(ring))
                .flatMap(policy -> policy.clauses().stream())
                .map(Policy.Clause::rule)
                .filter(Rule.DriftPolicy.class::isInstance)
                .map(Rule.DriftPolicy.class::cast)
                .map(Rule.DriftPolicy::handling);
        boolean unclear = unread.stream().anyMatch(u -> u.mayHold(ring));
        return Stream.concat(asked, unclear ? Stream.of(EVERYTHING_TOLD) : Stream.empty())
                .toList();
    }

    /// `rings` are those that it selects; empty where that is unknown. It applies to no ring outside of
    /// `within`.
    public record Unread(Optional<RingSelector> rings, Namespaces within, Location source) {
        public boolean mayHold(EtcdClusterSpec ring) {
            return mayHold(ring.ref())
                    && rings.map(selector -> selector.selects(ring)).orElse(true);
        }

        /// The same for a ring without a document.
        public boolean mayHold(ClusterRef ring) {
            return within.contains(ring.namespace());
        }
    }
}
