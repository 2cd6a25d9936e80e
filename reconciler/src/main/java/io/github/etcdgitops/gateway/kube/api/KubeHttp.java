package io.github.etcdgitops.gateway.kube.api;

import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Sends requests and reads answers as streams, each up to a limit in bytes: whoever may write an object
/// decides how long an API server's answer is.
public final class KubeHttp {
    /// More than any object has: etcd accepts 1.5 MiB, which may take more characters as JSON.
    public static final int LARGEST_ANSWER = 4 << 20;

    private static final int READ_RETRIES = 2;
    private static final int RETRY_MILLIS = 100;

    /// A list may be long; its time limit, in request timeouts.
    private static final int LIST_PATIENCE = 30;

    private final HttpClient reads;
    private final HttpClient writes;
    private final Duration timeout;
    private final Semaphore inFlight;

    KubeHttp(HttpClient http, Duration timeout, int maxInFlight) {
        this.reads = withRetries(http, READ_RETRIES);
        this.writes = withRetries(http, 0);
        this.timeout = timeout;
        this.inFlight = new Semaphore(maxInFlight);
    }

    private static HttpClient withRetries(HttpClient http, int retries) {
        return http.newBuilder()
                .tag(new RequestConfigBuilder()
                        .withRequestRetryBackoffLimit(retries)
                        .withRequestRetryBackoffInterval(RETRY_MILLIS)
                        .build())
                .build();
    }

    /// An answer that was short enough to hold.
    static final class Answer {
        private final int code;
        private final Optional<String> date;
        private final byte[] body;

        private Answer(int code, Optional<String> date, byte[] body) {
            this.code = code;
            this.date = date;
            this.body = body;
        }

        int code() {
            return code;
        }

        Optional<String> date() {
            return date;
        }

        byte[] body() {
            return body;
        }

        boolean isSuccessful() {
            return HttpResponse.isSuccessful(code);
        }
    }

    /// Reads a body that is not held as a whole.
    @FunctionalInterface
    interface Reading<T> {
        T read(HttpResponse<AsyncBody> head, InputStream body) throws IOException;
    }

    HttpRequest.Builder read() {
        return reads.newHttpRequestBuilder();
    }

    HttpRequest.Builder write() {
        return writes.newHttpRequestBuilder();
    }

    Answer send(ApiCall call, HttpRequest.Builder request) {
        return send(call, request, LARGEST_ANSWER);
    }

    /// More than `bound` bytes are REJECTED.
    Answer send(ApiCall call, HttpRequest.Builder request, int bound) {
        HttpClient http = call.verb().write() ? writes : reads;
        Duration longest = call.verb().write() ? timeout.plusSeconds(2) : timeout.multipliedBy(2);
        return exchange(call, http, request, longest, (head, body) -> {
            byte[] bytes = body.readNBytes(bound + 1);
            if (bytes.length > bound) {
                throw call.failed(Kind.REJECTED, "the answer has more than " + bound + " bytes");
            }
            return new Answer(head.code(), Optional.ofNullable(head.header("Date")), bytes);
        });
    }

    /// For any length. The reader holds what it needs.
    <T> T stream(ApiCall call, HttpRequest.Builder request, Reading<T> reading) {
        return exchange(call, reads, request, timeout.multipliedBy(LIST_PATIENCE), reading);
    }

    private <T> T exchange(
            ApiCall call, HttpClient http, HttpRequest.Builder request, Duration longest, Reading<T> reading) {
        Duration head = call.verb().write() ? timeout.plusSeconds(2) : timeout.multipliedBy(2);
        try {
            if (!inFlight.tryAcquire(head.toMillis(), TimeUnit.MILLISECONDS)) {
                throw call.failed(Kind.TIMEOUT, "not sent in time: too many requests are in progress");
            }
            try (var body = new BodyStream(head, longest)) {
                HttpRequest ready = request.timeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                        .build();
                var answer = await(http.consumeBytes(ready, body), head);
                body.follow(answer.body());
                return reading.read(answer, body);
            } finally {
                inFlight.release();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw call.lost(e);
        } catch (BodyStream.StalledException _) {
            throw call.lost(new TimeoutException());
        } catch (ExecutionException | TimeoutException | IOException e) {
            throw call.lost(Errors.root(e));
        }
    }

    private static <T> T await(CompletableFuture<T> future, Duration longest)
            throws InterruptedException, ExecutionException, TimeoutException {
        try {
            return future.get(longest.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException | TimeoutException e) {
            future.cancel(true);
            throw e;
        }
    }

    static GatewayException unreadable(ApiCall call) {
        // Without a cause: a parser quotes what it could not read.
        return new GatewayException(Kind.UNREACHABLE, call.verb().write(), call + ": the answer is not a JSON object");
    }
}
