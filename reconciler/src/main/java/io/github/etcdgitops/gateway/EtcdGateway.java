package io.github.etcdgitops.gateway;

import io.github.etcdgitops.spec.EtcdVersion;
import io.github.etcdgitops.state.EtcdId;
import io.github.etcdgitops.state.MemberState;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;

/// etcd as the product uses it, one endpoint a call: a client over several endpoints would hide which one
/// answered. Every call ends within its deadline, a dead endpoint included, and throws
/// [GatewayException].
///
/// Calls that change membership cannot be fenced and must not be repeated blindly: after
/// `mayHaveHappened`, look at the member list first.
public interface EtcdGateway extends AutoCloseable {
    /// The endpoint's own view. The answering member's status is filled in; the others' is Unknown.
    View probe(MemberAccess.Route route, Duration deadline);

    /// Servers before 3.4 silently add a voter: ask the lowest running version first.
    EtcdId addLearner(MemberAccess.Route route, String peerUrl, Duration deadline);

    EtcdId addVoter(MemberAccess.Route route, String peerUrl, Duration deadline);

    /// Returns false, without an exception, when the leader says that the learner has not caught up yet.
    boolean promote(MemberAccess.Route route, EtcdId learner, Duration deadline);

    void removeMember(MemberAccess.Route route, EtcdId member, Duration deadline);

    /// Must go to the leader itself.
    void moveLeader(MemberAccess.Route leader, EtcdId target, Duration deadline);

    /// Streams the member's own database to `sink`, on the calling thread and in order; the last 32
    /// bytes are the SHA-256 of all before them. Any member that has started gives one, without quorum
    /// too (a learner from 3.5 on). TIMEOUT when nothing came for as long as `stall`; however long the
    /// sink takes does not count. A sink's exception ends the call at the server as well, and is thrown
    /// as it is.
    void snapshot(MemberAccess.Route route, Duration stall, SnapshotSink sink) throws IOException;

    /// etcd's hash over all keys up to `revision`, of the member itself; 0 is its newest. REJECTED when
    /// the revision is compacted or still to come.
    KeyHash hashKeys(MemberAccess.Route route, long revision, Duration deadline);

    /// The version that the members have agreed on for the ring as a whole, its patch always 0: the
    /// line of the oldest member.
    EtcdVersion clusterVersion(MemberAccess.Route route, Duration deadline);

    /// How many keys the member has at `revision`, by itself and without reading one of them.
    long countKeys(MemberAccess.Route route, long revision, Duration deadline);

    @Override
    void close();

    /// Takes a snapshot piece by piece; a piece is valid during the call only.
    @FunctionalInterface
    interface SnapshotSink {
        void accept(ByteBuffer piece) throws IOException;
    }

    /// Comparable between members where `compactRevision` is the same. `revision` is the one that was
    /// hashed.
    record KeyHash(long revision, long compactRevision, long hash) {}

    /// `self` is the answering member. `members` is empty when a learner answers: it serves its status
    /// and no list. `alarms` read like `NOSPACE 8e9e05c52164694d`.
    record View(
            EtcdId clusterId, EtcdId self, List<MemberState> members, MemberState.Status status, List<String> alarms) {
        public View {
            members = List.copyOf(members);
            alarms = List.copyOf(alarms);
        }
    }
}
