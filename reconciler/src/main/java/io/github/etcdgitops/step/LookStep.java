package io.github.etcdgitops.step;

import io.github.etcdgitops.spec.ClusterRef;
import io.github.etcdgitops.state.Quorum;
import java.time.Duration;

/// Has a Job copy the data of a member that ends at each start, start etcd on the copy, and tell its hash, so
/// that it can be compared with what the voters that answer have; journals that, whatever it is.
///
/// Nothing is written to the volume. What was copied while the member ran counts for nothing, and is copied
/// once more.
public record LookStep(int ordinal, String claimUid, String operationId) implements Step.OfDeletion {
    @Override
    public Gate gate() {
        return Gate.EXPECTED;
    }

    /// The Job alone has [InspectStep#LONGEST].
    @Override
    public Duration deadline() {
        return InspectStep.LONGEST.plusMinutes(5);
    }

    @Override
    public RingModel apply(RingModel ring) {
        return ring;
    }

    @Override
    public Quorum during(RingModel before) {
        return before.quorum();
    }

    String wording(ClusterRef ref) {
        return "Copy what is on the volume of " + ref.podName(ordinal)
                + " in a Job, start etcd on the copy alone, and journal the hash of its data";
    }
}
