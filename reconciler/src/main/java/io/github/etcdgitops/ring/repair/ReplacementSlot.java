package io.github.etcdgitops.ring.repair;

/// Where a new member comes to, what is given up there, and which pod template it starts from.
public record ReplacementSlot(GivenUpClaim claim, Standing former, Template template) {
    public ReplacementSlot(GivenUpClaim claim, Standing former) {
        this(claim, former, Template.NEXT);
    }

    public ReplacementSlot from(Template other) {
        return new ReplacementSlot(claim, former, other);
    }

    /// Which pod template the new member starts from.
    public enum Template {
        /// The one that the next pod of this ordinal gets.
        NEXT,
        /// The one that a roll under way brings, although its turn in the roll has not come: a ring whose other
        /// members all run the next minor version takes in nobody of the former one.
        ROLLED,
        /// Ours, of a ring that is being adopted: the former template knows neither the member's file nor its
        /// data directory, and starts no new member.
        OURS
    }

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
