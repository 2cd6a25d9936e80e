package io.github.etcdgitops.spec.ring;

import io.github.etcdgitops.spec.value.WireName;
import java.time.Duration;
import java.util.List;

/// The repairs of a ring, and their modes. `resets` are volumes that documents give up, and `replacements`
/// members. Volumes that only one node has count as lost when that node is gone for `machineGoneAfter`.
public record Repairs(
        Mode volumes,
        Mode members,
        Duration machineGoneAfter,
        List<VolumeReset> resets,
        List<MemberReplacement> replacements) {
    /// Longer than it takes to boot a node, or to recreate its Node object.
    public static final Duration MACHINE_GONE_AFTER = Duration.ofHours(1);

    public static final Repairs DEFAULT = new Repairs(Mode.MANUAL, Mode.MANUAL);

    public enum Mode implements WireName {
        /// Done as soon as it is due.
        AUTOMATIC,
        /// Planned, and done once it is approved.
        MANUAL,
        /// Only reported.
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

    /// The same, with the requests of documents.
    public Repairs asking(List<VolumeReset> resets, List<MemberReplacement> replacements) {
        return new Repairs(volumes, members, machineGoneAfter, resets, replacements);
    }
}
