package io.github.etcdgitops.gateway.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.AlarmRequest;
import io.etcd.jetcd.api.CompactionRequest;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.DefragmentRequest;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.MaintenanceGrpc;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.TxnRequest;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.value.EtcdId;
import io.grpc.Channel;
import io.grpc.StatusRuntimeException;
import java.util.concurrent.atomic.AtomicInteger;

/// Maintenance of one member's store through its own endpoint. Throws StatusRuntimeException where the
/// member refuses, or does not answer.
record MemberUpkeep(Channel channel, Endpoint endpoint) {
    /// Our channel bounds how much a server may send on a connection.
    private static final int ON_ONE_CONNECTION = 50;

    /// Where it is already compacted, etcd waits for the freeing and then reports it: that is enough.
    void compact(long revision) {
        var request = CompactionRequest.newBuilder()
                .setRevision(revision)
                .setPhysical(true)
                .build();
        try {
            var _ = KVGrpc.newBlockingStub(channel)
                    .withDeadline(endpoint.deadline())
                    .compact(request);
        } catch (StatusRuntimeException e) {
            if (!EtcdErrors.compacted(e)) {
                throw e;
            }
        }
    }

    void defragment() {
        var _ = MaintenanceGrpc.newBlockingStub(channel)
                .withDeadline(endpoint.deadline())
                .defragment(DefragmentRequest.getDefaultInstance());
    }

    /// `alarm` is the number of its kind: the client's copy of etcd's list lacks some.
    void disarm(int alarm, EtcdId member) {
        var request = AlarmRequest.newBuilder()
                .setAction(AlarmRequest.AlarmAction.DEACTIVATE)
                .setAlarmValue(alarm)
                .setMemberID(member.value())
                .build();
        var _ = MaintenanceGrpc.newBlockingStub(channel)
                .withDeadline(endpoint.deadline())
                .alarm(request);
    }

    /// The check alone changes nothing, and it is what refuses a wrong target.
    void startDowngrade(EtcdVersion target) {
        var call = new DowngradeCall(channel, endpoint.deadline());
        call.validate(target);
        call.enable(target);
    }

    void cancelDowngrade() {
        try {
            new DowngradeCall(channel, endpoint.deadline()).cancel();
        } catch (StatusRuntimeException e) {
            if (!EtcdErrors.noDowngrade(e)) {
                throw e;
            }
        }
    }

    /// As long as some are `left`, and not more than one connection takes.
    void writeNothing(AtomicInteger left) {
        for (int made = 0; made < ON_ONE_CONNECTION && left.getAndDecrement() > 0; made++) {
            proveWrite();
        }
    }

    /// No key's version is below 0, so the write in it never takes effect. etcd still checks it against the
    /// quota, at the endpoint and when it is applied, and without a change there is no new revision.
    void proveWrite() {
        var key = ByteString.copyFrom(new byte[1]);
        var never = Compare.newBuilder()
                .setKey(key)
                .setTarget(Compare.CompareTarget.VERSION)
                .setResult(Compare.CompareResult.LESS)
                .setVersion(0)
                .build();
        var write = RequestOp.newBuilder()
                .setRequestPut(PutRequest.newBuilder().setKey(key).setValue(key))
                .build();
        var _ = KVGrpc.newBlockingStub(channel)
                .withDeadline(endpoint.deadline())
                .txn(TxnRequest.newBuilder().addCompare(never).addSuccess(write).build());
    }
}
