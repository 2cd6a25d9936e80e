package io.github.etcdgitops.trial.bench;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The HTTP gateway of a ring's members. In plain text or over TLS: whichever answers, and first the one that did the
/// last time. Whose certificate it is says nothing there: etcd asks for a token.
final class HttpGateway {
    private static final HttpClient HTTP = builder().build();

    private final RingTls tls;

    /// Each `HOST:PORT` that answered over TLS the last time.
    private final Set<String> secured = ConcurrentHashMap.newKeySet();

    private final Map<String, HttpClient> clients = new ConcurrentHashMap<>();

    HttpGateway(RingTls tls) {
        this.tls = tls;
    }

    boolean isSecured(String address) {
        return secured.contains(address);
    }

    /// The gateway of 3.3 has another root.
    Optional<HttpResponse<String>> post(String address, String path, String body, Optional<String> token) {
        return send(address, "/v3" + path, body, token)
                .flatMap(answer -> answer.statusCode() == 404
                        ? send(address, "/v3beta" + path, body, token)
                        : Optional.of(answer));
    }

    private Optional<HttpResponse<String>> send(String address, String path, String body, Optional<String> token) {
        var request =
                HttpRequest.newBuilder().timeout(Duration.ofSeconds(2)).POST(HttpRequest.BodyPublishers.ofString(body));
        token.ifPresent(t -> request.header("Authorization", t));
        boolean before = secured.contains(address);
        var answer = send(request, address, before, path);
        if (answer.isPresent() || tls.client().isEmpty()) {
            return answer;
        }
        answer = send(request, address, !before, path);
        if (answer.isPresent() && before) {
            secured.remove(address);
        } else if (answer.isPresent()) {
            secured.add(address);
        }
        return answer;
    }

    /// A server that waits for TLS answers 400 to whoever comes in the clear, and not in JSON.
    private Optional<HttpResponse<String>> send(
            HttpRequest.Builder request, String address, boolean overTls, String path) {
        var uri = URI.create((overTls ? "https://" : "http://") + address + path);
        try {
            var http = overTls ? overTls() : HTTP;
            return Optional.of(http.send(request.uri(uri).build(), HttpResponse.BodyHandlers.ofString()))
                    .filter(answer -> overTls
                            || answer.statusCode() != 400
                            || answer.body().startsWith("{"));
        } catch (IOException _) {
            return Optional.empty();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private HttpClient overTls() {
        var client = tls.require();
        return clients.computeIfAbsent(
                client.version(), _ -> builder().sslContext(client.lenient()).build());
    }

    private static HttpClient.Builder builder() {
        return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(Duration.ofSeconds(1));
    }
}
