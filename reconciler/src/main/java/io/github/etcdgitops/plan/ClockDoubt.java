package io.github.etcdgitops.plan;

import io.github.etcdgitops.state.backup.RingBackups;
import io.github.etcdgitops.state.backup.StoredBackup;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/// Why backups must not be deleted by age: this host's clock differs too much from the API server's, or
/// from the times of the stored backups.
public final class ClockDoubt {
    /// The largest difference between clocks that is accepted.
    private static final Duration BEARABLE = Duration.ofMinutes(10);

    private ClockDoubt() {}

    /// `server` is the API server's current time; without it nothing is known.
    public static Optional<String> ofServer(Optional<Instant> server, Instant now) {
        return server.filter(theirs -> Duration.between(theirs, now).abs().compareTo(BEARABLE) > 0)
                .map(theirs -> "the local clock says " + now.truncatedTo(ChronoUnit.SECONDS)
                        + ", and the API server's clock says " + theirs + ". Synchronise both with NTP");
    }

    /// A backup cannot come from the future: one of the clocks is wrong.
    public static Optional<String> ofBackups(RingBackups stored, Instant now) {
        return stored.backups().stream()
                .filter(backup -> backup.taken().isAfter(now.plus(BEARABLE)))
                .max(StoredBackup.BY_TIME)
                .map(backup -> "backup " + backup.id() + " was taken at " + backup.taken()
                        + ", and the local clock says " + now.truncatedTo(ChronoUnit.SECONDS)
                        + ". Correct the local clock. If it is right, delete that backup: etcd-gitops backup prune"
                        + " --backup "
                        + backup.id());
    }
}
