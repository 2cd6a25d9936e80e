package io.github.etcdgitops.spec.ring;

import io.github.etcdgitops.spec.time.Window;
import io.github.etcdgitops.spec.time.Windows;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// How a ring's stores are maintained. Without `defragment` there is no automatic defragmentation. With
/// `windows` it happens only in one of them. `space` says what happens to a ring that is out of space, and
/// `keepRevisions` how many of the newest revisions stay readable when room is made for it. The volume of a
/// removed member is deleted after `deleteLeftAfter`; it is retained where that is empty.
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

    /// Volumes of removed members are retained.
    public Maintenance(Optional<Defragment> defragment, List<Window> windows, Repairs.Mode space, long keepRevisions) {
        this(defragment, windows, space, keepRevisions, Optional.empty());
    }

    /// Applies from this percentage of free space in a member's database file on, where the file has at
    /// least this many bytes.
    public record Defragment(int unusedPercent, long minimumSize) {
        /// 100Mi.
        public static final long DEFAULT_MINIMUM = 100L << 20;

        /// Whether to defragment a file of `size` bytes, `inUse` of which hold data.
        public boolean worth(long size, long inUse) {
            return size >= minimumSize && (size - inUse) * 100.0 >= (double) unusedPercent * size;
        }
    }

    public boolean openAt(Instant now) {
        return new Windows(windows, List.of()).openUntil(now).isPresent();
    }
}
