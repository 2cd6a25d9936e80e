package io.github.etcdgitops.gateway.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.kube.ApiCall.Verb;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// The handful of requests that the product makes, on fabric8's HTTP client (which brings kubeconfig, TLS
/// and tokens).
///
/// The fluent client is not used for them because of what it hides: it returns null for every 404, a
/// proxy's or an unserved API's included, and here null would mean that an object is absent; it cannot
/// delete by UID; and it looks up a missing resourceVersion by itself, which would turn a guarded write
/// into an unguarded one.
///
/// Reads are repeated by the client on 429, 5xx and lost connections. Writes never are: a write that may
/// have happened is the caller's to look at.
final class KubeApi {
    private static final String JSON = "application/json";
    private static final int READ_RETRIES = 2;
    private static final int RETRY_MILLIS = 100;

    private final String master;
    private final HttpClient reads;
    private final HttpClient writes;
    private final Duration timeout;
    private final Semaphore inFlight;
    private final ServerTraits traits;

    KubeApi(String master, HttpClient http, Duration timeout, int maxInFlight) {
        this.master = master.endsWith("/") ? master.substring(0, master.length() - 1) : master;
        this.reads = withRetries(http, READ_RETRIES);
        this.writes = withRetries(http, 0);
        this.timeout = timeout;
        this.inFlight = new Semaphore(maxInFlight);
        this.traits = new ServerTraits(this);
    }

    private static HttpClient withRetries(HttpClient http, int retries) {
        return http.newBuilder()
                .tag(new RequestConfigBuilder()
                        .withRequestRetryBackoffLimit(retries)
                        .withRequestRetryBackoffInterval(RETRY_MILLIS)
                        .build())
                .build();
    }

    ServerTraits traits() {
        return traits;
    }

    /// Empty only when the API server itself says that there is no object of this name.
    Optional<ObjectNode> get(ObjectKind kind, String namespace, String name) {
        ApiCall call = ApiCall.of(Verb.GET, kind, namespace, name);
        HttpResponse<byte[]> answer =
                send(call, reads, reads.newHttpRequestBuilder().uri(uri(kind, namespace, name)));
        if (answer.code() == 404 && provesAbsence(answer.body(), name)) {
            return Optional.empty();
        }
        if (answer.code() == 404) {
            throw call.failed(Kind.UNREACHABLE, "HTTP 404, but not as an API server says that an object is absent");
        }
        return Optional.of(body(call, answer));
    }

    /// A document outside of the objects, such as `/version`. Empty on 404.
    Optional<ObjectNode> document(String path) {
        return dated(path).map(Dated::document);
    }

    /// With the server's clock beside it, as the header has it.
    Optional<Dated> dated(String path) {
        var call = new ApiCall(Verb.GET, path);
        HttpResponse<byte[]> answer =
                send(call, reads, reads.newHttpRequestBuilder().uri(master + path));
        return answer.code() == 404
                ? Optional.empty()
                : Optional.of(new Dated(body(call, answer), Optional.ofNullable(answer.header("Date"))));
    }

    record Dated(ObjectNode document, Optional<String> date) {}

    /// A question that is put as an object and not kept: may be repeated like a read.
    ObjectNode ask(String path, String kind, ObjectNode question) {
        var call = new ApiCall(Verb.CREATE, kind);
        var request = reads.newHttpRequestBuilder().uri(master + path).method("POST", JSON, Tree.text(question));
        return body(call, send(call, reads, request));
    }

    /// One page. An empty namespace means all of them; an empty token the first page.
    ObjectNode page(ObjectKind kind, String namespace, String selector, int limit, String token) {
        String query = "?labelSelector=" + encoded(selector) + "&limit=" + limit
                + (token.isEmpty() ? "" : "&continue=" + encoded(token));
        ApiCall call = new ApiCall(Verb.LIST, kind.plural() + (namespace.isEmpty() ? "" : " in " + namespace));
        return body(call, send(call, reads, reads.newHttpRequestBuilder().uri(uri(kind, namespace, "") + query)));
    }

    ObjectNode create(ObjectKind kind, String namespace, ObjectNode object) {
        ApiCall call = ApiCall.of(Verb.CREATE, kind, namespace, Tree.name(object));
        var request = writes.newHttpRequestBuilder()
                .uri(uri(kind, namespace, ""))
                .method("POST", JSON, Tree.text(versioned(kind, object)));
        return body(call, send(call, writes, request));
    }

    /// The object's `resourceVersion` guards the write. An object that is gone is a conflict as well.
    ObjectNode update(ObjectKind kind, String namespace, ObjectNode object) {
        ApiCall call = ApiCall.of(Verb.UPDATE, kind, namespace, Tree.name(object));
        if (Tree.resourceVersion(object).isEmpty()) {
            throw new IllegalStateException(call + " without a resourceVersion would overwrite whatever is there");
        }
        var request = writes.newHttpRequestBuilder()
                .uri(uri(kind, namespace, Tree.name(object)))
                .method("PUT", JSON, Tree.text(versioned(kind, object)));
        HttpResponse<byte[]> answer = send(call, writes, request);
        if (answer.code() == 404) {
            throw call.failed(Kind.CONFLICT, "HTTP 404, it is gone");
        }
        Admission.refusal(kind, answer).ifPresent(why -> {
            throw call.failed(Kind.REJECTED, why);
        });
        return body(call, answer);
    }

    /// The object alone: what it owns is let go of first, and stays.
    void deleteOnly(ObjectKind kind, String namespace, String name, String uid, String resourceVersion) {
        ObjectNode options = Tree.object().put("propagationPolicy", "Orphan");
        options.putObject("preconditions").put("uid", uid).put("resourceVersion", resourceVersion);
        delete(kind, namespace, name, options);
    }

    void delete(ObjectKind kind, String namespace, String name, String uid) {
        ObjectNode options = Tree.object().put("propagationPolicy", "Background");
        options.putObject("preconditions").put("uid", uid);
        delete(kind, namespace, name, options);
    }

    /// Without a grace period: it is gone whatever its machine says.
    void deleteAtOnce(ObjectKind kind, String namespace, String name, String uid) {
        ObjectNode options = Tree.object().put("gracePeriodSeconds", 0);
        options.putObject("preconditions").put("uid", uid);
        delete(kind, namespace, name, options);
    }

    private void delete(ObjectKind kind, String namespace, String name, ObjectNode options) {
        ApiCall call = ApiCall.of(Verb.DELETE, kind, namespace, name);
        options.put("apiVersion", "v1").put("kind", "DeleteOptions");
        var request =
                writes.newHttpRequestBuilder().uri(uri(kind, namespace, name)).delete(JSON, Tree.text(options));
        HttpResponse<byte[]> answer = send(call, writes, request);
        if (answer.code() == 404) {
            throw call.failed(Kind.CONFLICT, "HTTP 404, it is gone");
        }
        check(call, answer);
    }

    private ObjectNode versioned(ObjectKind kind, ObjectNode object) {
        return object.put("apiVersion", traits.apiVersion(kind)).put("kind", kind.kind());
    }

    private String uri(ObjectKind kind, String namespace, String name) {
        String version = traits.apiVersion(kind);
        return master + (version.contains("/") ? "/apis/" : "/api/") + version
                + (namespace.isEmpty() ? "" : "/namespaces/" + encoded(namespace)) + "/" + kind.plural()
                + (name.isEmpty() ? "" : "/" + encoded(name));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static boolean provesAbsence(byte[] body, String name) {
        try {
            JsonNode status = Tree.parse(body);
            return status.path("kind").asText().equals("Status")
                    && status.path("reason").asText().equals("NotFound")
                    && status.path("details").path("name").asText().equals(name);
        } catch (IOException _) {
            return false;
        }
    }

    private static void check(ApiCall call, HttpResponse<byte[]> answer) {
        if (!answer.isSuccessful()) {
            throw call.answered(answer.code());
        }
    }

    private static ObjectNode body(ApiCall call, HttpResponse<byte[]> answer) {
        check(call, answer);
        try {
            return Tree.parse(answer.body());
        } catch (IOException _) {
            // Without the cause: a parser quotes what it could not read.
            throw new GatewayException(Kind.UNREACHABLE, call.verb().write(), call + ": the answer is no JSON object");
        }
    }

    private HttpResponse<byte[]> send(ApiCall call, HttpClient http, HttpRequest.Builder request) {
        Duration longest = call.verb().write() ? timeout.plusSeconds(2) : timeout.multipliedBy(2);
        try {
            if (!inFlight.tryAcquire(longest.toMillis(), TimeUnit.MILLISECONDS)) {
                throw call.failed(Kind.TIMEOUT, "not sent in time, too many requests are under way");
            }
            try {
                HttpRequest ready = request.timeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                        .build();
                return await(http.sendAsync(ready, byte[].class), longest);
            } finally {
                inFlight.release();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw call.lost(e);
        } catch (ExecutionException | TimeoutException e) {
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
}
