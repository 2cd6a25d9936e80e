package io.github.etcdgitops.receive;

import io.github.etcdgitops.gateway.EtcdGateway;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.MemberAccess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Asks an etcd that starts on the copy of a member's data for its contents, and writes the result as the
/// final message of its container.
///
/// etcd starts to end leases some seconds after it becomes leader, and each key that is deleted by it adds
/// a revision. So it is asked continuously from before it answers, and an answer that may be late does not
/// count.
public final class RevisionReport {
    private static final Duration CALL = Duration.ofSeconds(2);
    private static final Duration HASH = Duration.ofMinutes(10);
    private static final Duration LATE = Duration.ofSeconds(5);
    private static final long PAUSE_MILLIS = 100;

    private final EtcdGateway etcd;
    private final MemberAccess.Route route;
    private final InstantSource clock;

    public RevisionReport(EtcdGateway etcd, MemberAccess.Route route, InstantSource clock) {
        this.etcd = etcd;
        this.route = route;
        this.clock = clock;
    }

    /// `compacted` is the revision up to which the compared members have compacted: only data with the same
    /// compaction is comparable, so the copy is compacted as well. -1 without a comparison.
    public Outcome tell(Path message, long compacted, Duration patience) throws InterruptedException {
        var end = clock.instant().plus(patience);
        var silent = Instant.EPOCH;
        String last = "";
        while (clock.instant().isBefore(end)) {
            var asked = clock.instant();
            try {
                long revision = revision();
                return Duration.between(silent, clock.instant()).compareTo(LATE) <= 0
                        ? write(message, revision, compacted)
                        : new Outcome.Failed(
                                "it is unknown since when etcd answers, so its report may be of a later time");
            } catch (GatewayException e) {
                last = String.valueOf(e.getMessage());
                silent = asked;
                new CountDownLatch(1).await(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
            }
        }
        return new Outcome.GaveUp("etcd does not answer on the copy within " + patience.toSeconds() + " s: " + last);
    }

    /// In data with users, some releases give the status of a member to these alone (decision 53).
    private long revision() {
        try {
            return etcd.revision(route, CALL);
        } catch (GatewayException e) {
            if (e.kind() != GatewayException.Kind.UNAUTHORIZED) {
                throw e;
            }
            return etcd.shownRevision(route, CALL);
        }
    }

    private Outcome write(Path message, long revision, long compacted) {
        try {
            Files.writeString(message, "{\"revision\":" + revision + hash(revision, compacted) + "}");
            return new Outcome.Done("revision " + revision);
        } catch (IOException e) {
            return new Outcome.Failed("the result could not be written: " + e.getMessage());
        }
    }

    /// A ring with users gives it only to root.
    private String hash(long revision, long compacted) {
        try {
            var hash = etcd.hashKeys(route, revision, HASH);
            if (hash.compactRevision() < compacted && compacted <= revision) {
                etcd.compact(route, compacted, HASH);
                hash = etcd.hashKeys(route, revision, HASH);
            }
            return ",\"compactRevision\":" + hash.compactRevision() + ",\"hash\":" + hash.hash();
        } catch (GatewayException _) {
            return "";
        }
    }
}
