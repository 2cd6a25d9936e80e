package io.github.etcdgitops.fake;

import io.github.etcdgitops.certificate.Leaf;
import io.github.etcdgitops.fake.FakeAccess.FakeRoute;
import io.github.etcdgitops.fake.Oracle.Harm;
import io.github.etcdgitops.gateway.EtcdGateway;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.RootUnusable;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.gateway.PeerConnections;
import io.github.etcdgitops.gateway.PeerConnections.Heard;
import io.github.etcdgitops.gateway.PeerUrls;
import io.github.etcdgitops.gateway.RingSecrets;
import io.github.etcdgitops.gateway.RingUsers;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.auth.AuthChange;
import io.github.etcdgitops.state.auth.AuthState;
import io.github.etcdgitops.state.auth.AuthStatus;
import io.github.etcdgitops.state.auth.RootPassword;
import io.github.etcdgitops.state.member.Alarm;
import io.github.etcdgitops.state.member.MemberState;
import io.github.etcdgitops.state.member.SettingsInUse;
import io.github.etcdgitops.state.value.EtcdId;
import io.github.etcdgitops.state.value.Observed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/// The etcd processes of a [FakeWorld], one endpoint a call. A call that gets no answer lasts until its
/// deadline. Calls that a ring's authentication forbids to the caller are refused as etcd does it.
final class FakeEtcd implements EtcdGateway, RingUsers {
    private static final long ENTRIES_BEFORE = 1000;
    private static final int PIECE = 1000;
    private static final EtcdVersion LATEST = new EtcdVersion(3, 7, 1);

    private final FakeWorld world;
    private final Caller caller;

    FakeEtcd(FakeWorld world, Caller caller) {
        this.world = world;
        this.caller = caller;
    }

    @Override
    public View probe(MemberAccess.Route route, Duration deadline) {
        var to = (FakeRoute) route;
        var ring = world.ring(to.ref());
        return world.call(ring, () -> {
            ring.sight.unseenFaults.remove(to.ordinal());
            ring.sight.unseenEvictions.remove(to.ordinal());
            ring.sight.failedProbes.add(to.ordinal());
            var self = served(reach(ring, to, deadline, false), to);
            admit(FakeRight.STATUS, self, to);
            if (self.voter()) {
                admit(FakeRight.MEMBER_LIST, self, to);
            }
            var view = view(self);
            ring.sight.failedProbes.remove(to.ordinal());
            return view;
        });
    }

    /// A learner serves no member list.
    private static View view(FakeMember self) {
        var cluster = self.cluster;
        var status = status(self);
        List<MemberState> members = self.learner
                ? List.of()
                : cluster.members.values().stream()
                        .map(m -> state(m, m == self ? Observed.known(status) : Observed.unknown("not asked")))
                        .toList();
        return new View(cluster.id, self.id, members, status, List.copyOf(cluster.alarms));
    }

    private static MemberState.Status status(FakeMember self) {
        var cluster = self.cluster;
        long applied = ENTRIES_BEFORE + self.log() - cluster.ring.lag.getOrDefault(self.ordinal, 0L);
        return FakeSpace.status(self, self.version, applied, List.copyOf(cluster.alarms));
    }

    private static MemberState state(FakeMember member, Observed<MemberState.Status> status) {
        return new MemberState(
                member.id,
                member.name,
                member.peerUrls,
                member.published ? List.of(member.peerUrl.replace(":2380", ":2379")) : List.of(),
                member.learner,
                status);
    }

    @Override
    public EtcdId addLearner(MemberAccess.Route route, String peerUrl, Duration deadline) {
        return add(route, peerUrl, true, deadline);
    }

    @Override
    public EtcdId addVoter(MemberAccess.Route route, String peerUrl, Duration deadline) {
        return add(route, peerUrl, false, deadline);
    }

    private EtcdId add(MemberAccess.Route route, String peerUrl, boolean learner, Duration deadline) {
        var ring = world.ring(((FakeRoute) route).ref());
        String what = (learner ? "add learner " : "add voter ") + peerUrl;
        return change(route, what, FakeRight.ROOT, deadline, asked -> {
            world.oracle().needsMembers(ring, what, ring.ordinalOfUrl(peerUrl));
            return asked.cluster.addMember(world.nextId(), peerUrl, learner, asked, world.ticks());
        });
    }

    @Override
    public boolean promote(MemberAccess.Route route, EtcdId learner, Duration deadline) {
        return change(route, "promote " + learner, FakeRight.ROOT, deadline, asked -> {
            touches(asked.cluster, "promote", learner);
            return asked.cluster.promote(learner, asked);
        });
    }

    @Override
    public void removeMember(MemberAccess.Route route, EtcdId member, Duration deadline) {
        change(route, "remove " + member, FakeRight.ROOT, deadline, asked -> {
            var cluster = asked.cluster;
            touches(cluster, "remove", member);
            world.oracle()
                    .needsTruth(cluster.ring, "remove " + member, Optional.ofNullable(cluster.members.get(member)));
            return cluster.remove(member, asked, world.ticks());
        });
    }

    @Override
    public void updatePeerUrls(MemberAccess.Route route, EtcdId member, List<String> urls, Duration deadline) {
        PeerUrls.parse(urls);
        change(route, "peer URLs of " + member, FakeRight.ROOT, deadline, asked -> {
            touches(asked.cluster, "update", member);
            return asked.cluster.update(member, urls, asked);
        });
    }

    @Override
    public void moveLeader(MemberAccess.Route leader, EtcdId target, Duration deadline) {
        change(leader, "move leader to " + target, FakeRight.LEAD, deadline, asked -> {
            asked.cluster.moveLeader(target, asked);
            return target;
        });
    }

    @Override
    public void snapshot(MemberAccess.Route route, Duration stall, SnapshotSink sink) throws IOException {
        byte[] content = look(route, FakeRight.ROOT, stall, self -> {
            if (self.learner && !self.version.atLeast(3, 5, 0)) {
                throw new GatewayException(GatewayException.Kind.REJECTED, false, "a learner gives no snapshot");
            }
            long own = own(self);
            var cluster = self.cluster;
            return new FakeSnapshot(own, cluster.keys.keys(own), hash(self, own), cluster.users.lines()).bytes();
        });
        for (int from = 0; from < content.length; from += PIECE) {
            int size = Math.min(PIECE, content.length - from);
            sink.accept(ByteBuffer.wrap(content, from, size).slice().asReadOnlyBuffer());
        }
    }

    @Override
    public KeyHash hashKeys(MemberAccess.Route route, long revision, Duration deadline) {
        if (route instanceof FakeAccess.ToPod(var pod, int unused)) {
            var keys = served(pod);
            return new KeyHash(revision == 0 ? keys.revision() : revision, keys.compacted(), keys.hash(revision));
        }
        return look(route, FakeRight.ROOT, deadline, self -> {
            if (self.cluster.ring.hashless.contains(self.ordinal)) {
                throw new GatewayException(GatewayException.Kind.TIMEOUT, false, "no hash in time");
            }
            var keys = self.cluster.keys;
            long asked = revision == 0 ? own(self) : revision;
            return new KeyHash(asked, keys.compacted(), hash(self, asked));
        });
    }

    @Override
    public EtcdVersion clusterVersion(MemberAccess.Route metrics, Duration deadline) {
        return figures(metrics, deadline, self -> {
            if (self.cluster.version == null) {
                throw new GatewayException(GatewayException.Kind.REJECTED, false, "not agreed on yet");
            }
            return self.cluster.version;
        });
    }

    @Override
    public Optional<PeerConnections> connections(MemberAccess.Route metrics, Duration deadline) {
        return figures(
                metrics,
                deadline,
                self -> self.version.atLeast(3, 4, 0)
                        ? Optional.of(self.cluster.connectionsOf(self, world.ticks()))
                        : Optional.empty());
    }

    @Override
    public Heard heard(MemberAccess.Route metrics, Duration deadline) {
        return figures(metrics, deadline, self -> self.cluster.heardBy(self, world.ticks()));
    }

    @Override
    public SettingsInUse settings(MemberAccess.Route metrics, Duration deadline) {
        return figures(metrics, deadline, FakeSettings::told);
    }

    /// A process that does not run refuses, as a port does where nobody listens.
    @Override
    public Answer knock(MemberAccess.Route route, Manner manner, Duration deadline) {
        var to = (FakeRoute) route;
        var ring = world.ring(to.ref());
        return world.call(ring, () -> {
            var pod = ring.pods.get(to.ordinal());
            if (pod != null && pod.process == null && to.host().equals(pod.ip) && !ring.hidden.contains(to.ordinal())) {
                return new Answer.Refused("connection refused");
            }
            return reach(ring, to, deadline, false).serves(to.door(), manner)
                    ? new Answer.Served(
                            manner == Manner.PLAIN
                                    ? Optional.empty()
                                    : world.secrets().end(ring.ref))
                    : new Answer.Refused("it does not serve " + manner + " there");
        });
    }

    @Override
    public Answer knock(MemberAccess.Route route, RingSecrets.Content shown, Duration deadline) {
        var to = (FakeRoute) route;
        var ring = world.ring(to.ref());
        return world.call(ring, () -> {
            var member = reach(ring, to, deadline, false);
            if (!member.serves(to.door(), Manner.TLS)) {
                return new Answer.Refused("it does not serve TLS there");
            }
            if (!world.secrets().taken(ring.ref, shown.ca())) {
                return new Answer.Refused("its certificate is not of the ring's CA");
            }
            return FakeSecrets.signed(ring.ref, Leaf.CLIENT, shown, member.trusts)
                    ? new Answer.Served(world.secrets().end(ring.ref))
                    : new Answer.Refused("it refused our TLS settings");
        });
    }

    private <T> T figures(MemberAccess.Route metrics, Duration deadline, Function<FakeMember, T> read) {
        if (metrics.door() != MemberAccess.Door.METRICS) {
            throw new IllegalStateException("figures are asked for at " + metrics.door());
        }
        return look(metrics, FakeRight.FREE, deadline, read);
    }

    private static long hash(FakeMember self, long revision) {
        return self.cluster.keys.hash(revision) ^ (self.dir.corrupt ? 1 : 0);
    }

    @Override
    public long revision(MemberAccess.Route route, Duration deadline) {
        return look(route, FakeRight.STATUS, deadline, this::own);
    }

    @Override
    public long shownRevision(MemberAccess.Route metrics, Duration deadline) {
        return look(metrics, FakeRight.FREE, deadline, this::own);
    }

    private long own(FakeMember self) {
        var behind = self.cluster.ring.behind.get(self.ordinal);
        boolean lags = behind != null && world.ticks() < behind.until();
        return Math.max(1, self.cluster.keys.revision() - (lags ? behind.revisions() : 0));
    }

    @Override
    public long ringRevision(MemberAccess.Route route, Duration deadline) {
        return look(route, FakeRight.ROOT, deadline, self -> {
            long revision = self.cluster.keys.revision();
            if (!self.led() || own(self) < revision) {
                world.sleep(deadline);
                throw new GatewayException(GatewayException.Kind.TIMEOUT, false, "etcd did not answer in time");
            }
            return revision;
        });
    }

    @Override
    public void compact(MemberAccess.Route route, long revision, Duration deadline) {
        deed(route, "compact", FakeRight.UPKEEP, deadline, self -> new FakeSpace(world).compact(self, revision));
    }

    @Override
    public void defragment(MemberAccess.Route route, Duration deadline) {
        var to = (FakeRoute) route;
        deed(
                route,
                "defragment " + to.ordinal(),
                FakeRight.ROOT,
                deadline,
                self -> new FakeSpace(world).defragment(self));
    }

    @Override
    public void disarmNoSpace(MemberAccess.Route route, EtcdId member, Duration deadline) {
        var alarm = new Alarm(Alarm.Kind.NOSPACE, member);
        deed(route, "disarm " + alarm, FakeRight.UPKEEP, deadline, self -> new FakeSpace(world).disarm(self, alarm));
    }

    @Override
    public void disarmCorrupt(MemberAccess.Route route, EtcdId member, Duration deadline) {
        var alarm = new Alarm(Alarm.Kind.CORRUPT, member);
        deed(route, "disarm " + alarm, FakeRight.UPKEEP, deadline, self -> {
            world.oracle().needsTruth(self.cluster.ring, "disarm " + alarm, Optional.empty());
            new FakeSpace(world).disarm(self, alarm);
        });
    }

    @Override
    public void proveWrite(MemberAccess.Route route, Duration deadline) {
        deed(route, "try a write", FakeRight.ROOT, deadline, self -> new FakeSpace(world).proveWrite(self));
    }

    @Override
    public void writeNothing(MemberAccess.Route route, int count, Duration deadline) {
        deed(route, "write nothing", FakeRight.ROOT, deadline, self -> new FakeSpace(world).writeNothing(self, count));
    }

    @Override
    public boolean hasV2Keys(MemberAccess.Route route, Duration deadline) {
        return look(route, FakeRight.FREE, deadline, self -> {
            if (self.version.hasLearners() || !self.cluster.oldRecords.told) {
                throw new GatewayException(GatewayException.Kind.REJECTED, false, "it does not serve the v2 API");
            }
            return self.cluster.oldRecords.keys;
        });
    }

    @Override
    public long v2Writes(MemberAccess.Route metrics, Duration deadline) {
        return look(
                metrics,
                FakeRight.FREE,
                deadline,
                self -> self.version.hasLearners() ? 0 : self.cluster.oldRecords.writes);
    }

    @Override
    public void startDowngrade(MemberAccess.Route route, EtcdVersion target, Duration deadline) {
        deed(
                route,
                "downgrade to " + target.minorName(),
                FakeRight.LEAD,
                deadline,
                self -> self.cluster.downgrade.announce(target, self));
    }

    @Override
    public void cancelDowngrade(MemberAccess.Route route, Duration deadline) {
        deed(route, "cancel the downgrade", FakeRight.LEAD, deadline, self -> self.cluster.downgrade.cancel(self));
    }

    private void deed(
            MemberAccess.Route route, String what, FakeRight right, Duration deadline, Consumer<FakeMember> act) {
        change(route, what, right, deadline, self -> {
            act.accept(self);
            return self;
        });
    }

    @Override
    public long countKeys(MemberAccess.Route route, long revision, Duration deadline) {
        if (route instanceof FakeAccess.ToPod(var pod, int unused)) {
            return served(pod).keys(revision).size();
        }
        return look(route, FakeRight.ROOT, deadline, self ->
                (long) self.cluster.keys.keys(revision).size());
    }

    /// A restored member asks for the users that its snapshot has.
    private FakeKeys served(MemberAccess.Pod pod) {
        var snapshot = world.jobs().served(pod);
        FakeRight.ROOT.check(FakeUsers.of(snapshot.users()), LATEST, caller);
        return new FakeKeys(snapshot);
    }

    @Override
    public AuthState read(MemberAccess.Route route, Duration deadline) {
        return agreed(route, FakeRight.ROOT, deadline, self -> self.cluster.users.read());
    }

    @Override
    public Optional<AuthStatus> status(MemberAccess.Route route, Duration deadline) {
        return agreed(
                route,
                FakeRight.AUTH_STATUS,
                deadline,
                self -> Optional.of(self.cluster.users.status()).filter(_ -> self.version.atLeast(3, 5, 0)));
    }

    @Override
    public Optional<String> rootSecret(MemberAccess.Route route) {
        return world.passwords().versionOfRoot(((FakeRoute) route).ref());
    }

    @Override
    public boolean enabled(MemberAccess.Route route, Duration deadline) {
        return agreed(route, FakeRight.FREE, deadline, self -> self.cluster.users.enabled());
    }

    @Override
    public boolean accepts(MemberAccess.Route route, String user, String password, Duration deadline) {
        return agreed(route, FakeRight.FREE, deadline, self -> self.cluster.users.accepts(user, password));
    }

    /// What only a majority answers.
    private <T> T agreed(MemberAccess.Route route, FakeRight right, Duration deadline, Function<FakeMember, T> read) {
        return look(route, right, deadline, self -> {
            if (self.learner) {
                throw FakeCluster.refused("rpc not supported for learner");
            }
            if (!self.led()) {
                world.sleep(deadline);
                throw new GatewayException(GatewayException.Kind.TIMEOUT, false, "etcd did not answer in time");
            }
            return read.apply(self);
        });
    }

    @Override
    public Outcome apply(MemberAccess.Route route, AuthChange change, Optional<String> password, Duration deadline) {
        if (password.isPresent() != change.withPassword().isPresent()
                || password.filter(String::isEmpty).isPresent()) {
            throw new IllegalArgumentException("a password for who needs none, or the other way round");
        }
        return change(route, change.text(), FakeRight.ROOT, deadline, asked -> {
            asked.cluster.requireLeader(asked);
            var outcome = asked.cluster.users.apply(change, password, asked.version);
            asked.cluster.append();
            return outcome;
        });
    }

    private <T> T look(MemberAccess.Route route, FakeRight right, Duration deadline, Function<FakeMember, T> read) {
        var to = (FakeRoute) route;
        var ring = world.ring(to.ref());
        return world.call(ring, () -> {
            var self = served(reach(ring, to, deadline, false), to);
            admit(right, self, to);
            return read.apply(self);
        });
    }

    private void admit(FakeRight right, FakeMember asked, FakeRoute to) {
        try {
            right.check(asked, caller(asked, to));
        } catch (GatewayException e) {
            throw caller == Caller.ROOT ? new RootUnusable("etcd lets only its user root do this") : e;
        }
    }

    @Override
    public RootPassword rootPassword(MemberAccess.Route route, Duration deadline) {
        return agreed(
                route,
                FakeRight.FREE,
                deadline,
                self -> world.passwords().ofRoot(((FakeRoute) route).ref(), self.cluster.users));
    }

    /// Who has `root` at hand is `root` only with a certificate or a password that the ring accepts.
    private Caller caller(FakeMember asked, FakeRoute to) {
        boolean secured = to.door() == MemberAccess.Door.CLIENT_TLS;
        if (caller != Caller.ROOT
                || !asked.cluster.users.enabled()
                || (secured && world.secrets().hasRoot(to.ref()))
                || world.passwords().admitRoot(to.ref(), asked.cluster.users)) {
            return caller;
        }
        return secured ? Caller.STRANGER : Caller.NOBODY;
    }

    @Override
    public RingUsers users() {
        return this;
    }

    @Override
    public void close() {}

    private void touches(FakeCluster cluster, String verb, EtcdId id) {
        var member = cluster.members.get(id);
        if (member == null) {
            return;
        }
        String what = verb + " " + member.peerUrl;
        if (member.ordinal < 0) {
            world.oracle().breach(Harm.FOREIGN_TOUCHED, cluster.ring, what);
        }
        if (member.voter() || verb.equals("promote")) {
            world.oracle().needsMembers(cluster.ring, what, member.ordinal);
        }
    }

    private <T> T change(
            MemberAccess.Route route, String what, FakeRight right, Duration deadline, Function<FakeMember, T> act) {
        var to = (FakeRoute) route;
        var ring = world.ring(to.ref());
        return world.change(ring, what, () -> {
            try {
                var asked = served(reach(ring, to, deadline, true), to);
                admit(right, asked, to);
                return act.apply(asked);
            } catch (GatewayException e) {
                if (e.kind() == GatewayException.Kind.TIMEOUT) {
                    world.sleep(deadline);
                }
                throw e;
            }
        });
    }

    private static FakeMember served(FakeMember member, FakeRoute to) {
        var manner = to.door() == MemberAccess.Door.CLIENT_TLS ? Manner.TLS : Manner.PLAIN;
        if (!member.serves(to.door(), manner)) {
            throw new GatewayException(
                    GatewayException.Kind.UNAUTHORIZED, false, to.authority() + " does not serve " + manner);
        }
        return member;
    }

    /// The process that lives at the route's address.
    private FakeMember reach(FakeRing ring, FakeRoute to, Duration deadline, boolean change) {
        var pod = ring.pods.get(to.ordinal());
        if (ring.hidden.contains(to.ordinal())
                || pod == null
                || pod.process == null
                || !pod.process.running
                || !to.host().equals(pod.ip)) {
            throw new GatewayException(GatewayException.Kind.UNREACHABLE, false, to.authority() + " does not answer");
        }
        boolean away = ring.cutOff.contains(to.ordinal()) && (change || !ring.severed.contains(to.ordinal()));
        if (away || !pod.process.serving || FakeSpace.busy(pod.process, world.ticks())) {
            if (!change) {
                world.sleep(deadline);
            }
            throw new GatewayException(
                    GatewayException.Kind.TIMEOUT, change, to.authority() + " did not answer in time");
        }
        return pod.process;
    }
}
