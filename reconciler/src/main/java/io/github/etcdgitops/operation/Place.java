package io.github.etcdgitops.operation;

import io.github.etcdgitops.step.ReplaceStep.GivenUp;

/// Where a new member comes to, and what is given up there.
public record Place(GivenUp claim, Standing former) {
    /// What has become of the member whose place it was.
    public enum Standing {
        SERVING,
        DOWN,
        /// An earlier run took it out of the ring.
        REMOVED,
        /// The same, and the new member is in the ring already.
        COMING
    }
}
