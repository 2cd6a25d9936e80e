package io.github.etcdgitops.gateway.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.AlarmRequest;
import io.etcd.jetcd.api.ClusterGrpc;
import io.etcd.jetcd.api.HashKVRequest;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.MaintenanceGrpc;
import io.etcd.jetcd.api.Member;
import io.etcd.jetcd.api.MemberListRequest;
import io.etcd.jetcd.api.MemberListResponse;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.StatusRequest;
import io.etcd.jetcd.api.StatusResponse;
import io.github.etcdgitops.gateway.EtcdGateway.KeyHash;
import io.github.etcdgitops.gateway.EtcdGateway.View;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.etcd.call.Ahead;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.member.Alarm;
import io.github.etcdgitops.state.value.EtcdId;
import io.grpc.Channel;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// Read-only calls to one member. Throws StatusRuntimeException where there is no answer.
record MemberReads(Channel channel, Endpoint endpoint) {
    /// As a key, the first possible one; as the end of a range, no end.
    private static final ByteString ZERO = ByteString.copyFrom(new byte[1]);

    /// Asks for the status and the member list at once. A learner serves no member list: its `members` are
    /// empty, and only its status is known.
    View view() {
        var listing = members();
        var answer = status();
        var self = new EtcdId(answer.getHeader().getMemberId());
        var version = version(answer);
        var listed = answer.getIsLearner() ? List.<Member>of() : listing.await().getMembersList();
        var alarms = alarms(answer, version);
        var status = Answers.status(answer, version, alarms.isPresent());
        return new View(
                new EtcdId(answer.getHeader().getClusterId()),
                self,
                listed.stream().map(m -> Answers.member(m, self, status)).toList(),
                status,
                alarms.orElse(List.of()));
    }

    EtcdVersion version() {
        return version(status());
    }

    /// The header's revision is the member's newest at the time of hashing. It is also the hashed one where
    /// none was requested.
    KeyHash hash(long revision) {
        var answer = MaintenanceGrpc.newBlockingStub(channel)
                .withDeadline(endpoint.deadline())
                .hashKV(HashKVRequest.newBuilder().setRevision(revision).build());
        return new KeyHash(
                revision == 0 ? answer.getHeader().getRevision() : revision,
                answer.getCompactRevision(),
                Integer.toUnsignedLong(answer.getHash()));
    }

    /// The member's own, from its status.
    long revision() {
        return status().getHeader().getRevision();
    }

    /// Linearizable: the member asks the leader to confirm its leadership, and answers once it has applied
    /// everything up to then.
    long ringRevision() {
        var nothing = RangeRequest.newBuilder()
                .setKey(ZERO)
                .setCountOnly(true)
                .setSerializable(false)
                .build();
        return KVGrpc.newBlockingStub(channel)
                .withDeadline(endpoint.deadline())
                .range(nothing)
                .getHeader()
                .getRevision();
    }

    /// Serializable: the member's own answer, also without quorum.
    long keys(long revision) {
        var everything = RangeRequest.newBuilder()
                .setKey(ZERO)
                .setRangeEnd(ZERO)
                .setRevision(revision)
                .setCountOnly(true)
                .setSerializable(true)
                .build();
        return KVGrpc.newBlockingStub(channel)
                .withDeadline(endpoint.deadline())
                .range(everything)
                .getCount();
    }

    private EtcdVersion version(StatusResponse answer) {
        return Answers.version(answer)
                .orElseThrow(() -> new GatewayException(
                        Kind.REJECTED,
                        false,
                        "asking the member at " + Endpoint.name(endpoint.route())
                                + ": it does not run a released version of etcd"));
    }

    private StatusResponse status() {
        return MaintenanceGrpc.newBlockingStub(channel)
                .withDeadline(endpoint.deadline())
                .status(StatusRequest.getDefaultInstance());
    }

    /// The member's own copy of the list, which it also gives without quorum.
    private Ahead<MemberListResponse> members() {
        return Ahead.of(
                channel,
                ClusterGrpc.getMemberListMethod(),
                MemberListRequest.getDefaultInstance(),
                endpoint.deadline());
    }

    /// Listing alarms goes through the raft log: it writes to the ring, and without quorum there is no
    /// answer. From 3.4 on the status includes them, so only older servers are asked, and for at most half
    /// of the remaining time. Empty means unknown.
    private Optional<List<Alarm>> alarms(StatusResponse answer, EtcdVersion version) {
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
}
