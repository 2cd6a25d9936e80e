package io.github.etcdgitops.ring.roll.v2;

import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Finding.Level;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.journal.MemberSettings;
import io.github.etcdgitops.state.member.MemberState;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Optional;
import java.util.stream.Stream;

/// What etcd's v2 API leaves behind, and what that means for an upgrade to 3.6, whose members end at it. Pure.
///
/// Records in the log: 3.3 and 3.4 write one whenever somebody asks for `/health`, also in a ring whose clients
/// never use that API. They are harmless once each member has a snapshot past them ([PassOldRecords]).
///
/// Keys: they are part of every snapshot, until somebody removes them. Only 3.3 serves that API.
public final class V2Data {
    private static final String REMEDY = "`ETCDCTL_API=2 etcdctl ls --recursive` lists them, and"
            + " `ETCDCTL_API=2 etcdctl rm --recursive KEY` removes one, with the etcdctl of etcd 3.3 or 3.4";

    /// The container that looks for keys.
    public static final String LOOKING = "v2-keys";

    /// What follows "the volume has".
    public static final String WAY_OUT = "keys of etcd's v2 API, with which members of 3.6 and later do not start."
            + " Nothing was restarted. A backup has no such keys: stop the clients, take a backup, and restore it in place or"
            + " into a ring of another name. The next run of the upgrade looks again";

    private V2Data() {}

    /// Whether its `etcdutl` tells keys of the v2 API, where the ring has passed old records.
    public static boolean findsKeys(EtcdVersion version) {
        return version.atLeast(3, 5, 18);
    }

    /// Whether the container says that it found some: it ends in the same way where it could not look.
    public static boolean meansKeys(String container, String said) {
        return container.equals(LOOKING)
                && (said.contains("detected custom content") || said.contains("detected custom v2 content"));
    }

    /// Whether members that move from one version to the other read a log that may have records they end at.
    public static boolean inTheWay(EtcdVersion former, EtcdVersion target) {
        return !readsNone(former) && readsNone(target);
    }

    private static boolean readsNone(EtcdVersion version) {
        return version.atLeast(3, 6, 0);
    }

    private static boolean writesNone(EtcdVersion version) {
        return version.atLeast(3, 5, 0);
    }

    /// Whether a member got the later version, which none does before this.
    public static boolean passedBefore(ClusterState fresh) {
        return fresh.ring().optional().stream()
                .flatMap(ring -> ring.members().stream())
                .flatMap(member -> member.status().optional().stream())
                .anyMatch(status -> readsNone(status.version()));
    }

    /// Whether the log has no record that a member could still read.
    public static boolean never(Journal journal) {
        return journal.past().v2RecordsUpTo().filter(index -> index == 0).isPresent();
    }

    /// What the members have applied; empty where one does not tell.
    public static Optional<LongSummaryStatistics> applied(ClusterState fresh) {
        return fresh.ring().optional().flatMap(ring -> ring.ofEach(MemberState.Status::appliedIndex));
    }

    /// The journal of a ring that was rolled to `target`, with the index that no record lies past. They end
    /// with the last member of 3.4 or earlier. Members that have started on 3.6 do not read any again.
    public static Journal rolled(Journal journal, MemberSettings target, ClusterState fresh) {
        var former = journal.applied().version();
        if (readsNone(former) || readsNone(target.version())) {
            return journal.withV2RecordsUpTo(Optional.of(0L));
        }
        return !writesNone(former) && writesNone(target.version())
                ? journal.withV2RecordsUpTo(applied(fresh).map(LongSummaryStatistics::getMax))
                : journal;
    }

    /// What a person should know before the members move from one version to the other.
    public static Optional<Finding> before(Journal journal, MemberSettings former, EtcdVersion target) {
        if (!inTheWay(former.version(), target) || never(journal)) {
            return Optional.empty();
        }
        boolean known = journal.past().v2RecordsUpTo().isPresent()
                || !writesNone(journal.applied().version());
        return Optional.of(new Finding(
                known ? Level.WARNING : Level.NOTE,
                FindingCode.V2_RECORDS,
                (known ? "the ring ran etcd 3.4 or earlier" : "the ring may have run etcd 3.4 or earlier")
                        + ". Its log can have records that members of " + target.minorName()
                        + " refuse. So the upgrade first writes up to "
                        + PassOldRecords.of(former).most()
                        + " transactions without effect, until every member has a snapshot past them. Keys of etcd's"
                        + " v2 API stay: with one, no member of " + target.minorName()
                        + " starts. So a Job then looks for them on the volume of a voter with `etcdutl check"
                        + " v2store`, and the upgrade stops before the first restart if there are any. Where no Job"
                        + " can look, the first member on " + target.minorName()
                        + " does not start with them, and the upgrade is taken back. " + REMEDY
                        + ", while the ring runs etcd 3.3"));
    }

    /// What the v2 API is used for, which the members serve until they leave 3.3. With an error, no newer version is
    /// planned.
    public static List<Finding> findings(Journal journal, ClusterState state, EtcdVersion wanted) {
        return Stream.of(keys(journal, state, wanted), clients(journal, state, wanted))
                .flatMap(Optional::stream)
                .toList();
    }

    /// Clients that write through the v2 API are cut off by the first step past 3.3, whether or not keys of theirs are
    /// left.
    private static Optional<Finding> clients(Journal journal, ClusterState state, EtcdVersion wanted) {
        long writes = state.ring().optional().map(ring -> ring.v2().writes()).orElse(0L);
        return writes > 0 && journal.applied().version().isOlderMinorThan(wanted)
                ? Optional.of(new Finding(
                        Level.WARNING,
                        FindingCode.V2_CLIENTS,
                        "since the members started, clients have written through etcd's v2 API"
                                + (writes == 1 ? "" : " " + writes + " times")
                                + ". From 3.4 on members do not serve it, so these clients fail"
                                + " from the first restart on. Let them use the v3 API before the upgrade"))
                : Optional.empty();
    }

    /// What stands against any newer version, because the API to remove it with is gone from 3.4 on. An upgrade to
    /// 3.6 or later does not leave 3.3 before the ring was asked.
    private static Optional<Finding> keys(Journal journal, ClusterState state, EtcdVersion wanted) {
        var former = journal.applied().version();
        var seenAt = journal.past().v2().keysAt().filter(_ -> inTheWay(former, wanted));
        if (seenAt.isPresent()) {
            return Optional.of(new Finding(
                    Level.WARNING, FindingCode.V2_KEYS, "at " + seenAt.get() + ", a volume had " + WAY_OUT));
        }
        if (former.hasLearners() || !former.isOlderMinorThan(wanted)) {
            return Optional.empty();
        }
        var seen = state.ring().optional().flatMap(ring -> ring.v2().keys());
        boolean held = readsNone(wanted);
        if (seen.isEmpty()) {
            return held
                    ? Optional.of(new Finding(
                            Level.ERROR,
                            FindingCode.V2_KEYS,
                            "the ring does not tell whether it has keys of etcd's v2 API, with which members of 3.6"
                                    + " and later do not start. Ask for a release of 3.5 to upgrade without an answer"))
                    : Optional.empty();
        }
        return seen.get()
                ? Optional.of(new Finding(
                        held ? Level.ERROR : Level.WARNING,
                        FindingCode.V2_KEYS,
                        "the ring has keys of etcd's v2 API. Members of 3.6 and later do not start with them, and"
                                + " from 3.4 on the ring does not serve that API any more. Remove them before the"
                                + " upgrade: " + REMEDY))
                : Optional.empty();
    }
}
