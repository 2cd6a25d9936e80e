package io.github.etcdgitops.gateway.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.store.s3.CreateCondition;
import io.github.etcdgitops.gateway.store.s3.PartSizes;
import io.github.etcdgitops.gateway.store.s3.S3Clients;
import io.github.etcdgitops.gateway.store.s3.S3Requests;
import io.github.etcdgitops.gateway.store.s3.S3Store;
import io.github.etcdgitops.spec.value.Destination;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What stores say that the S3 server at hand never does, from a server that says what it is told to.
class S3AnswersTest {
    /// The server itself writes the date of its answers, and it is right.
    private static final InstantSource TWENTY_MINUTES_BEHIND =
            InstantSource.offset(InstantSource.system(), Duration.ofMinutes(-20));

    private record Answer(int status, String code, Map<String, String> headers) {
        Answer(int status, String code) {
            this(status, code, Map.of());
        }
    }

    private record Asked(String method, String path, com.sun.net.httpserver.Headers headers) {}

    @FunctionalInterface
    private interface Script {
        Answer answer(Asked asked);
    }

    private final List<Asked> asked = new CopyOnWriteArrayList<>();
    private HttpServer server;
    private Script script = _ -> new Answer(404, "NoSuchKey");

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::handle);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            var question = new Asked(
                    exchange.getRequestMethod(), exchange.getRequestURI().toString(), exchange.getRequestHeaders());
            asked.add(question);
            var answer = script.answer(question);
            answer.headers()
                    .forEach((name, value) -> exchange.getResponseHeaders().set(name, value));
            byte[] body = answer.code().isEmpty()
                    ? new byte[0]
                    : "<Error><Code>%s</Code><Message>words of the server</Message></Error>"
                            .formatted(answer.code())
                            .getBytes(StandardCharsets.UTF_8);
            boolean head = question.method().equals("HEAD") || body.length == 0;
            exchange.sendResponseHeaders(answer.status(), head ? -1 : body.length);
            if (!head) {
                exchange.getResponseBody().write(body);
            }
        }
    }

    private S3Store store(Optional<Destination.ServerSideEncryption> encryption) {
        var destination = new Destination.S3(
                "bucket",
                "",
                Optional.of("http://127.0.0.1:" + server.getAddress().getPort()),
                Optional.empty(),
                true,
                Optional.empty(),
                encryption);
        var client = S3Clients.open(destination, S3Place.KEY, "us-east-1", Optional.empty());
        var requests = new S3Requests(client, "bucket", encryption, CreateCondition.IF_NONE_MATCH, 1000);
        return new S3Store(requests, "", destination.title(), TWENTY_MINUTES_BEHIND, PartSizes.STANDARD);
    }

    private GatewayException failure(ThrowingCallable call) {
        var failure = catchThrowableOfType(GatewayException.class, call);
        assertThat(failure).isNotNull();
        assertThat(failure).hasMessageNotContaining("words of the server").hasNoCause();
        return failure;
    }

    @ParameterizedTest
    @CsvSource({
        "403, AccessDenied, UNAUTHORIZED, access denied",
        "400, ExpiredToken, UNAUTHORIZED, session token",
        "403, SomethingNew, UNAUTHORIZED, access denied",
        "301, PermanentRedirect, REJECTED, another region",
        "400, AuthorizationHeaderMalformed, REJECTED, another region",
        "403, QuotaExceeded, REJECTED, no space left",
        "507, XMinioStorageFull, REJECTED, no space left",
        "400, InvalidBucketName, REJECTED, name of the bucket",
        "400, SomethingNew, REJECTED, status 400 (SomethingNew)",
        "503, SlowDown, UNREACHABLE, overloaded",
        "500, SomethingNew, UNREACHABLE, overloaded",
    })
    void refusalsHaveOwnMessages(int status, String code, Kind kind, String words) {
        script = _ -> new Answer(status, code);

        try (var store = store(Optional.empty())) {
            var failure = failure(() -> store.list(""));

            assertThat(failure.kind()).isEqualTo(kind);
            assertThat(failure).hasMessageContaining(words).hasMessageContaining("s3://bucket/");
        }
    }

    @Test
    void reportsClockSkew() {
        script = _ -> new Answer(403, "RequestTimeTooSkewed");

        try (var store = store(Optional.empty())) {
            var failure = failure(() -> store.list(""));

            assertThat(failure.kind()).isEqualTo(Kind.UNAUTHORIZED);
            assertThat(failure).hasMessageMatching(".*clock is 1[12]\\d\\d seconds behind the store's.*");
        }
    }

    @Test
    void respectsObjectLockAndReportsIt() {
        script = question -> question.method().equals("DELETE")
                ? new Answer(403, "AccessDenied")
                : new Answer(
                        200, "", Map.of("ETag", "e", "x-amz-object-lock-retain-until-date", "2027-01-01T00:00:00Z"));

        try (var store = store(Optional.empty())) {
            var failure = failure(() -> store.delete("a"));

            assertThat(failure.kind()).isEqualTo(Kind.REJECTED);
            assertThat(failure).hasMessageContaining("the store locks it until 2027-01-01");
        }
        assertThat(asked).noneMatch(a -> a.headers().containsKey("x-amz-bypass-governance-retention"));
    }

    @Test
    void missingRightToDeleteIsNoLock() {
        script = question -> question.method().equals("DELETE")
                ? new Answer(403, "AccessDenied")
                : new Answer(200, "", Map.of("ETag", "e"));

        try (var store = store(Optional.empty())) {
            assertThat(failure(() -> store.delete("a")).kind()).isEqualTo(Kind.UNAUTHORIZED);
        }
    }

    @Test
    void retriesWithoutUnsupportedConditionAfterHead() {
        script = question -> switch (question.method()) {
            case "HEAD" -> new Answer(404, "");
            case "PUT" ->
                question.headers().containsKey("If-None-Match")
                        ? new Answer(501, "NotImplemented")
                        : new Answer(200, "", Map.of("ETag", "\"a\""));
            default -> throw new IllegalStateException(question.method());
        };

        try (var store = store(Optional.empty())) {
            store.create("a", new byte[] {1});
        }

        assertThat(asked.getLast().method()).isEqualTo("PUT");
        assertThat(asked.get(asked.size() - 2).method()).isEqualTo("HEAD");
    }

    @Test
    void writesWithoutRightToReadMetadata() {
        script = question ->
                question.method().equals("HEAD") ? new Answer(403, "") : new Answer(200, "", Map.of("ETag", "\"a\""));

        try (var store = store(Optional.empty())) {
            store.create("a", new byte[] {1});
        }

        assertThat(asked.getLast().headers()).containsEntry("If-none-match", List.of("*"));
    }

    @Test
    void contentIsProtectedByADigestAndEncryptedAsAsked() {
        script = question ->
                question.method().equals("HEAD") ? new Answer(404, "") : new Answer(200, "", Map.of("ETag", "\"a\""));
        var encryption = new Destination.ServerSideEncryption("aws:kms", Optional.of("alias/backups"));

        try (var store = store(Optional.of(encryption))) {
            store.create("a", new byte[] {1, 2, 3});
        }

        assertThat(asked.getLast().headers())
                .doesNotContainKey("Content-encoding")
                .containsEntry("Content-md5", List.of("Uonfc331cyb83SJZevsfrA=="))
                .containsEntry("X-amz-server-side-encryption", List.of("aws:kms"))
                .containsEntry("X-amz-server-side-encryption-aws-kms-key-id", List.of("alias/backups"));
    }
}
