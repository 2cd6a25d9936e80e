package io.github.etcdgitops.gateway.forge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.bounded.WholeAnswer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntPredicate;

/// Requests to one forge's API: each with a deadline, and never redirected, so that the token goes to no
/// other host. A request that is safe to repeat is tried three times; any other is sent once, unless the
/// forge says that it did not process it.
final class ForgeHttp implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int FORBIDDEN = 403;
    private static final int TRIES = 3;
    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final Duration PAUSE = Duration.ofMillis(500);

    /// A CI job should end rather than wait longer.
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    /// A larger answer than a page of comments needs is refused.
    private static final int LIMIT = 16 << 20;

    private final ForgeSettings settings;
    private final Map<String, String> headers;
    private final Consumer<Duration> pause;
    private final ForgeErrors errors;
    private final HttpClient client;

    ForgeHttp(ForgeSettings settings, Map<String, String> headers, InstantSource clock, Consumer<Duration> pause) {
        this.settings = settings;
        this.headers = headers;
        this.pause = pause;
        this.errors = new ForgeErrors(settings.kind(), settings.ca(), clock);
        var builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(CONNECT);
        settings.ca().map(ForgeAuthorities::read).ifPresent(builder::sslContext);
        this.client = builder.build();
    }

    ForgeErrors errors() {
        return errors;
    }

    JsonNode get(String path) {
        return json(twice("GET", path, HttpRequest.BodyPublishers.noBody(), ForgeHttp::done));
    }

    /// Empty where this token may not read it. A token that the forge does not accept at all is an error.
    Optional<JsonNode> getUnlessForbidden(String path) {
        var response =
                twice("GET", path, HttpRequest.BodyPublishers.noBody(), status -> done(status) || status == FORBIDDEN);
        return response.statusCode() == FORBIDDEN ? Optional.empty() : Optional.of(json(response));
    }

    /// Repeating the same change gives the same result.
    void change(String method, String path, Map<String, ?> body) {
        twice(method, path, publisher(body), ForgeHttp::done);
    }

    JsonNode post(String path, Map<String, ?> body) {
        for (int tries = 1; true; tries++) {
            var response = send(request("POST", path, publisher(body)));
            if (done(response.statusCode())) {
                return json(response);
            }
            var wait = errors.limited(response);
            if (wait.isEmpty()) {
                throw errors.refusal(response, true);
            }
            pauseOrGiveUp(response, wait.get(), tries);
        }
    }

    private static boolean done(int status) {
        return status / 100 == 2;
    }

    private HttpResponse<byte[]> twice(
            String method, String path, HttpRequest.BodyPublisher body, IntPredicate welcome) {
        for (int tries = 1; true; tries++) {
            var answer = answer(request(method, path, body), tries == TRIES);
            var wait = answer.flatMap(errors::limited);
            if (wait.isPresent()) {
                pauseOrGiveUp(answer.get(), wait.get(), tries);
                continue;
            }
            if (answer.isPresent()) {
                int status = answer.get().statusCode();
                if (welcome.test(status)) {
                    return answer.get();
                }
                if (tries == TRIES || !ForgeErrors.passing(status)) {
                    throw errors.refusal(answer.get(), false);
                }
            }
            pause.accept(PAUSE.multipliedBy(1L << tries));
        }
    }

    /// Empty where there was no answer and another try may help.
    private Optional<HttpResponse<byte[]>> answer(HttpRequest request, boolean last) {
        try {
            return Optional.of(send(request));
        } catch (GatewayException e) {
            if (last || !(e.kind() == Kind.UNREACHABLE || e.kind() == Kind.TIMEOUT)) {
                throw e;
            }
            return Optional.empty();
        }
    }

    private void pauseOrGiveUp(HttpResponse<byte[]> response, Duration wait, int tries) {
        if (tries == TRIES || wait.compareTo(LONGEST_PAUSE) > 0) {
            throw errors.tooMany(wait, response.statusCode());
        }
        pause.accept(wait);
    }

    private HttpRequest request(String method, String path, HttpRequest.BodyPublisher body) {
        var uri = URI.create(settings.api().toString().replaceAll("/+$", "") + path);
        var request = HttpRequest.newBuilder(uri)
                .timeout(settings.patience())
                .header("User-Agent", "etcd-gitops")
                .header("Content-Type", "application/json")
                .method(method, body);
        headers.forEach(request::header);
        return request.build();
    }

    private HttpResponse<byte[]> send(HttpRequest request) {
        boolean safe = request.method().equals("GET");
        try {
            return WholeAnswer.of(
                    client,
                    request,
                    HttpResponse.BodyHandlers.limiting(HttpResponse.BodyHandlers.ofByteArray(), LIMIT));
        } catch (IOException e) {
            throw errors.unanswered(e, !safe);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new GatewayException(Kind.UNREACHABLE, !safe, "interrupted");
        }
    }

    private static HttpRequest.BodyPublisher publisher(Map<String, ?> body) {
        try {
            return HttpRequest.BodyPublishers.ofByteArray(JSON.writeValueAsBytes(body));
        } catch (IOException e) {
            throw new IllegalStateException("maps of texts can always be written", e);
        }
    }

    private JsonNode json(HttpResponse<byte[]> response) {
        try {
            return JSON.readTree(response.body());
        } catch (IOException _) {
            throw errors.notJson();
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
