package io.github.etcdgitops.gateway.store.gcs;

import io.github.etcdgitops.gateway.WholeAnswer;
import io.github.etcdgitops.gateway.store.call.Call;
import io.github.etcdgitops.gateway.store.credential.TrustedCa;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Optional;

/// Requests over HTTP, each with a deadline, and never redirected: the token goes nowhere else. 1.1, so
/// that a connection that breaks breaks one request.
final class GcsHttp implements AutoCloseable {
    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final Duration ANSWER = Duration.ofSeconds(20);
    private static final int LEAST_BYTES_A_SECOND = 1 << 16;

    /// No answer of Google's in JSON is as long.
    private static final int LIMIT = 16 << 20;

    private final HttpClient client;

    GcsHttp(Optional<KeyStore> trusted) {
        var builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(CONNECT);
        trusted.ifPresent(store -> builder.sslContext(TrustedCa.context(store)));
        this.client = builder.build();
    }

    static HttpRequest.Builder request(URI uri) {
        return HttpRequest.newBuilder(uri).timeout(ANSWER);
    }

    /// For a request that carries content.
    static HttpRequest.Builder request(URI uri, int bytes) {
        return HttpRequest.newBuilder(uri).timeout(ANSWER.plusSeconds(bytes / LEAST_BYTES_A_SECOND));
    }

    HttpResponse<byte[]> send(Call call, HttpRequest request) throws IOException {
        return send(call, request, HttpResponse.BodyHandlers.limiting(HttpResponse.BodyHandlers.ofByteArray(), LIMIT));
    }

    /// The content is read from the result while it arrives.
    HttpResponse<InputStream> open(Call call, HttpRequest request) throws IOException {
        return send(call, request, info -> new MediaStream(ANSWER));
    }

    private <T> HttpResponse<T> send(Call call, HttpRequest request, HttpResponse.BodyHandler<T> handler)
            throws IOException {
        try {
            return WholeAnswer.of(client, request, handler);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw call.lost("interrupted");
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
