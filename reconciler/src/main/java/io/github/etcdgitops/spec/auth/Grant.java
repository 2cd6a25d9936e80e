package io.github.etcdgitops.spec.auth;

import io.github.etcdgitops.spec.value.WireName;
import java.util.Comparator;

/// What a role allows on some keys.
public record Grant(Access access, KeyRange keys) implements Comparable<Grant> {
    public enum Access implements WireName {
        READ,
        WRITE,
        READWRITE;

        public boolean reads() {
            return this != WRITE;
        }

        public boolean writes() {
            return this != READ;
        }

        public boolean covers(Access other) {
            return (reads() || !other.reads()) && (writes() || !other.writes());
        }

        @Override
        public String wire() {
            return switch (this) {
                case READ -> "read";
                case WRITE -> "write";
                case READWRITE -> "readwrite";
            };
        }

        @Override
        public String toString() {
            return wire();
        }
    }

    /// For people: `read on the prefix /registry/`.
    public String describe() {
        return access + " on " + keys.describe();
    }

    @Override
    public int compareTo(Grant other) {
        return Comparator.comparing(Grant::keys).thenComparing(Grant::access).compare(this, other);
    }
}
