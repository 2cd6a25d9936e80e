package io.github.etcdgitops.ring.repair;

import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.underway.Inspections;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// Runs a Job that copies the data on the volume of a member that does not run, starts etcd on the copy,
/// and reports what is there. Journals the result, whatever it is. `before` is the journal's time of the
/// last inspection of this volume.
///
/// Nothing is written to the volume. Unsafe only where the member runs: then the copy may show data that
/// never existed.
public record InspectStep(int ordinal, String claimUid, Optional<Instant> before, String operationId) implements Step {
    /// The limit for the Job. Copying the largest supported store takes minutes.
    public static final Duration LONGEST = Duration.ofMinutes(30);

    @Override
    public Facts facts() {
        return Facts.of("InspectStep", Gate.UNSUSPENDED)
                .undo("changes nothing in the ring, nor on the volume")
                .within(LONGEST.plusMinutes(2));
    }

    @Override
    public Optional<String> obstacle(ClusterState fresh) {
        return Inspections.obstacle(fresh, ordinal, claimUid);
    }

    @Override
    public String text(ClusterRef ref) {
        return "Copy the data on the volume of " + ref.podName(ordinal)
                + " in a Job, start etcd on the copy and record its revision in the journal";
    }
}
