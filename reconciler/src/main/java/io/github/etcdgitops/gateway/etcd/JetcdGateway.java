package io.github.etcdgitops.gateway.etcd;

import io.etcd.jetcd.Client;
import io.etcd.jetcd.api.AlarmRequest;
import io.etcd.jetcd.api.ClusterGrpc;
import io.etcd.jetcd.api.MaintenanceGrpc;
import io.etcd.jetcd.api.MemberListRequest;
import io.etcd.jetcd.api.StatusRequest;
import io.etcd.jetcd.api.StatusResponse;
import io.github.etcdgitops.gateway.EtcdGateway;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.spec.EtcdVersion;
import io.github.etcdgitops.state.EtcdId;
import io.github.etcdgitops.state.MemberState;
import io.grpc.Channel;
import io.grpc.StatusRuntimeException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/// etcd over jetcd. Each call opens a connection to the one endpoint and closes it: a probe costs about 2 ms of
/// processor time that way, 6 ms over TLS, and no connection is held between calls. Nothing is repeated by itself.
///
/// A port-forward or a pod IP leads to a member whose certificate names something else: it is checked against
/// [MemberAccess.Route#authority()].
public final class JetcdGateway implements EtcdGateway {
    private final TlsContexts tls;

    /// `tls` gives what the ring behind a route asks for; empty means plain text.
    public JetcdGateway(Function<MemberAccess.Route, Optional<TlsMaterial>> tls) {
        this.tls = new TlsContexts(tls);
    }

    /// Plain text everywhere.
    public JetcdGateway() {
        this(_ -> Optional.empty());
    }

    /// A learner serves no member list: its `members` are empty, and its status is all there is.
    @Override
    public View probe(MemberAccess.Route route, Duration deadline) {
        var endpoint = endpoint(route, deadline);
        var channel = endpoint.channel();
        try {
            var answer = status(channel, endpoint);
            var self = new EtcdId(answer.getHeader().getMemberId());
            var version = version(route, answer);
            var alarms = alarms(channel, endpoint, answer, version);
            var status = Answers.status(answer, version, alarms.isPresent());
            return new View(
                    new EtcdId(answer.getHeader().getClusterId()),
                    self,
                    answer.getIsLearner() ? List.of() : members(channel, endpoint, self, status),
                    status,
                    alarms.orElse(List.of()));
        } catch (StatusRuntimeException e) {
            throw EtcdErrors.reading("asking the member at " + Endpoint.name(route), e);
        } finally {
            channel.shutdownNow();
        }
    }

    /// Refuses by itself where the endpoint is older than 3.4, because such a server would add a voter and say
    /// nothing.
    @Override
    public EtcdId addLearner(MemberAccess.Route route, String peerUrl, Duration deadline) {
        var endpoint = endpoint(route, deadline);
        var version = askVersion(endpoint);
        if (!version.hasLearners()) {
            throw new GatewayException(
                    Kind.REJECTED,
                    false,
                    "adding a learner at " + Endpoint.name(route) + ": etcd " + version
                            + " has no learners and would add a voter; upgrade the ring, or add a voter");
        }
        return add(endpoint, peerUrl, true);
    }

    @Override
    public EtcdId addVoter(MemberAccess.Route route, String peerUrl, Duration deadline) {
        return add(endpoint(route, deadline), peerUrl, false);
    }

    @Override
    public boolean promote(MemberAccess.Route route, EtcdId learner, Duration deadline) {
        try {
            call(endpoint(route, deadline), client -> client.getClusterClient().promoteMember(learner.value()));
            return true;
        } catch (CallFailure e) {
            if (EtcdErrors.learnerBehind(e.failure())) {
                return false;
            }
            throw EtcdErrors.changing("promoting learner " + learner + " at " + Endpoint.name(route), e.failure());
        }
    }

    @Override
    public void removeMember(MemberAccess.Route route, EtcdId member, Duration deadline) {
        try {
            call(endpoint(route, deadline), client -> client.getClusterClient().removeMember(member.value()));
        } catch (CallFailure e) {
            throw EtcdErrors.changing("removing member " + member + " at " + Endpoint.name(route), e.failure());
        }
    }

    @Override
    public void moveLeader(MemberAccess.Route leader, EtcdId target, Duration deadline) {
        try {
            call(
                    endpoint(leader, deadline),
                    client -> client.getMaintenanceClient().moveLeader(target.value()));
        } catch (CallFailure e) {
            throw EtcdErrors.changing("moving the leader to " + target + " at " + Endpoint.name(leader), e.failure());
        }
    }

    @Override
    public void snapshot(MemberAccess.Route route, Duration stall, SnapshotSink sink) {
        throw new UnsupportedOperationException("not written yet");
    }

    @Override
    public KeyHash hashKeys(MemberAccess.Route route, long revision, Duration deadline) {
        throw new UnsupportedOperationException("not written yet");
    }

    @Override
    public long countKeys(MemberAccess.Route route, long revision, Duration deadline) {
        throw new UnsupportedOperationException("not written yet");
    }

    @Override
    public void close() {
        // No connection outlives its call.
    }

    private EtcdId add(Endpoint endpoint, String peerUrl, boolean learner) {
        try {
            var added = call(
                    endpoint, client -> client.getClusterClient().addMember(List.of(URI.create(peerUrl)), learner));
            return new EtcdId(added.getMember().getId());
        } catch (CallFailure e) {
            String what = learner ? "a learner" : "a voter";
            throw EtcdErrors.changing("adding " + what + " at " + Endpoint.name(endpoint.route()), e.failure());
        }
    }

    private Endpoint endpoint(MemberAccess.Route route, Duration deadline) {
        return Endpoint.of(route, tls.of(route), deadline);
    }

    private static EtcdVersion askVersion(Endpoint endpoint) {
        var channel = endpoint.channel();
        try {
            return version(endpoint.route(), status(channel, endpoint));
        } catch (StatusRuntimeException e) {
            throw EtcdErrors.reading("asking the member at " + Endpoint.name(endpoint.route()), e);
        } finally {
            channel.shutdownNow();
        }
    }

    private static EtcdVersion version(MemberAccess.Route route, StatusResponse answer) {
        return Answers.version(answer)
                .orElseThrow(() -> new GatewayException(
                        Kind.REJECTED,
                        false,
                        "asking the member at " + Endpoint.name(route) + ": it runs no released version of etcd"));
    }

    private static StatusResponse status(Channel channel, Endpoint endpoint) {
        return MaintenanceGrpc.newBlockingStub(channel)
                .withDeadline(endpoint.deadline())
                .status(StatusRequest.getDefaultInstance());
    }

    /// The member's own copy of the list, which it gives without quorum too.
    private static List<MemberState> members(
            Channel channel, Endpoint endpoint, EtcdId self, MemberState.Status status) {
        var listed = ClusterGrpc.newBlockingStub(channel)
                .withDeadline(endpoint.deadline())
                .memberList(MemberListRequest.getDefaultInstance());
        return listed.getMembersList().stream()
                .map(m -> Answers.member(m, self, status))
                .toList();
    }

    /// Listing alarms goes through the raft log: it writes to the ring, and without quorum there is no answer. The
    /// status repeats them from 3.4 on, so that only older servers are asked, and given up on when half of the time
    /// that is left has gone. Empty means that nobody knows.
    private static Optional<List<String>> alarms(
            Channel channel, Endpoint endpoint, StatusResponse answer, EtcdVersion version) {
        if (version.hasLearners()) {
            return Optional.of(Answers.alarms(answer));
        }
        if (answer.getLeader() == 0) {
            return Optional.empty();
        }
        var request = AlarmRequest.newBuilder()
                .setAction(AlarmRequest.AlarmAction.GET)
                .build();
        try {
            var raised = MaintenanceGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(
                            endpoint.deadline().timeRemaining(TimeUnit.NANOSECONDS) / 2, TimeUnit.NANOSECONDS)
                    .alarm(request);
            return Optional.of(
                    raised.getAlarmsList().stream().map(Answers::alarm).toList());
        } catch (StatusRuntimeException _) {
            return Optional.empty();
        }
    }

    private static <T> T call(Endpoint endpoint, Function<Client, CompletableFuture<T>> request) throws CallFailure {
        try (var client = endpoint.client()) {
            long left = endpoint.deadline().timeRemaining(TimeUnit.NANOSECONDS);
            return request.apply(client).get(left, TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw new CallFailure(e.getCause() == null ? e : e.getCause());
        } catch (TimeoutException e) {
            throw new CallFailure(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CallFailure(new TimeoutException("interrupted"));
        }
    }

    /// Carries a failure to where its meaning is known.
    private static final class CallFailure extends Exception {
        private final Throwable failure;

        CallFailure(Throwable failure) {
            super(failure);
            this.failure = failure;
        }

        Throwable failure() {
            return failure;
        }
    }
}
