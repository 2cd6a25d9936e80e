package io.github.etcdgitops.gateway.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.grpc.Status;
import java.net.ConnectException;
import java.net.SocketException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EtcdErrorsTest {
    @ParameterizedTest
    @CsvSource({
        "UNAVAILABLE,         etcdserver: unhealthy cluster,                                            REJECTED,    "
                + " false",
        "FAILED_PRECONDITION, etcdserver: re-configuration failed due to not enough started members,    REJECTED,    "
                + " false",
        "UNKNOWN,             etcdserver: re-configuration failed due to not enough started members,    REJECTED,    "
                + " false",
        "FAILED_PRECONDITION, etcdserver: not leader,                                                   REJECTED,    "
                + " false",
        "FAILED_PRECONDITION, etcdserver: Peer URLs already exists,                                     CONFLICT,    "
                + " false",
        "FAILED_PRECONDITION, etcdserver: member ID already exist,                                      CONFLICT,    "
                + " false",
        "NOT_FOUND,           etcdserver: member not found,                                             NOT_FOUND,   "
                + " false",
        "FAILED_PRECONDITION, etcdserver: can only promote a learner member,                            CONFLICT,    "
                + " false",
        "FAILED_PRECONDITION, etcdserver: too many learner members in cluster,                          REJECTED,    "
                + " false",
        "UNKNOWN,             membership: too many learner members in cluster,                          REJECTED,    "
                + " false",
        "FAILED_PRECONDITION, etcdserver: bad leader transferee,                                        REJECTED,    "
                + " false",
        "UNAVAILABLE,         etcdserver: no leader,                                                    REJECTED,    "
                + " true",
        "UNAVAILABLE,         etcdserver: request timed out,                                            TIMEOUT,     "
                + " true",
        "UNKNOWN,             'etcdserver: request timed out, leader transfer took too long',           TIMEOUT,     "
                + " true",
        "UNAVAILABLE,         etcdserver: leader changed,                                               TIMEOUT,     "
                + " true",
        "UNAVAILABLE,         etcdserver: server stopped,                                               UNREACHABLE, "
                + " true",
        "INVALID_ARGUMENT,    etcdserver: user name is empty,                                           UNAUTHORIZED,"
                + " false",
        "PERMISSION_DENIED,   etcdserver: permission denied,                                            UNAUTHORIZED,"
                + " false",
        "UNAUTHENTICATED,     etcdserver: invalid auth token,                                           UNAUTHORIZED,"
                + " false",
        "FAILED_PRECONDITION, etcdserver: user name not found,                                          UNAUTHORIZED,"
                + " false",
        "UNKNOWN,             auth: user not found,                                                     UNAUTHORIZED,"
                + " false",
        "FAILED_PRECONDITION, etcdserver: authentication is not enabled,                                REJECTED,    "
                + " false",
        "UNKNOWN,             auth: user name is empty,                                                 UNAUTHORIZED,"
                + " false",
        "UNKNOWN,             auth: permission denied,                                                  UNAUTHORIZED,"
                + " false",
        "UNKNOWN,             auth: invalid auth token,                                                 UNAUTHORIZED,"
                + " false",
        "UNKNOWN,             auth: revision in header is old,                                          UNAUTHORIZED,"
                + " false",
        "OUT_OF_RANGE,        etcdserver: mvcc: required revision has been compacted,                   REJECTED,    "
                + " false",
        "OUT_OF_RANGE,        etcdserver: mvcc: required revision is a future revision,                 REJECTED,    "
                + " false",
        "DEADLINE_EXCEEDED,   deadline exceeded after 0.5s,                                             TIMEOUT,     "
                + " true",
        "UNIMPLEMENTED,       unknown method MemberPromote,                                             REJECTED,    "
                + " false",
        "RESOURCE_EXHAUSTED,  gRPC message exceeds maximum size,                                        REJECTED,    "
                + " true",
        "INTERNAL,            <script>secret</script>,                                                  REJECTED,    "
                + " true",
    })
    void classifiesChangeByServerAnswer(Status.Code code, String text, Kind kind, boolean mayHaveHappened) {
        var raw = code.toStatus().withDescription(text);

        var translated = EtcdErrors.changing("doing it", raw.asRuntimeException());

        assertThat(translated.kind()).isEqualTo(kind);
        assertThat(translated.mayHaveHappened()).isEqualTo(mayHaveHappened);
        assertThat(translated).hasMessageStartingWith("doing it: ").hasNoCause();
        assertThat(translated.getMessage()).doesNotContain("etcdserver", "script", "secret");
    }

    @Test
    void readingNeverMayHaveHappened() {
        var lost = EtcdErrors.reading("asking", Status.UNAVAILABLE.asRuntimeException());

        assertThat(lost.kind()).isEqualTo(Kind.UNREACHABLE);
        assertThat(lost.mayHaveHappened()).isFalse();
    }

    @Test
    void refusedConnectionProvesThatNothingHappened() {
        var refused = changed(new ConnectException("Connection refused: /10.0.0.1:2379"));

        assertThat(refused.kind()).isEqualTo(Kind.UNREACHABLE);
        assertThat(refused.mayHaveHappened()).isFalse();
    }

    @Test
    void lostConnectionProvesNothing() {
        var lost = changed(new SocketException("Connection reset"));

        assertThat(lost.kind()).isEqualTo(Kind.UNREACHABLE);
        assertThat(lost.mayHaveHappened()).isTrue();
    }

    @Test
    void failedHandshakeIsNoDeadMember() {
        assertThat(changed(new SSLHandshakeException("PKIX path building failed"))
                        .kind())
                .isEqualTo(Kind.UNAUTHORIZED);
    }

    @ParameterizedTest
    @CsvSource({
        "DEADLINE_EXCEEDED, context deadline exceeded,                                          true",
        "CANCELLED,         context canceled,                                                   true",
        "UNKNOWN,           etcdserver: request cancelled,                                      true",
        "UNAVAILABLE,       etcdserver: request timed out,                                      true",
        "UNAVAILABLE,       etcdserver: no leader,                                              true",
        "UNAVAILABLE,       etcdserver: server stopped,                                         false",
        "INVALID_ARGUMENT,  'etcdserver: authentication failed, invalid user ID or password',   false",
    })
    void tellsLackOfMajorityFromRefusal(Status.Code code, String text, boolean lacks) {
        assertThat(EtcdErrors.lacksMajority(
                        code.toStatus().withDescription(text).asRuntimeException()))
                .isEqualTo(lacks);
    }

    @Test
    void onlyALearnerThatLagsIsBehind() {
        var behind = "etcdserver: can only promote a learner member which is in sync with leader";
        var voter = "etcdserver: can only promote a learner member";

        assertThat(EtcdErrors.learnerBehind(precondition(behind))).isTrue();
        assertThat(EtcdErrors.learnerBehind(precondition(voter))).isFalse();
    }

    private static GatewayException changed(Throwable cause) {
        return EtcdErrors.changing(
                "doing it",
                Status.UNAVAILABLE
                        .withDescription("io exception")
                        .withCause(cause)
                        .asRuntimeException());
    }

    private static Throwable precondition(String text) {
        return Status.FAILED_PRECONDITION.withDescription(text).asRuntimeException();
    }
}
