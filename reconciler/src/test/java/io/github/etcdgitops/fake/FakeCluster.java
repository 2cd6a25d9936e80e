package io.github.etcdgitops.fake;

import static io.github.etcdgitops.gateway.GatewayException.Kind.CONFLICT;
import static io.github.etcdgitops.gateway.GatewayException.Kind.NOT_FOUND;
import static io.github.etcdgitops.gateway.GatewayException.Kind.REJECTED;
import static io.github.etcdgitops.gateway.GatewayException.Kind.TIMEOUT;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.PeerConnections;
import io.github.etcdgitops.gateway.PeerConnections.Heard;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.health.Quorum;
import io.github.etcdgitops.state.member.Alarm;
import io.github.etcdgitops.state.value.EtcdId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// What the processes of one etcd cluster agree on: members, leader and log. Membership is one truth
/// for all of them; logs are a number each, the entries up to which a disk has them.
///
/// Entries go to the smallest majority that etcd may acknowledge with, a different one each time, so
/// that whoever takes one disk too many loses something.
final class FakeCluster {
    /// etcd counts a peer as connected only after this long.
    static final int CONNECTED_AFTER = 5;

    final FakeRing ring;
    final EtcdId id;
    final Map<EtcdId, FakeMember> members = new LinkedHashMap<>();
    final TreeSet<EtcdId> removed = new TreeSet<>();
    final TreeSet<Alarm> alarms = new TreeSet<>();
    FakeMember leader;
    /// Whom learners name for good once there is none any more.
    private Optional<EtcdId> formerLeader = Optional.empty();
    long term = 1;
    /// The newest entry that a client was told is safe.
    long acknowledged;
    /// Replaced where a snapshot is restored.
    FakeKeys keys = new FakeKeys();
    /// Likewise.
    FakeUsers users = new FakeUsers();

    /// The line that the members have agreed on; null before the first time. It goes down for a downgrade only.
    EtcdVersion version;

    /// Clients write nothing, and whoever joins gets a snapshot.
    boolean idle;
    /// The tick of the last entry that somebody asked for.
    private long agreed = -1;

    final FakeDowngrade downgrade = new FakeDowngrade(this);
    final FakeOldRecords oldRecords = new FakeOldRecords(this);

    FakeCluster(FakeRing ring, EtcdId id) {
        this.ring = ring;
        this.id = id;
    }

    List<FakeMember> voters() {
        var voters = new ArrayList<FakeMember>(members.size());
        for (var member : members.values()) {
            if (member.voter()) {
                voters.add(member);
            }
        }
        return voters;
    }

    FakeMember add(EtcdId memberId, String peerUrl) {
        var member = new FakeMember(this, memberId, peerUrl);
        members.put(memberId, member);
        return member;
    }

    Optional<FakeMember> byUrl(String url) {
        return members.values().stream().filter(m -> m.peerUrls.contains(url)).findFirst();
    }

    Optional<FakeMember> byOrdinal(int ordinal) {
        return members.values().stream().filter(m -> m.ordinal == ordinal).findFirst();
    }

    boolean quorumUp() {
        int voters = 0;
        int up = 0;
        for (var member : members.values()) {
            voters += member.voter() ? 1 : 0;
            up += member.voter() && member.up() ? 1 : 0;
        }
        return up >= Quorum.of(voters);
    }

    /// The others that it is connected with, and how often it noted what came of calling them. Whoever is
    /// mistaken takes the first of the others for lost. From 3.5 on, whoever is cut off stays connected.
    PeerConnections connectionsOf(FakeMember self, long tick) {
        var others = members.values().stream()
                .filter(m -> m != self && m.up() && self.up())
                .toList();
        boolean patient = self.version.atLeast(3, 5, 0);
        var active = members.values().stream()
                .filter(m -> m != self && (patient ? m.running && self.running : others.contains(m)))
                .filter(self::finds)
                .map(m -> m.id)
                .skip(ring.mistaken.contains(self.ordinal) ? 1 : 0)
                .collect(Collectors.toSet());
        var probes = members.values().stream().filter(m -> m != self).collect(Collectors.toMap(m -> m.id, m -> {
            long met = tick - Math.max(m.upSince, self.upSince);
            return ring.noProbes ? 0L : 2 * (others.contains(m) && self.finds(m) ? met / 30 : tick / 5);
        }));
        return new PeerConnections(active, probes);
    }

    /// Heartbeats and their answers; whoever is cut off has heard something once.
    Heard heardBy(FakeMember self, long tick) {
        boolean leads = leader == self && self.led();
        var bytes = members.values().stream()
                .filter(m -> m != self)
                .collect(Collectors.toMap(m -> m.id, m -> self.up() && m.up() && (leads || m == leader) ? tick : 0L));
        return new Heard(bytes, leads, term);
    }

    /// Voters that cannot take part now.
    List<FakeMember> down() {
        return voters().stream().filter(m -> !m.up()).toList();
    }

    boolean leads() {
        return leader != null && leader.voter() && leader.up() && members.containsKey(leader.id) && quorumUp();
    }

    Optional<EtcdId> lastLeader() {
        return leader == null ? formerLeader : Optional.of(leader.id);
    }

    /// A candidate needs a majority whose logs are no longer than its own; the lowest ordinal stands
    /// first. Returns how many acknowledged entries the new leader does not have.
    long elect() {
        if (leads()) {
            return 0;
        }
        formerLeader = lastLeader();
        leader = null;
        if (!quorumUp()) {
            return 0;
        }
        var up = voters().stream().filter(FakeMember::up).toList();
        int needed = Quorum.of(voters().size());
        leader = up.stream()
                .sorted(Comparator.comparingInt(m -> m.ordinal < 0 ? Integer.MAX_VALUE : m.ordinal))
                .filter(c -> up.stream().filter(v -> v.log() <= c.log()).count() >= needed)
                .findFirst()
                .orElseThrow();
        term++;
        members.values().forEach(m -> m.matched = false);
        up.forEach(v -> v.dir.log = Math.min(v.log(), leader.log()));
        long lost = Math.max(0, acknowledged - leader.log());
        acknowledged = Math.min(acknowledged, leader.log());
        return lost;
    }

    /// Whom the leader reaches gets what it lacks with the next heartbeat, also where nobody may write.
    void catchUp() {
        if (leads() && !alarms.isEmpty()) {
            voters().stream()
                    .filter(m -> m.up() && m.dir != null)
                    .forEach(m -> m.dir.log = Math.max(m.log(), leader.log()));
        }
    }

    void agree(long tick) {
        agreed = tick;
    }

    /// From 3.6 on, whoever has just got a snapshot takes itself to be behind until the next entry, and does not
    /// publish its name (seen on 3.6.14).
    boolean waitsForEntry(FakeMember member) {
        return idle && !member.published && member.version.atLeast(3, 6, 0) && agreed <= member.upSince;
    }

    /// One more entry, on the leader and on as few others as will do.
    long append() {
        long entry = leader.log() + 1;
        leader.dir.log = entry;
        var others = voters().stream().filter(m -> m.up() && m != leader).toList();
        int copies = Quorum.of(voters().size()) - 1;
        for (int i = 0; i < copies; i++) {
            others.get((int) ((entry + i) % others.size())).dir.log = entry;
        }
        for (var member : members.values()) {
            if (member.learner && member.up() && member.matched) {
                member.dir.log = entry - 1;
            }
        }
        return entry;
    }

    /// The adapter refuses a learner at an endpoint before 3.4. A newer endpoint of a ring that still
    /// runs 3.3 elsewhere is not asked for that, and adds a voter without a word.
    EtcdId addMember(EtcdId newId, String peerUrl, boolean learner, FakeMember asked, long tick) {
        if (learner && !asked.version.hasLearners()) {
            throw refused("this etcd has no learners and would add a voter");
        }
        requireLeader(asked);
        boolean asLearner = learner && lowestVersion().hasLearners();
        if (!asLearner && !enoughStartedToAdd(false)) {
            throw refused("re-configuration failed due to not enough started members");
        }
        if (connected(asked, tick) < voters().size()) {
            throw refused("unhealthy cluster");
        }
        if (byUrl(peerUrl).isPresent()) {
            throw new GatewayException(CONFLICT, false, "etcd refuses: peer URL already exists");
        }
        if (asLearner && members.values().stream().anyMatch(m -> m.learner)) {
            throw refused("too many learner members in cluster");
        }
        append();
        add(newId, peerUrl).learner = asLearner;
        return newId;
    }

    /// False when the leader says that the learner has not caught up. As in etcd, one that caught up
    /// and died passes.
    boolean promote(EtcdId memberId, FakeMember asked) {
        requireLeader(asked);
        var member = find(memberId);
        if (!member.learner) {
            throw new GatewayException(CONFLICT, false, "etcd refuses: the member is already a voter");
        }
        if (!member.matched) {
            return false;
        }
        if (!enoughStartedToAdd(true)) {
            throw refused("re-configuration failed due to not enough started members");
        }
        append();
        member.learner = false;
        return true;
    }

    FakeMember remove(EtcdId memberId, FakeMember asked, long tick) {
        requireLeader(asked);
        var member = find(memberId);
        if (member.voter()) {
            var rest = voters().stream().filter(v -> v != member).toList();
            long started = rest.stream().filter(v -> !v.name.isEmpty()).count();
            if (rest.isEmpty() || started < Quorum.of(rest.size())) {
                throw refused("re-configuration failed due to not enough started members");
            }
            if (member.up() && connected(asked, tick) - 1 < Quorum.of(rest.size())) {
                throw refused("unhealthy cluster");
            }
        }
        append();
        members.remove(memberId);
        removed.add(memberId);
        member.running = false;
        return member;
    }

    /// Without any look at the URLs, as in etcd, but that none is another member's.
    FakeMember update(EtcdId memberId, List<String> urls, FakeMember asked) {
        requireLeader(asked);
        var member = find(memberId);
        if (urls.stream().flatMap(url -> byUrl(url).stream()).anyMatch(owner -> owner != member)) {
            throw new GatewayException(CONFLICT, false, "etcd refuses: peer URL already exists");
        }
        append();
        member.peerUrls = List.copyOf(urls);
        return member;
    }

    void moveLeader(EtcdId target, FakeMember asked) {
        requireLeader(asked);
        if (asked != leader) {
            throw refused("not leader");
        }
        var member = find(target);
        if (member.learner || !member.up()) {
            throw refused("bad leader transferee");
        }
        member.dir.log = leader.log();
        leader = member;
        term++;
    }

    /// Only while every member answers: of one that does not, nobody knows the version.
    void raiseVersion() {
        if (downgrade.target == null && members.values().stream().allMatch(FakeMember::up)) {
            version = lowestVersion().line();
        }
        downgrade.tick();
        oldRecords.tick();
    }

    /// A process of an earlier line than the ring's, or than that of its data, refuses to start.
    boolean tooNewFor(EtcdVersion process, FakeRing.DataDir data) {
        return (version != null && process.isOlderMinorThan(version))
                || (data != null && data.storage != null && process.isOlderMinorThan(data.storage));
    }

    /// A process of a later line refuses to start on what earlier ones have left.
    boolean tooOldFor(EtcdVersion process, FakeRing.DataDir data) {
        return oldRecords.end(process, data);
    }

    /// The lowest version that runs: what the cluster as a whole can do.
    private EtcdVersion lowestVersion() {
        return members.values().stream()
                .filter(FakeMember::up)
                .map(m -> m.version)
                .min(Comparator.naturalOrder())
                .orElseThrow();
    }

    private boolean enoughStartedToAdd(boolean newcomerStarted) {
        var voters = voters();
        long started = voters.stream().filter(v -> !v.name.isEmpty()).count();
        if (!newcomerStarted && started == 1 && voters.size() == 1) {
            return true;
        }
        return started + (newcomerStarted ? 1 : 0) >= Quorum.of(voters.size() + 1);
    }

    private long connected(FakeMember asked, long tick) {
        boolean mistaken = ring.mistaken.contains(asked.ordinal);
        return voters().stream()
                .skip(mistaken ? 1 : 0)
                .filter(v -> v == asked || (v.up() && Math.max(v.upSince, asked.upSince) + CONNECTED_AFTER <= tick))
                .count();
    }

    private FakeMember find(EtcdId memberId) {
        var member = members.get(memberId);
        if (member == null) {
            throw new GatewayException(NOT_FOUND, false, "etcd knows no member " + memberId);
        }
        return member;
    }

    void requireLeader(FakeMember asked) {
        if (asked != null && asked.learner) {
            throw refused("rpc not supported for learner");
        }
        if (!leads()) {
            throw new GatewayException(TIMEOUT, true, "etcd did not answer in time: no leader");
        }
    }

    static GatewayException refused(String why) {
        return new GatewayException(REJECTED, false, "etcd refuses: " + why);
    }
}
