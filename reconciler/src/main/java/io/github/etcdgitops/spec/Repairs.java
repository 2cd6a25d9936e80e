package io.github.etcdgitops.spec;

import java.util.List;

/// What of a ring is mended, and how far repairs go by themselves. `resets` are volumes that somebody has
/// asked to be given up, and `replacements` members.
public record Repairs(Mode volumes, Mode members, List<VolumeReset> resets, List<MemberReplacement> replacements) {
    public static final Repairs DEFAULT = new Repairs(Mode.MANUAL, Mode.MANUAL);

    public enum Mode {
        /// Done as soon as it is found to be due.
        AUTOMATIC,
        /// Planned, and done once it is approved.
        MANUAL,
        /// Only told.
        OFF
    }

    public Repairs {
        resets = List.copyOf(resets);
        replacements = List.copyOf(replacements);
    }

    public Repairs(Mode volumes, Mode members) {
        this(volumes, members, List.of(), List.of());
    }

    /// The same, with what somebody asks for.
    public Repairs asking(List<VolumeReset> resets, List<MemberReplacement> replacements) {
        return new Repairs(volumes, members, resets, replacements);
    }
}
