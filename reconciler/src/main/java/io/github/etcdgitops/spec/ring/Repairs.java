package io.github.etcdgitops.spec.ring;

import io.github.etcdgitops.spec.value.WireName;
import java.time.Duration;
import java.util.List;

/// What of a ring is mended, and how far repairs go by themselves. `resets` are volumes that somebody has
/// asked to be given up, and `replacements` members.
/// A machine that is gone for `machineGoneAfter` takes the volumes along that it alone had.
public record Repairs(
        Mode volumes,
        Mode members,
        Duration machineGoneAfter,
        List<VolumeReset> resets,
        List<MemberReplacement> replacements) {
    /// Longer than it takes to boot a machine, or to make its Node anew.
    public static final Duration MACHINE_GONE_AFTER = Duration.ofHours(1);

    public static final Repairs DEFAULT = new Repairs(Mode.MANUAL, Mode.MANUAL);

    public enum Mode implements WireName {
        /// Done as soon as it is found to be due.
        AUTOMATIC,
        /// Planned, and done once it is approved.
        MANUAL,
        /// Only told.
        OFF;

        @Override
        public String wire() {
            return switch (this) {
                case AUTOMATIC -> "automatic";
                case MANUAL -> "manual";
                case OFF -> "off";
            };
        }
    }

    public Repairs {
        resets = List.copyOf(resets);
        replacements = List.copyOf(replacements);
    }

    public Repairs(Mode volumes, Mode members) {
        this(volumes, members, MACHINE_GONE_AFTER, List.of(), List.of());
    }

    /// The same, with what somebody asks for.
    public Repairs asking(List<VolumeReset> resets, List<MemberReplacement> replacements) {
        return new Repairs(volumes, members, machineGoneAfter, resets, replacements);
    }
}
