package io.github.etcdgitops.operation;

import io.github.etcdgitops.step.ReplaceStep.GivenUp;

/// Where a new member comes to, and what is given up there. `renewed` where it must start from the template
/// that a roll under way brings, although its turn in the roll has not come: a ring whose other members all run
/// the next line of releases takes in nobody of the former one.
public record Place(GivenUp claim, Standing former, boolean renewed) {
    public Place(GivenUp claim, Standing former) {
        this(claim, former, false);
    }

    /// What has become of the member whose place it was.
    public enum Standing {
        SERVING,
        DOWN,
        /// An earlier run took it out of the ring.
        REMOVED
    }
}
