package io.github.etcdgitops.spec.ring;

import io.github.etcdgitops.spec.time.Window;
import io.github.etcdgitops.spec.time.Windows;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// How a ring's stores are maintained. Without `defragment` no file is made smaller by itself. With
/// `windows` that is done in one of them only. `space` says what becomes of a ring that is out of space,
/// and `keepRevisions` how many of the newest revisions stay readable when room is made for it. The volume
/// of a member that left is deleted so long `deleteLeftAfter`; it is retained where that is empty.
public record Maintenance(
        Optional<Defragment> defragment,
        List<Window> windows,
        Repairs.Mode space,
        long keepRevisions,
        Optional<Duration> deleteLeftAfter) {
    public static final Duration DEFAULT_LEFT = Duration.ofDays(7);
    public static final long DEFAULT_KEPT = 10_000;
    public static final Maintenance DEFAULT =
            new Maintenance(Optional.empty(), List.of(), Repairs.Mode.MANUAL, DEFAULT_KEPT);

    public Maintenance {
        windows = List.copyOf(windows);
    }

    /// Volumes of members that left are retained.
    public Maintenance(Optional<Defragment> defragment, List<Window> windows, Repairs.Mode space, long keepRevisions) {
        this(defragment, windows, space, keepRevisions, Optional.empty());
    }

    /// From so many percent of free space in a member's database file on, where that has at least so many
    /// bytes.
    public record Defragment(int unusedPercent, long minimumSize) {
        /// 100Mi.
        public static final long DEFAULT_MINIMUM = 100L << 20;

        /// Whether a file of `size` bytes, `inUse` of which hold data, is worth it.
        public boolean worth(long size, long inUse) {
            return size >= minimumSize && (size - inUse) * 100.0 >= (double) unusedPercent * size;
        }
    }

    public boolean openAt(Instant now) {
        return new Windows(windows, List.of()).openUntil(now).isPresent();
    }
}
