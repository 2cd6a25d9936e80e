package io.github.etcdgitops.gateway.etcd;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import io.github.etcdgitops.gateway.etcd.call.ByNumber;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.member.MemberState;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.Deadline;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import java.util.Optional;

/// etcd's downgrade call, and what a status says about it and about the quota. jetcd knows none of it, so all
/// is written and read by field number, as in etcd's rpc.proto.
///
/// Throws StatusRuntimeException where the member refuses, or does not answer.
record DowngradeCall(Channel channel, Deadline deadline) {
    private static final int VALIDATE = 0;
    private static final int ENABLE = 1;
    private static final int CANCEL = 2;

    private static final int REQUEST_ACTION = 1;
    private static final int REQUEST_VERSION = 2;

    private static final int STATUS_STORAGE_VERSION = 11;
    private static final int STATUS_QUOTA = 12;
    private static final int STATUS_DOWNGRADE = 13;
    private static final int DOWNGRADE_ENABLED = 1;
    private static final int DOWNGRADE_TARGET = 2;

    private static final MethodDescriptor<UnknownFieldSet, UnknownFieldSet> METHOD =
            ByNumber.method("etcdserverpb.Maintenance/Downgrade");

    void validate(EtcdVersion target) {
        make(VALIDATE, target.minorName());
    }

    void enable(EtcdVersion target) {
        make(ENABLE, target.minorName());
    }

    /// The server ignores the version.
    void cancel() {
        make(CANCEL, "");
    }

    private void make(int action, String version) {
        var request = UnknownFieldSet.newBuilder()
                .addField(
                        REQUEST_ACTION,
                        UnknownFieldSet.Field.newBuilder().addVarint(action).build())
                .addField(
                        REQUEST_VERSION,
                        UnknownFieldSet.Field.newBuilder()
                                .addLengthDelimited(ByteString.copyFromUtf8(version))
                                .build())
                .build();
        var _ = ClientCalls.blockingUnaryCall(channel, METHOD, CallOptions.DEFAULT.withDeadline(deadline), request);
    }

    /// `status` are the fields of a status that jetcd does not know.
    static MemberState.Storage storage(UnknownFieldSet status) {
        return new MemberState.Storage(
                text(status, STATUS_STORAGE_VERSION).flatMap(DowngradeCall::minor),
                message(status, STATUS_DOWNGRADE)
                        .filter(downgrade -> downgrade
                                .getField(DOWNGRADE_ENABLED)
                                .getVarintList()
                                .contains(1L))
                        .flatMap(downgrade -> text(downgrade, DOWNGRADE_TARGET))
                        .flatMap(DowngradeCall::minor),
                status.getField(STATUS_QUOTA).getVarintList().stream().findFirst());
    }

    /// Written as `3.5.0`, or as the request has it.
    private static Optional<EtcdVersion> minor(String text) {
        return EtcdVersion.parse(text).or(() -> EtcdVersion.parse(text + ".0")).map(EtcdVersion::line);
    }

    private static Optional<String> text(UnknownFieldSet fields, int number) {
        return bytes(fields, number).map(ByteString::toStringUtf8);
    }

    private static Optional<UnknownFieldSet> message(UnknownFieldSet fields, int number) {
        return bytes(fields, number).map(bytes -> {
            try {
                return UnknownFieldSet.parseFrom(bytes);
            } catch (InvalidProtocolBufferException e) {
                throw Status.DATA_LOSS.withCause(e).asRuntimeException();
            }
        });
    }

    private static Optional<ByteString> bytes(UnknownFieldSet fields, int number) {
        var found = fields.getField(number).getLengthDelimitedList();
        return found.isEmpty() ? Optional.empty() : Optional.of(found.getLast());
    }
}
