package io.github.etcdgitops.state.member;

import io.github.etcdgitops.spec.value.WireName;
import io.github.etcdgitops.state.value.EtcdId;
import java.util.Comparator;

/// An alarm that etcd has raised, printed like `NOSPACE 8e9e05c52164694d`. An alarm that names no member
/// has the ID 0. A named member may no longer be in the ring.
public record Alarm(Kind kind, EtcdId member) implements StatusError, Comparable<Alarm> {
    /// By its name in etcd.
    public enum Kind implements WireName {
        NOSPACE,
        CORRUPT,
        /// One that is not known here.
        UNKNOWN;

        @Override
        public String wire() {
            return switch (this) {
                case NOSPACE -> "NOSPACE";
                case CORRUPT -> "CORRUPT";
                case UNKNOWN -> "UNKNOWN";
            };
        }
    }

    @Override
    public int compareTo(Alarm other) {
        return Comparator.comparing(Alarm::toString).compare(this, other);
    }

    @Override
    public String toString() {
        return kind.wire() + " " + member;
    }
}
