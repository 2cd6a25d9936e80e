package io.github.etcdgitops.plan;

import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.spec.auth.Auth;
import io.github.etcdgitops.spec.release.Hazard;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.member.MemberState;
import java.util.Optional;
import java.util.stream.Stream;

/// Defects of the releases that a ring runs, for the operations that must not meet them.
record Hazards(EtcdClusterSpec spec, ClusterState state) {
    /// Why the operation must wait.
    Optional<String> forbidding(Operation operation) {
        return met(operation)
                .filter(h -> h.forbids().contains(operation.kind()))
                .findFirst()
                .map(Hazard::text);
    }

    /// What can happen to the ring if the operation is carried out.
    Optional<String> warning(Operation operation) {
        return met(operation)
                .filter(h -> h.warns().contains(operation.kind()))
                .findFirst()
                .map(h -> operation.summary() + ": " + h.text());
    }

    private Stream<Hazard> met(Operation operation) {
        return spec.catalog().hazards().stream()
                .filter(h -> h.forbids().contains(operation.kind()) || h.warns().contains(operation.kind()))
                .filter(this::shows);
    }

    private boolean shows(Hazard hazard) {
        boolean hit = members()
                .flatMap(m -> m.status().optional().stream())
                .anyMatch(status -> hazard.hits(status.version()));
        return hit
                && switch (hazard.during()) {
                    case ALWAYS -> true;
                    case LEARNER -> members().anyMatch(MemberState::learner);
                    case AUTH -> authenticates();
                };
    }

    /// Also where it is unknown, and a document asks for it.
    private boolean authenticates() {
        return spec.auth().filter(Auth::enabled).isPresent()
                || state.kube().knownJournal().filter(Journal::authenticates).isPresent();
    }

    private Stream<MemberState> members() {
        return state.ring().optional().stream().flatMap(ring -> ring.members().stream());
    }
}
