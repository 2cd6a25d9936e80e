package io.github.etcdgitops.spec;

import io.github.etcdgitops.spec.ring.Effect;
import io.github.etcdgitops.spec.ring.RingSelector;
import io.github.etcdgitops.spec.ring.Rule;
import io.github.etcdgitops.validation.Location;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Rules for the rings that it selects: all of them, where it has no condition.
public record Policy(String name, RingSelector rings, List<Clause> clauses, Location source) {
    public Policy {
        clauses = List.copyOf(clauses);
    }

    /// A rule with its effect. Before `enforceFrom` it warns at most.
    public record Clause(Rule rule, Effect effect, Optional<Instant> enforceFrom, Location source) {
        public boolean enforcedAt(Instant now) {
            return enforceFrom.map(from -> !now.isBefore(from)).orElse(true);
        }

        /// The effect of a breach at this time.
        public Effect effectAt(Instant now) {
            return effect.stops() && !enforcedAt(now) ? Effect.WARN : effect;
        }
    }
}
