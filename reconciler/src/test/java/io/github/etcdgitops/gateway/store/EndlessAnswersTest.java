package io.github.etcdgitops.gateway.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpServer;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.bounded.BoundedStream;
import io.github.etcdgitops.gateway.store.call.S3Answers;
import io.github.etcdgitops.gateway.store.s3.CreateCondition;
import io.github.etcdgitops.gateway.store.s3.PartSizes;
import io.github.etcdgitops.gateway.store.s3.S3Clients;
import io.github.etcdgitops.gateway.store.s3.S3Requests;
import io.github.etcdgitops.gateway.store.s3.S3Store;
import io.github.etcdgitops.spec.value.Destination;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Stores whose answers and listings have no end.
class EndlessAnswersTest {
    private static final String CONTENT =
            "<Contents><Key>k</Key><Size>1</Size>" + "<LastModified>2026-01-01T00:00:00.000Z</LastModified></Contents>";

    @FunctionalInterface
    private interface Answer {
        void write(OutputStream out) throws IOException;
    }

    private final AtomicInteger asked = new AtomicInteger();
    private HttpServer server;
    private int status = 200;
    private Answer answer = _ -> {};

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", exchange -> {
            try (exchange) {
                asked.incrementAndGet();
                exchange.sendResponseHeaders(status, 0);
                answer.write(exchange.getResponseBody());
            }
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private GatewayException listing() {
        var destination = new Destination.S3(
                "bucket",
                "",
                Optional.of("http://127.0.0.1:" + server.getAddress().getPort()),
                Optional.empty(),
                true,
                Optional.empty(),
                Optional.empty());
        var client = S3Clients.open(destination, S3Place.KEY, "us-east-1", Optional.empty());
        var requests = new S3Requests(client, "bucket", Optional.empty(), CreateCondition.IF_NONE_MATCH, 1000);
        try (var store = new S3Store(requests, "", destination.title(), InstantSource.system(), PartSizes.STANDARD)) {
            var failure = catchThrowableOfType(GatewayException.class, () -> store.list("", _ -> {}));
            assertThat(failure).isNotNull();
            return failure;
        }
    }

    private static void endless(OutputStream out, String head, String piece) throws IOException {
        out.write(head.getBytes(UTF_8));
        byte[] bytes = piece.repeat(1000).getBytes(UTF_8);
        for (long sent = 0; sent < 4L * S3Answers.LARGEST; sent += bytes.length) {
            out.write(bytes);
        }
    }

    private static Answer page(String inside) {
        return out -> out.write(("<ListBucketResult>" + inside + "</ListBucketResult>").getBytes(UTF_8));
    }

    @Test
    void refusesAPageThatDoesNotEnd() {
        answer = out -> endless(out, "<ListBucketResult>", CONTENT);

        var failure = listing();

        assertThat(failure.kind()).isEqualTo(Kind.REJECTED);
        assertThat(failure).hasMessageContaining("the answer has more than " + S3Answers.LARGEST + " bytes");
    }

    @Test
    void refusesARefusalThatDoesNotEnd() {
        status = 400;
        answer = out -> endless(out, "<Error><Code>X</Code>", "<Message>words of the server</Message>");

        assertThat(listing()).hasMessageNotContaining("words of the server");
    }

    @Test
    void refusesPagesThatComeAgain() {
        answer = page("<IsTruncated>true</IsTruncated><NextContinuationToken>same</NextContinuationToken>" + CONTENT);

        var failure = listing();

        assertThat(failure.kind()).isEqualTo(Kind.REJECTED);
        assertThat(failure).hasMessageContaining("the listing does not end");
        assertThat(asked).hasValueLessThan(4);
    }

    @Test
    void refusesPagesWithoutObjects() {
        answer = out -> page("<IsTruncated>true</IsTruncated><NextContinuationToken>" + asked
                        + "</NextContinuationToken>")
                .write(out);

        assertThat(listing()).hasMessageContaining("the listing does not end");
    }

    @Test
    void leavesAnAnswerThatTricklesIn() {
        InputStream trickle = new BoundedStream(new ByteArrayInputStream(new byte[10]), 10, Duration.ofNanos(-1));

        assertThatThrownBy(trickle::readAllBytes).isInstanceOf(SocketTimeoutException.class);
    }
}
