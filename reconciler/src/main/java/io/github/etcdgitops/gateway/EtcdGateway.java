package io.github.etcdgitops.gateway;

import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.member.Alarm;
import io.github.etcdgitops.state.member.MemberState;
import io.github.etcdgitops.state.member.SettingsInUse;
import io.github.etcdgitops.state.value.EtcdId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// etcd as this program uses it, one endpoint per call: a client over several endpoints would hide which
/// one answered. Every call ends within its deadline, even for a dead endpoint, and throws
/// [GatewayException].
///
/// Calls that change membership cannot be fenced and must not be repeated blindly: after `mayHaveHappened`,
/// check the member list first.
public interface EtcdGateway extends AutoCloseable {
    /// The endpoint's own view. It contains the answering member's status; that of the others is Unknown.
    View probe(MemberAccess.Route route, Duration deadline);

    /// Servers before 3.4 silently add a voter: check the lowest running version first.
    EtcdId addLearner(MemberAccess.Route route, String peerUrl, Duration deadline);

    EtcdId addVoter(MemberAccess.Route route, String peerUrl, Duration deadline);

    /// Returns false, without an exception, when the leader says that the learner has not caught up yet. Ask the
    /// leader itself: with authentication, a follower passes it on without our identity, and the leader refuses it.
    boolean promote(MemberAccess.Route route, EtcdId learner, Duration deadline);

    void removeMember(MemberAccess.Route route, EtcdId member, Duration deadline);

    /// Replaces all peer URLs of a member. IllegalArgumentException, before anything is sent, when
    /// [PeerUrls] rejects them. The members use a new URL only for their next connection: open connections
    /// stay.
    void updatePeerUrls(MemberAccess.Route route, EtcdId member, List<String> urls, Duration deadline);

    /// Must go to the leader itself.
    void moveLeader(MemberAccess.Route leader, EtcdId target, Duration deadline);

    /// Streams the member's own database to `sink`, on the calling thread and in order; the last 32 bytes
    /// are the SHA-256 of all before them. Any member that has started can give one, also without quorum (a
    /// learner from 3.5 on). TIMEOUT when nothing came for `stall`; the time that the sink takes does not
    /// count. A sink's exception also ends the call at the server, and is thrown unchanged.
    void snapshot(MemberAccess.Route route, Duration stall, SnapshotSink sink) throws IOException;

    /// The member's own etcd hash over all keys up to `revision`; 0 means its newest. REJECTED when the
    /// revision is compacted or in the future.
    KeyHash hashKeys(MemberAccess.Route route, long revision, Duration deadline);

    /// The cluster version that the members have agreed on, its patch always 0: the minor version of the
    /// oldest member. Read at [MemberAccess.Door#METRICS].
    EtcdVersion clusterVersion(MemberAccess.Route metrics, Duration deadline);

    /// The member's connections with its peers. Read at [MemberAccess.Door#METRICS]. Empty where the server
    /// does not report them, as all before 3.4; a newer one without connections gives empty sets.
    ///
    /// It shows only the asked member's side, and existing connections, not listed URLs: after a change of
    /// peer URLs it is meaningful only once the member has restarted. A member that can reach us and that
    /// we cannot reach may appear for a moment: check more than once.
    Optional<PeerConnections> connections(MemberAccess.Route metrics, Duration deadline);

    /// What the member has heard from its peers since its start. Read at [MemberAccess.Door#METRICS].
    PeerConnections.Heard heard(MemberAccess.Route metrics, Duration deadline);

    /// The settings that the member runs with, as far as it tells. Read at [MemberAccess.Door#METRICS].
    SettingsInUse settings(MemberAccess.Route metrics, Duration deadline);

    /// Whether the port behind a route serves callers that come in this manner. TIMEOUT when nothing was
    /// received, UNREACHABLE when the member cannot be reached, UNAUTHORIZED when no CA of the ring is
    /// known to check TLS against: none of them is an answer.
    ///
    /// It sends an HTTP request: if a port serves plain text over HTTP, that does not prove that it serves
    /// plain gRPC. Where both kinds share one port, etcd before 3.4.25 and 3.5.8 does so by chance,
    /// differently at each start. At the peers' port a server may compare our address with the names in our
    /// certificate; a certificate without names is accepted.
    Answer knock(MemberAccess.Route route, Manner manner, Duration deadline);

    /// The same over TLS with this certificate and these trusted CAs, instead of ours.
    Answer knock(MemberAccess.Route route, RingSecrets.Content shown, Duration deadline);

    /// The newest revision of this member.
    long revision(MemberAccess.Route route, Duration deadline);

    /// The same, as the member shows it to everybody. Read at [MemberAccess.Door#METRICS], or where clients are
    /// served in plain text. REJECTED where it shows none.
    long shownRevision(MemberAccess.Route metrics, Duration deadline);

    /// The newest revision of the ring as a whole: a linearizable read, confirmed by a majority. TIMEOUT
    /// where the asked member has no majority, or lags so much that it does not catch up within the
    /// deadline.
    long ringRevision(MemberAccess.Route route, Duration deadline);

    /// Compacts the ring before the revision, and returns when the asked member has freed the space in its
    /// file. If it is already compacted, by anyone, it only waits for the member. REJECTED when the
    /// revision is in the future.
    void compact(MemberAccess.Route route, long revision, Duration deadline);

    /// Defragments this member, and no other. It does not answer until it is done. After `mayHaveHappened`
    /// it may still be running: etcd does not stop when the caller stops waiting.
    void defragment(MemberAccess.Route route, Duration deadline);

    /// Disarms the alarm that this member is out of space, in the ring as a whole; no error where there is
    /// none.
    void disarmNoSpace(MemberAccess.Route route, EtcdId member, Duration deadline);

    /// The same for the alarm that data differs. From 3.4 on the ID is 0.
    void disarmCorrupt(MemberAccess.Route route, EtcdId member, Duration deadline);

    /// Has the ring agree on a write that takes no effect, so that it changes no key and no revision.
    /// REJECTED where the ring, or the asked member itself, is out of space.
    void proveWrite(MemberAccess.Route route, Duration deadline);

    /// The same, `count` times and several at a time: each adds one entry to the ring's log. It may make fewer,
    /// and must not be counted on: what members have applied tells.
    void writeNothing(MemberAccess.Route route, int count, Duration deadline);

    /// Whether clients find keys of etcd's v2 API at this member, hidden ones aside. REJECTED where it does not
    /// serve that API, or asks for a password.
    boolean hasV2Keys(MemberAccess.Route route, Duration deadline);

    /// How often clients have written through etcd's v2 API at this member since it started. Read at
    /// [MemberAccess.Door#METRICS]. 0 where it does not serve that API.
    long v2Writes(MemberAccess.Route metrics, Duration deadline);

    /// Announces to the ring that its members will run the minor version `target` next: the one before
    /// theirs. etcd checks that, then lowers the cluster version, and each member rewrites its data for it.
    /// Refused by servers before 3.6, while a downgrade is announced, and for any other minor version.
    /// Whether the members are ready is in their [MemberState.Storage].
    void startDowngrade(MemberAccess.Route route, EtcdVersion target, Duration deadline);

    /// Cancels the announced downgrade; no error where there is none. etcd answers that it is done even where
    /// it failed: check [MemberState.Storage] afterwards.
    void cancelDowngrade(MemberAccess.Route route, Duration deadline);

    /// How many keys the member itself has at `revision`, without reading any of them.
    long countKeys(MemberAccess.Route route, long revision, Duration deadline);

    /// The users and roles of the ring.
    RingUsers users();

    @Override
    void close();

    /// Receives a snapshot piece by piece; a piece is valid during the call only.
    @FunctionalInterface
    interface SnapshotSink {
        void accept(ByteBuffer piece) throws IOException;
    }

    /// How to call the port. With TLS the server's certificate is checked, against the ring's CA and for
    /// [MemberAccess.Route#authority()].
    enum Manner {
        PLAIN,
        TLS_WITHOUT_CERTIFICATE,
        /// We show our certificate, if we have one.
        TLS
    }

    /// The result of a call.
    sealed interface Answer {
        /// The server answered a request. `certificateEnds` is when its certificate expires: over TLS only.
        record Served(Optional<Instant> certificateEnds) implements Answer {}

        /// The connection was refused, or the server refused us, or we refused its certificate.
        record Refused(String why) implements Answer {}
    }

    /// Comparable between members where `compactRevision` is the same. `revision` is the hashed one.
    record KeyHash(long revision, long compactRevision, long hash) {}

    /// `self` is the answering member. `members` is empty when a learner answers: it serves its status and
    /// no list.
    record View(
            EtcdId clusterId, EtcdId self, List<MemberState> members, MemberState.Status status, List<Alarm> alarms) {
        public View {
            members = List.copyOf(members);
            alarms = List.copyOf(alarms);
        }
    }
}
