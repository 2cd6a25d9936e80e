package io.github.etcdgitops.gateway.store.s3;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.store.call.Call;
import io.github.etcdgitops.gateway.store.call.ClockSkew;
import io.github.etcdgitops.gateway.store.call.Network;
import io.github.etcdgitops.gateway.store.call.S3Answers;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/// The only place that interprets errors of S3 stores and their client. It passes on only our own words.
final class S3Errors {
    private record Meaning(Kind kind, String advice) {}

    private static final Meaning BUSY = new Meaning(Kind.UNREACHABLE, "the store is overloaded or failing; try again");
    private static final Meaning EXPIRED =
            new Meaning(Kind.UNAUTHORIZED, "the session token has expired or is not valid; put a new one in its file");
    private static final Meaning FULL = new Meaning(
            Kind.REJECTED, "the store has no space left, or a quota is used up; raise it or keep fewer backups");
    private static final Meaning KMS =
            new Meaning(Kind.REJECTED, "the store cannot use the KMS key; check kmsKeyId and the rights on the key");
    private static final Meaning ELSEWHERE =
            new Meaning(Kind.REJECTED, "the bucket is in another region; set 'region' of the destination to it");

    private static final Map<String, Meaning> CODES = Map.ofEntries(
            Map.entry(
                    "InvalidAccessKeyId",
                    new Meaning(Kind.UNAUTHORIZED, "the store does not know the access key id; check the credentials")),
            Map.entry(
                    "SignatureDoesNotMatch",
                    new Meaning(
                            Kind.UNAUTHORIZED,
                            "the secret access key does not belong to that access key id; check the credentials")),
            Map.entry("ExpiredToken", EXPIRED),
            Map.entry("InvalidToken", EXPIRED),
            Map.entry("TokenRefreshRequired", EXPIRED),
            Map.entry("AccessDenied", denied()),
            Map.entry("AllAccessDisabled", denied()),
            Map.entry("AccountProblem", denied()),
            Map.entry(
                    "NoSuchBucket",
                    new Meaning(Kind.NOT_FOUND, "the bucket does not exist; create it, or correct its name")),
            Map.entry("NoSuchKey", new Meaning(Kind.NOT_FOUND, "it does not exist")),
            Map.entry(
                    "NoSuchUpload",
                    new Meaning(Kind.CONFLICT, "another client, or a rule of the bucket, aborted this upload")),
            Map.entry("PreconditionFailed", new Meaning(Kind.CONFLICT, "it already exists")),
            Map.entry(
                    "ConditionalRequestConflict",
                    new Meaning(Kind.CONFLICT, "another client is writing it at the same time")),
            Map.entry("PermanentRedirect", ELSEWHERE),
            Map.entry("AuthorizationHeaderMalformed", ELSEWHERE),
            Map.entry("IllegalLocationConstraintException", ELSEWHERE),
            Map.entry("QuotaExceeded", FULL),
            Map.entry("InsufficientCapacity", FULL),
            Map.entry("XMinioStorageFull", FULL),
            Map.entry("XMinioAdminBucketQuotaExceeded", FULL),
            Map.entry("EntityTooLarge", new Meaning(Kind.REJECTED, "it is larger than the store accepts")),
            Map.entry("InvalidBucketName", new Meaning(Kind.REJECTED, "the store refuses the name of the bucket")),
            Map.entry(
                    "BadDigest",
                    new Meaning(Kind.UNREACHABLE, "it was damaged during the transfer and was refused; try again")),
            Map.entry("KMS.DisabledException", KMS),
            Map.entry("KMS.NotFoundException", KMS),
            Map.entry("KMS.KMSInvalidStateException", KMS),
            Map.entry("SlowDown", BUSY),
            Map.entry("ServiceUnavailable", BUSY),
            Map.entry("InternalError", BUSY),
            Map.entry(
                    "RequestTimeout",
                    new Meaning(Kind.UNREACHABLE, "the store did not receive the content in time; try again")));

    private S3Errors() {}

    private static Meaning denied() {
        return new Meaning(
                Kind.UNAUTHORIZED, "access denied; docs/backup-stores.md lists the rights that the key needs");
    }

    static GatewayException translate(Call call, RuntimeException failure, InstantSource clock) {
        var other = Network.causes(failure)
                .filter(S3Answers.NotS3.class::isInstance)
                .findFirst();
        if (other.isPresent()) {
            return call.refused(Kind.REJECTED, String.valueOf(other.get().getMessage()));
        }
        return switch (failure) {
            case GatewayException known -> known;
            case S3Exception answer -> answered(call, answer, clock);
            case SdkException sdk -> notAnswered(call, sdk);
            case UncheckedIOException broken -> Network.translate(call, broken).orElseThrow();
            default -> throw failure;
        };
    }

    static String code(S3Exception answer) {
        return Optional.ofNullable(answer.awsErrorDetails())
                .map(details -> details.errorCode())
                .orElse("");
    }

    private static GatewayException answered(Call call, S3Exception answer, InstantSource clock) {
        String code = code(answer);
        if (code.equals("RequestTimeTooSkewed")) {
            return call.refused(Kind.UNAUTHORIZED, ClockSkew.advice(header(answer, "Date"), clock));
        }
        var meaning = CODES.get(code);
        if (meaning != null) {
            return meaning.kind() == Kind.UNREACHABLE
                    ? call.lost(meaning.advice())
                    : call.refused(meaning.kind(), meaning.advice());
        }
        int status = answer.statusCode();
        return switch (status) {
            // Answers to HEAD have no body, and so no code.
            case 401, 403 -> call.refused(Kind.UNAUTHORIZED, denied().advice());
            case 404 -> call.refused(Kind.NOT_FOUND, "there is no such bucket or object");
            case 409, 412 -> call.refused(Kind.CONFLICT, "it already exists, or another client is writing it");
            case 301, 302, 303, 307, 308 -> call.refused(Kind.REJECTED, redirected(answer, status));
            case 507 -> call.refused(Kind.REJECTED, FULL.advice());
            default ->
                status >= 500 || status == 429
                        ? call.lost(BUSY.advice())
                        : call.refused(Kind.REJECTED, "the store refused with status " + status + shown(code));
        };
    }

    /// Amazon's own redirects name the bucket's region. Any other redirect would send credentials to
    /// another server.
    private static String redirected(S3Exception answer, int status) {
        return header(answer, "x-amz-bucket-region").isPresent()
                ? ELSEWHERE.advice()
                : "the server redirects to another server (status " + status
                        + "), which is not followed; name the right server in 'endpoint' of the destination";
    }

    /// A code is shown only where it looks like one: it comes from outside.
    private static String shown(String code) {
        return code.matches("[A-Za-z.]{1,60}") ? " (" + code + ")" : "";
    }

    private static Optional<String> header(S3Exception answer, String name) {
        return Optional.ofNullable(answer.awsErrorDetails())
                .flatMap(details -> Optional.ofNullable(details.sdkHttpResponse()))
                .flatMap(response -> response.firstMatchingHeader(name));
    }

    private static GatewayException notAnswered(Call call, SdkException failure) {
        if (failure instanceof AbortedException) {
            Thread.currentThread().interrupt();
            return call.lost("interrupted");
        }
        if (failure instanceof ApiCallAttemptTimeoutException) {
            return call.lost("the store received the content too slowly; check the network");
        }
        return Network.translate(call, failure)
                .orElseGet(() -> failure.retryable() || causes(failure).count() > 1
                        ? call.lost("the connection broke")
                        : call.refused(Kind.REJECTED, "the client refuses it; check the bucket's name and the region"));
    }

    private static Stream<Throwable> causes(Throwable failure) {
        return Network.causes(failure);
    }
}
