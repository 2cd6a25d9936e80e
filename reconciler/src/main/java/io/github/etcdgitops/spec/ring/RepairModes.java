package io.github.etcdgitops.spec.ring;

import io.github.etcdgitops.spec.value.WireName;
import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// The mode of each kind of repair, where it is set. For a kind that is not set, people decide each time.
/// `machineGoneAfter` is how long a node must be gone before a volume that only it has counts as lost.
public record RepairModes(SortedMap<Kind, Repairs.Mode> set, Optional<Duration> machineGoneAfter) {
    public static final RepairModes NONE = new RepairModes(new TreeMap<>(), Optional.empty());

    /// The kinds of repairs; their names in lower case are those of the fields.
    public enum Kind implements WireName {
        VOLUMES,
        MEMBERS,
        SPACE;

        public String field() {
            return wire();
        }

        @Override
        public String wire() {
            return switch (this) {
                case VOLUMES -> "volumes";
                case MEMBERS -> "members";
                case SPACE -> "space";
            };
        }
    }

    public RepairModes {
        set = Collections.unmodifiableSortedMap(new TreeMap<>(set));
    }

    /// The same below another level, whose values apply where this one has none.
    public RepairModes below(RepairModes outer) {
        var all = new TreeMap<>(outer.set);
        all.putAll(set);
        return new RepairModes(all, machineGoneAfter.or(() -> outer.machineGoneAfter));
    }

    public Repairs.Mode of(Kind kind) {
        return set.getOrDefault(kind, Repairs.Mode.MANUAL);
    }
}
