package io.github.etcdgitops.gateway.store.gcs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.store.call.Call;
import io.github.etcdgitops.gateway.store.call.Network;
import io.github.etcdgitops.gateway.store.credential.HttpEndpoint;
import io.github.etcdgitops.gateway.store.credential.ServiceAccount;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Google's JSON API as a service account: the token, tries, and answers as JSON.
public final class GcsApi implements AutoCloseable {
    static final int TRIES = 3;
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PAUSE = Duration.ofMillis(500);
    /// Seconds that a token is used, whatever its service says.
    private static final int LONGEST_TOKEN = 3600;

    private static final Duration BEFORE_EXPIRY = Duration.ofMinutes(1);

    private final URI endpoint;
    private final ServiceAccount account;
    private final GcsHttp http;
    private final InstantSource clock;
    private final Consumer<Duration> pause;
    private Optional<Token> token = Optional.empty();

    private record Token(String text, Instant until) {
        @Override
        public String toString() {
            return "Token[***]";
        }
    }

    public GcsApi(
            URI endpoint,
            ServiceAccount account,
            Optional<KeyStore> trusted,
            InstantSource clock,
            Consumer<Duration> pause) {
        this.endpoint = endpoint;
        this.account = account;
        this.http = new GcsHttp(trusted);
        this.clock = clock;
        this.pause = pause;
    }

    static String escaped(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    URI uri(String pathAndQuery) {
        return URI.create(endpoint.toString().replaceAll("/+$", "") + pathAndQuery);
    }

    /// A request with our token, tried again where that may help. Whatever the answer is it comes back.
    HttpResponse<byte[]> ask(Call call, Supplier<HttpRequest.Builder> request) {
        return trying(call, () -> http.send(call, authorized(call, request)));
    }

    HttpResponse<InputStream> open(Call call, Supplier<HttpRequest.Builder> request) {
        return trying(call, () -> http.open(call, authorized(call, request)));
    }

    /// One request to an address that Google gave for one upload, which is a right by itself: without our
    /// token, and without another try.
    HttpResponse<byte[]> session(Call call, HttpRequest request) throws IOException {
        return http.send(call, request);
    }

    /// The address of one upload, which the store names. Nothing goes to a server that the operator did not name.
    URI upload(Call call, String location) {
        if (!HttpEndpoint.server(location).equals(HttpEndpoint.server(endpoint.toString()))
                || HttpEndpoint.server(location).isEmpty()) {
            throw call.refused(
                    Kind.REJECTED,
                    "the store wants the content to be sent to another server than " + endpoint + "; see the endpoint");
        }
        return URI.create(location);
    }

    void pauseAfter(int tries) {
        pause.accept(PAUSE.multipliedBy(1L << tries));
    }

    static JsonNode json(Call call, HttpResponse<byte[]> response) {
        try {
            return JSON.readTree(response.body());
        } catch (IOException _) {
            throw otherServer(call, response);
        }
    }

    /// It answers, and not as Google does. Nothing of the answer is repeated but its content type.
    static GatewayException otherServer(Call call, HttpResponse<byte[]> response) {
        String server = HttpEndpoint.server(response.uri().toString())
                .map(endpoint -> " at " + endpoint)
                .orElse("");
        String type = response.headers()
                .firstValue("Content-Type")
                .map(text -> text.replaceFirst(";.*", "").strip())
                .filter(text -> text.matches("[A-Za-z0-9.+-]{1,40}/[A-Za-z0-9.+-]{1,40}"))
                .orElse("an answer without a content type");
        return call.refused(
                Kind.REJECTED,
                "what answers" + server + " is no Google Cloud Storage (" + type
                        + "); see the endpoint, and what stands between");
    }

    static GatewayException refusal(Call call, HttpResponse<byte[]> response) {
        return GcsErrors.translate(call, response, GcsErrors.reason(response.body()));
    }

    @FunctionalInterface
    private interface Request<T> {
        HttpResponse<T> send() throws IOException;
    }

    private <T> HttpResponse<T> trying(Call call, Request<T> request) {
        for (int tries = 1; true; tries++) {
            try {
                var response = request.send();
                boolean stale = response.statusCode() == 401 && tries == 1;
                if (stale) {
                    forget();
                } else if (tries == TRIES || !GcsErrors.worthAnotherTry(response.statusCode())) {
                    return response;
                }
            } catch (IOException e) {
                if (tries == TRIES) {
                    throw Network.translate(call, e).orElseThrow();
                }
            }
            pauseAfter(tries);
        }
    }

    private HttpRequest authorized(Call call, Supplier<HttpRequest.Builder> request) throws IOException {
        return request.get().header("Authorization", "Bearer " + token(call)).build();
    }

    private synchronized void forget() {
        token = Optional.empty();
    }

    private synchronized String token(Call call) throws IOException {
        Instant now = clock.instant();
        if (token.isEmpty() || !now.isBefore(token.get().until())) {
            token = Optional.of(newToken(call, now));
        }
        return token.get().text();
    }

    private Token newToken(Call call, Instant now) throws IOException {
        String form = "grant_type=" + escaped("urn:ietf:params:oauth:grant-type:jwt-bearer") + "&assertion="
                + GcsToken.statement(account, now);
        var response = http.send(
                call,
                GcsHttp.request(account.tokenUri())
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .POST(HttpRequest.BodyPublishers.ofString(form))
                        .build());
        if (response.statusCode() != 200) {
            throw GcsErrors.noToken(call, response, clock);
        }
        var answer = json(call, response);
        String text = answer.path("access_token").asText();
        if (text.isEmpty()) {
            throw call.refused(Kind.UNAUTHORIZED, "the token service answered without a token; see token_uri");
        }
        long seconds = Math.clamp(answer.path("expires_in").asLong(0), 0, LONGEST_TOKEN);
        return new Token(text, now.plusSeconds(seconds).minus(BEFORE_EXPIRY));
    }

    @Override
    public void close() {
        http.close();
    }
}
