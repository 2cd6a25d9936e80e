package io.github.etcdgitops.gateway.etcd;

import static io.github.etcdgitops.gateway.etcd.Escalation.Purpose.KEYS;
import static io.github.etcdgitops.gateway.etcd.Escalation.Purpose.STATUS;
import static io.github.etcdgitops.gateway.etcd.Escalation.Purpose.UPKEEP;

import io.etcd.jetcd.api.AlarmType;
import io.github.etcdgitops.certificate.Credential;
import io.github.etcdgitops.gateway.EtcdGateway;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.gateway.PeerConnections;
import io.github.etcdgitops.gateway.PeerConnections.Heard;
import io.github.etcdgitops.gateway.PeerUrls;
import io.github.etcdgitops.gateway.RingSecrets;
import io.github.etcdgitops.gateway.RingUsers;
import io.github.etcdgitops.gateway.etcd.Escalation.Visit;
import io.github.etcdgitops.gateway.etcd.call.EmptyWrites;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.member.SettingsInUse;
import io.github.etcdgitops.state.value.EtcdId;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// etcd over jetcd's stubs. Each call opens a connection to the one endpoint and closes it: a probe costs 0.2
/// to 0.4 ms of processor time that way. Over TLS it costs 4.5 ms, and 2 ms when a member is asked again and its
/// session is resumed. No connection stays open between calls. A call is made again only where etcd refused our
/// identity, as `root`.
///
/// A member's certificate is checked against [MemberAccess.Route#authority()], whatever leads to it.
public final class JetcdGateway implements EtcdGateway {
    private final Identities identities;
    private final Escalation escalation;

    public JetcdGateway(Identities identities) {
        this.identities = identities;
        this.escalation = new Escalation(identities);
    }

    /// Plain text everywhere, and no user.
    public JetcdGateway() {
        this(Identities.NONE);
    }

    @Override
    public View probe(MemberAccess.Route route, Duration deadline) {
        return read(
                "asking the member at " + Endpoint.name(route), Visit.of(route, deadline, STATUS), MemberReads::view);
    }

    /// Refuses where the endpoint is older than 3.4, because such a server would silently add a voter.
    @Override
    public EtcdId addLearner(MemberAccess.Route route, String peerUrl, Duration deadline) {
        var visit = Visit.of(route, deadline, UPKEEP);
        var version = version(visit);
        if (!version.hasLearners()) {
            throw new GatewayException(
                    Kind.REJECTED,
                    false,
                    "adding a learner at " + Endpoint.name(route) + ": etcd " + version
                            + " has no learners and would add a voter; upgrade the ring, or add a voter");
        }
        return add(visit, peerUrl, true);
    }

    @Override
    public EtcdId addVoter(MemberAccess.Route route, String peerUrl, Duration deadline) {
        return add(Visit.of(route, deadline, UPKEEP), peerUrl, false);
    }

    @Override
    public boolean promote(MemberAccess.Route route, EtcdId learner, Duration deadline) {
        String title = at("promoting learner " + learner, route, 0);
        return changed(title, Visit.of(route, deadline, UPKEEP), e -> new MemberChanges(e).promote(learner));
    }

    @Override
    public void removeMember(MemberAccess.Route route, EtcdId member, Duration deadline) {
        change(at("removing member " + member, route, 0), Visit.of(route, deadline, UPKEEP), m -> m.remove(member));
    }

    @Override
    public void updatePeerUrls(MemberAccess.Route route, EtcdId member, List<String> urls, Duration deadline) {
        var parsed = PeerUrls.parse(urls);
        String title = at("changing the peer URLs of member " + member, route, 0);
        change(title, Visit.of(route, deadline, UPKEEP), m -> m.update(member, parsed));
    }

    @Override
    public void moveLeader(MemberAccess.Route leader, EtcdId target, Duration deadline) {
        String title = at("moving the leader to " + target, leader, 0);
        change(title, Visit.of(leader, deadline, UPKEEP), m -> m.moveLeader(target));
    }

    /// It has its own connection, so that nothing else waits behind the stream, and closes it at the end.
    @Override
    public void snapshot(MemberAccess.Route route, Duration stall, SnapshotSink sink) throws IOException {
        String title = at("taking a snapshot of the member", route, 0);
        try {
            escalation.<@Nullable Void, IOException>call(Visit.of(route, stall, UPKEEP), endpoint -> {
                var channel = endpoint.streamingChannel(SnapshotCall.WINDOW, SnapshotCall.LARGEST_MESSAGE);
                try {
                    new SnapshotCall(title, stall).run(endpoint.signed(channel), sink);
                    return null;
                } finally {
                    channel.shutdownNow();
                }
            });
        } catch (StatusRuntimeException e) {
            throw EtcdErrors.reading(title, e);
        }
    }

    @Override
    public KeyHash hashKeys(MemberAccess.Route route, long revision, Duration deadline) {
        return read(at("hashing the keys", route, revision), Visit.of(route, deadline, UPKEEP), m -> m.hash(revision));
    }

    @Override
    public EtcdVersion clusterVersion(MemberAccess.Route metrics, Duration deadline) {
        return MetricsPage.read("the ring's version", metrics, deadline).clusterVersion();
    }

    @Override
    public Optional<PeerConnections> connections(MemberAccess.Route metrics, Duration deadline) {
        return MetricsPage.read("its connections", metrics, deadline).connections();
    }

    @Override
    public Heard heard(MemberAccess.Route metrics, Duration deadline) {
        return MetricsPage.read("what it hears", metrics, deadline).heard();
    }

    @Override
    public SettingsInUse settings(MemberAccess.Route metrics, Duration deadline) {
        return MetricsPage.read("its settings", metrics, deadline).settings();
    }

    @Override
    public Answer knock(MemberAccess.Route route, Manner manner, Duration deadline) {
        return PortProbe.of(route, manner, identities).within(deadline);
    }

    @Override
    public Answer knock(MemberAccess.Route route, RingSecrets.Content shown, Duration deadline) {
        var ours = new Credential(shown.certificate(), shown.key()).inPkcs8();
        var material = new TlsMaterial(shown.ca(), ours.certificatePem(), ours.keyPem());
        return new PortProbe(route, Optional.of(TlsContexts.fresh(route, material))).within(deadline);
    }

    @Override
    public long countKeys(MemberAccess.Route route, long revision, Duration deadline) {
        return read(at("counting the keys", route, revision), Visit.of(route, deadline, KEYS), m -> m.keys(revision));
    }

    @Override
    public long revision(MemberAccess.Route route, Duration deadline) {
        return read(at("asking for the revision", route, 0), Visit.of(route, deadline, STATUS), MemberReads::revision);
    }

    @Override
    public long shownRevision(MemberAccess.Route metrics, Duration deadline) {
        return MetricsPage.read("its revision", metrics, deadline).revision();
    }

    @Override
    public long ringRevision(MemberAccess.Route route, Duration deadline) {
        return read(at("asking the ring", route, 0), Visit.of(route, deadline, KEYS), MemberReads::ringRevision);
    }

    @Override
    public void compact(MemberAccess.Route route, long revision, Duration deadline) {
        upkeep(at("compacting", route, revision), Visit.of(route, deadline, KEYS), m -> m.compact(revision));
    }

    @Override
    public void defragment(MemberAccess.Route route, Duration deadline) {
        upkeep(at("defragmenting the member", route, 0), Visit.of(route, deadline, UPKEEP), MemberUpkeep::defragment);
    }

    @Override
    public void disarmNoSpace(MemberAccess.Route route, EtcdId member, Duration deadline) {
        String title = at("disarming the NOSPACE alarm of " + member, route, 0);
        upkeep(title, Visit.of(route, deadline, UPKEEP), m -> m.disarm(AlarmType.NOSPACE_VALUE, member));
    }

    @Override
    public void disarmCorrupt(MemberAccess.Route route, EtcdId member, Duration deadline) {
        String title = at("disarming the CORRUPT alarm of " + member, route, 0);
        upkeep(title, Visit.of(route, deadline, UPKEEP), m -> m.disarm(Answers.CORRUPT, member));
    }

    @Override
    public void proveWrite(MemberAccess.Route route, Duration deadline) {
        upkeep(at("trying a write", route, 0), Visit.of(route, deadline, KEYS), MemberUpkeep::proveWrite);
    }

    @Override
    public void writeNothing(MemberAccess.Route route, int count, Duration deadline) {
        var visit = Visit.of(route, deadline, KEYS);
        String title = at("writing nothing", route, 0);
        EmptyWrites.make(count, visit.deadline(), left -> upkeep(title, visit, m -> m.writeNothing(left)));
    }

    @Override
    public boolean hasV2Keys(MemberAccess.Route route, Duration deadline) {
        return V2Page.at(route, identities.ordinary(route)).hasKeys(deadline);
    }

    @Override
    public long v2Writes(MemberAccess.Route metrics, Duration deadline) {
        return MetricsPage.read("writes through the v2 API", metrics, deadline).v2Writes();
    }

    /// Refuses where the endpoint is older than 3.6: 3.5 would announce a downgrade that it cannot carry out.
    @Override
    public void startDowngrade(MemberAccess.Route route, EtcdVersion target, Duration deadline) {
        var visit = Visit.of(route, deadline, UPKEEP);
        var version = version(visit);
        String title = at("announcing a downgrade to " + target.minorName(), route, 0);
        if (!version.hasDowngrade()) {
            throw new GatewayException(
                    Kind.REJECTED, false, title + ": etcd " + version + " cannot be downgraded: 3.6 is the first");
        }
        upkeep(title, visit, m -> m.startDowngrade(target));
    }

    @Override
    public void cancelDowngrade(MemberAccess.Route route, Duration deadline) {
        upkeep(
                at("cancelling the downgrade", route, 0),
                Visit.of(route, deadline, UPKEEP),
                MemberUpkeep::cancelDowngrade);
    }

    @Override
    public RingUsers users() {
        return new JetcdUsers(escalation);
    }

    /// No connection outlives its call.
    @Override
    public void close() {}

    private EtcdId add(Visit visit, String peerUrl, boolean learner) {
        String title = at("adding " + (learner ? "a learner" : "a voter"), visit.route(), 0);
        return changed(title, visit, e -> new MemberChanges(e).add(URI.create(peerUrl), learner));
    }

    private EtcdVersion version(Visit visit) {
        return read(at("asking the member", visit.route(), 0), visit.about(STATUS), MemberReads::version);
    }

    private <T> T read(String title, Visit visit, Function<MemberReads, T> question) {
        try {
            return escalation.call(
                    visit, endpoint -> endpoint.on(channel -> question.apply(new MemberReads(channel, endpoint))));
        } catch (StatusRuntimeException e) {
            throw EtcdErrors.reading(title, e);
        }
    }

    private void change(String title, Visit visit, Consumer<MemberChanges> deed) {
        changed(title, visit, endpoint -> done(deed, new MemberChanges(endpoint)));
    }

    private void upkeep(String title, Visit visit, Consumer<MemberUpkeep> deed) {
        changed(title, visit, endpoint -> endpoint.on(c -> done(deed, new MemberUpkeep(c, endpoint))));
    }

    private static <M> boolean done(Consumer<M> deed, M member) {
        deed.accept(member);
        return true;
    }

    private <T> T changed(String title, Visit visit, Function<Endpoint, T> change) {
        try {
            return escalation.call(visit, change::apply);
        } catch (StatusRuntimeException e) {
            throw EtcdErrors.changing(title, e);
        }
    }

    private static String at(String what, MemberAccess.Route route, long revision) {
        return what + " at " + Endpoint.name(route) + (revision == 0 ? "" : " at revision " + revision);
    }
}
