package io.github.etcdgitops.gateway;

import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.member.MemberState;
import io.github.etcdgitops.state.value.EtcdId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

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

    /// Replaces all peer URLs of a member. IllegalArgumentException, before anything is sent, when
    /// [PeerUrls] does not take them. The members dial a new URL only when a connection is to be made:
    /// those that are open stay.
    void updatePeerUrls(MemberAccess.Route route, EtcdId member, List<String> urls, Duration deadline);

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
    /// line of the oldest member. Asked at [MemberAccess.Door#METRICS].
    EtcdVersion clusterVersion(MemberAccess.Route metrics, Duration deadline);

    /// How the member is connected with its peers. Asked at [MemberAccess.Door#METRICS]. Empty where the
    /// server does not tell, which is all before 3.4; a newer one that is connected with nobody gives
    /// empty sets.
    ///
    /// It is the asked member's side alone, and of the connections there are, not of the URLs listed:
    /// after a change of peer URLs it says something only once the member has been restarted. A member
    /// that dials us and that we cannot dial may show for a moment: look more than once.
    Optional<PeerConnections> connections(MemberAccess.Route metrics, Duration deadline);

    /// Whether the port behind a route serves whoever comes in this manner. TIMEOUT when nothing was
    /// heard, UNREACHABLE when there is no way to the member, UNAUTHORIZED when nothing is known of the
    /// ring's CA that TLS could be checked against: none of them is an answer.
    ///
    /// A request over HTTP it is: that a port serves plain text does not prove that it serves gRPC so.
    /// Where both kinds have one port, etcd before 3.4.25 and 3.5.8 does by chance, start by start. At
    /// the peers' door a server may hold our address against the names in our certificate; one without
    /// names is taken.
    Answer knock(MemberAccess.Route route, Manner manner, Duration deadline);

    /// The same over TLS with this certificate, and with trust in these CAs, instead of ours.
    Answer knock(MemberAccess.Route route, RingSecrets.Content shown, Duration deadline);

    /// The newest revision that the member has.
    long revision(MemberAccess.Route route, Duration deadline);

    /// The newest revision that the ring as a whole has: a linearizable read, which a majority answers for. TIMEOUT
    /// where the asked member has no majority, or lags so much that it does not catch up within the deadline.
    long ringRevision(MemberAccess.Route route, Duration deadline);

    /// Forgets what was before the revision, in the ring as a whole, and returns when the asked member
    /// has freed it in its file. Also where that is forgotten already, by whomever: then it only waits
    /// for the member. REJECTED when the revision is still to come.
    void compact(MemberAccess.Route route, long revision, Duration deadline);

    /// Has the member, and no other, write its file anew without the free space. It answers nobody until
    /// it is done. After `mayHaveHappened` it may be at it still: etcd does not stop where nobody waits.
    void defragment(MemberAccess.Route route, Duration deadline);

    /// Takes back the alarm that this member is out of space, in the ring as a whole; also where there is
    /// none.
    void disarmNoSpace(MemberAccess.Route route, EtcdId member, Duration deadline);

    /// The same of the alarm that data differs. From 3.4 on the ID is 0.
    void disarmCorrupt(MemberAccess.Route route, EtcdId member, Duration deadline);

    /// Has a write agreed on that is never made, so that no key and no revision comes of it. REJECTED
    /// where the ring, or the asked member by itself, is out of space.
    void proveWrite(MemberAccess.Route route, Duration deadline);

    /// How many keys the member has at `revision`, by itself and without reading one of them.
    long countKeys(MemberAccess.Route route, long revision, Duration deadline);

    @Override
    void close();

    /// Takes a snapshot piece by piece; a piece is valid during the call only.
    @FunctionalInterface
    interface SnapshotSink {
        void accept(ByteBuffer piece) throws IOException;
    }

    /// How to knock. With TLS the server's certificate is checked, against the ring's CA and for
    /// [MemberAccess.Route#authority()].
    enum Manner {
        PLAIN,
        TLS_WITHOUT_CERTIFICATE,
        /// Ours is shown, if we have one.
        TLS
    }

    /// What came of a knock.
    sealed interface Answer {
        /// The server answered a request. `certificateEnds` is when its certificate does: over TLS only.
        record Served(Optional<Instant> certificateEnds) implements Answer {}

        /// Nobody listens there, or whoever does refused us, or we refused its certificate.
        record Refused(String why) implements Answer {}
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
