package io.github.etcdgitops.ring.repair;

/// The place of a new member: which claim is given up there, and which pod template the new member starts
/// from.
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
        /// The template of the roll under way, although the roll has not reached this member: a ring whose
        /// other members all run the next minor version admits no member of the former one.
        ROLLED,
        /// The same, where the former template is in place again: the roll is being rolled back.
        RESUMED,
        /// Our template, for a ring that is being adopted: the former template knows neither the member's
        /// file nor its data directory, and cannot start a new member.
        OURS
    }

    /// What happened to the former member of this place.
    public enum Standing {
        SERVING,
        DOWN,
        /// An earlier run removed it from the ring.
        REMOVED,
        /// The same, and the new member is already in the ring.
        COMING
    }
}
