package io.github.etcdgitops.gateway.etcd.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.InternalMetadata;
import io.grpc.InternalStatus;
import io.grpc.Status;
import io.grpc.internal.GrpcUtil;
import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The same as gRPC's own channel says.
class StatusesTest {
    @Test
    void readsHttpStatusAsGrpcDoes() {
        assertThat(IntStream.range(100, 600))
                .allSatisfy(code -> assertThat(Statuses.ofHttp(code).getCode())
                        .as("%d", code)
                        .isEqualTo(GrpcUtil.httpStatusToGrpcStatus(code).getCode()));
    }

    @Test
    void readsHttp2ErrorAsGrpcDoes() {
        assertThat(LongStream.concat(LongStream.range(0, 40), LongStream.of(0xffff_ffffL)))
                .allSatisfy(error -> assertThat(
                                Statuses.ofError("the call was ended", error).getCode())
                        .as("%d", error)
                        .isEqualTo(GrpcUtil.Http2Error.statusForCode(error).getCode()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "etcdserver: member not found",
                "100%25 full",
                "%e2%82%ac",
                "%E2%82%AC and %41",
                "%",
                "%4",
                "%zz%41",
                "50% of %",
                "%%41",
            })
    void readsMessageAsGrpcDoes(String sent) {
        var metadata = InternalMetadata.newMetadata(
                "grpc-message".getBytes(StandardCharsets.US_ASCII), sent.getBytes(StandardCharsets.US_ASCII));

        assertThat(Statuses.ofTrailers("5", sent).getDescription()).isEqualTo(metadata.get(InternalStatus.MESSAGE_KEY));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "1", "5", "14", "16", "17", "99", "-1", "x", "", "007"})
    void readsStatusAsGrpcDoes(String sent) {
        var metadata = InternalMetadata.newMetadata(
                "grpc-status".getBytes(StandardCharsets.US_ASCII), sent.getBytes(StandardCharsets.US_ASCII));
        var theirs = metadata.get(InternalStatus.CODE_KEY);

        assertThat(Statuses.ofTrailers(sent, "").getCode())
                .isEqualTo(theirs == null ? Status.Code.UNKNOWN : theirs.getCode());
    }
}
