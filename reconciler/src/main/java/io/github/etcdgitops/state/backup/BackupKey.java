package io.github.etcdgitops.state.backup;

import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.value.EtcdId;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/// Where the objects of a backup are, below a destination's prefix:
/// `ENVIRONMENT/NAMESPACE/NAME/CLUSTER-ID/BACKUP-ID/FILE`.
///
/// The cluster ID separates a recreated or restored ring from the one before it: no ring ever adds to
/// another ring's backups. An ID starts with the time when the backup started, to the second and in UTC, so
/// that a listing alone shows every age. Times are compared as times, never as text.
public record BackupKey(String environment, ClusterRef ring, EtcdId clusterId, String id) {
    public static final String MANIFEST = "manifest.json";

    /// Beside a manifest: a later check found the backup damaged.
    public static final String DAMAGED = "damaged.json";

    /// Beside a manifest: `drill-TIME-passed.json` or `drill-TIME-failed.json`.
    public static final String DRILL = "drill-";

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final int TIME_LENGTH = 16;

    private static final Pattern CLUSTER_ID = Pattern.compile("[0-9a-f]{1,16}");
    private static final int PARTS = 6;

    /// One object of a backup.
    public record Part(BackupKey backup, String file) {}

    /// The prefix of everything of one environment.
    public static String below(String environment) {
        return environment + "/";
    }

    /// The prefix of everything of one ring, whatever its cluster ID was.
    public static String below(String environment, ClusterRef ring) {
        return below(environment) + ring + "/";
    }

    /// The prefix of this backup.
    public String prefix() {
        return below(environment, ring) + clusterId + "/" + id + "/";
    }

    public String file(String name) {
        return prefix() + name;
    }

    /// Empty for a key that is not ours.
    public static Optional<Part> parse(String key) {
        var parts = key.split("/", -1);
        if (parts.length != PARTS || !CLUSTER_ID.matcher(parts[3]).matches()) {
            return Optional.empty();
        }
        var ring = new ClusterRef(parts[1], parts[2]);
        return time(parts[4])
                .map(_ -> new Part(new BackupKey(parts[0], ring, EtcdId.parse(parts[3]), parts[4]), parts[5]));
    }

    /// `20261122T031500Z`, to the second.
    public static String stamp(Instant time) {
        return TIME.format(time);
    }

    /// The time at the start of an ID, or after `drill-`.
    public static Optional<Instant> time(String id) {
        if (id.length() < TIME_LENGTH) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    LocalDateTime.parse(id.substring(0, TIME_LENGTH), TIME).toInstant(ZoneOffset.UTC));
        } catch (DateTimeException _) {
            return Optional.empty();
        }
    }
}
