package io.github.etcdgitops.spec.release;

import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.WireName;
import java.util.List;

/// A defect of some releases that operations must not meet. `forbids` and `warns` are kinds of operations, or
/// [#RUN]: then no ring may be on such a release. `reason` says what can happen, `remedy` what to do instead.
public record Hazard(
        String id,
        List<Releases> releases,
        While during,
        List<String> forbids,
        List<String> warns,
        String reason,
        String remedy) {
    public static final String RUN = "run";

    public Hazard {
        releases = List.copyOf(releases);
        forbids = List.copyOf(forbids);
        warns = List.copyOf(warns);
    }

    /// When the defect shows.
    public enum While implements WireName {
        ALWAYS,
        LEARNER,
        AUTH;

        @Override
        public String wire() {
            return switch (this) {
                case ALWAYS -> "always";
                case LEARNER -> "learner";
                case AUTH -> "auth";
            };
        }
    }

    public boolean hits(EtcdVersion version) {
        return releases.stream().anyMatch(r -> r.contain(version));
    }

    boolean forbidsToRun(EtcdVersion version) {
        return forbids.contains(RUN) && hits(version);
    }

    /// What can happen and what to do, as one text.
    public String text() {
        return reason + ". " + remedy;
    }
}
