package io.github.etcdgitops.gateway.kube.api;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.access.ServiceAccount;
import io.github.etcdgitops.gateway.kube.api.ApiCall.Verb;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.function.BiConsumer;

/// The few requests that this program makes, on fabric8's HTTP client (which handles kubeconfig, TLS and
/// tokens).
///
/// It does not use the fluent client because of what that hides: it returns null for every 404, also from a
/// proxy or an unserved API, and here null would mean that an object is absent; it cannot delete by UID;
/// and it looks up a missing resourceVersion by itself, which would turn a guarded write into an unguarded
/// one.
///
/// The client repeats reads on 429, 5xx and lost connections. It never repeats writes: the caller checks a
/// write that may have happened.
public final class KubeApi {
    private static final String JSON = "application/json";

    /// Objects with metadata only.
    private static final String METADATA =
            "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";

    /// Enough for a server's text about a refusal.
    private static final int LARGEST_STATUS = 64 << 10;

    private final String master;
    private final KubeHttp http;
    private final ServerTraits traits;
    private final Optional<ServiceAccount> account;
    private final boolean readOnly;

    /// For requests with the rights of the connection itself.
    KubeApi(String master, HttpClient http, Duration timeout, int maxInFlight) {
        this.master = master.endsWith("/") ? master.substring(0, master.length() - 1) : master;
        this.http = new KubeHttp(http, timeout, maxInFlight);
        this.traits = new ServerTraits(this::document);
        this.account = Optional.empty();
        this.readOnly = false;
    }

    private KubeApi(KubeApi own, Optional<ServiceAccount> account, boolean readOnly) {
        this.master = own.master;
        this.http = own.http;
        this.traits = own.traits;
        this.account = account;
        this.readOnly = readOnly;
    }

    /// The same connection, with the rights of that ServiceAccount. It costs no HTTP client of its own.
    public KubeApi as(ServiceAccount other) {
        return new KubeApi(this, Optional.of(other), false);
    }

    /// The same connection, only for reading.
    KubeApi reading() {
        return new KubeApi(this, Optional.empty(), true);
    }

    private HttpRequest.Builder read() {
        return asked(http.read());
    }

    private HttpRequest.Builder write(ApiCall call) {
        if (readOnly) {
            throw call.failed(Kind.REJECTED, "not sent: with --no-impersonation objects of rings are only read");
        }
        return asked(http.write());
    }

    private HttpRequest.Builder asked(HttpRequest.Builder request) {
        account.ifPresent(a -> request.header(Impersonation.USER, a.user()));
        return request;
    }

    public ServerTraits traits() {
        return traits;
    }

    /// Empty only when the API server itself says that no object has this name.
    public Optional<ObjectNode> get(ObjectKind kind, String namespace, String name) {
        return get(kind, namespace, name, KubeHttp.LARGEST_ANSWER);
    }

    /// The same, for an object of at most `bound` bytes.
    public Optional<ObjectNode> get(ObjectKind kind, String namespace, String name, int bound) {
        ApiCall call = ApiCall.of(Verb.GET, kind, namespace, name);
        KubeHttp.Answer answer = http.send(call, read().uri(uri(kind, namespace, name)), bound);
        if (answer.code() == 404 && provesAbsence(answer.body(), name)) {
            return Optional.empty();
        }
        if (answer.code() == 404) {
            throw call.failed(
                    Kind.UNREACHABLE, "HTTP 404, but not in the form in which an API server reports a missing object");
        }
        return Optional.of(body(call, answer));
    }

    /// A document that is not an object, such as `/version`. Empty on 404.
    public Optional<ObjectNode> document(String path) {
        return dated(path).map(Dated::document);
    }

    /// The same with the time of the server's clock, where it was sent.
    public Optional<Dated> dated(String path) {
        var call = new ApiCall(Verb.GET, path);
        KubeHttp.Answer answer = http.send(call, read().uri(master + path));
        return answer.code() == 404
                ? Optional.empty()
                : Optional.of(new Dated(body(call, answer), answer.date().flatMap(KubeApi::instant)));
    }

    public record Dated(ObjectNode document, Optional<Instant> date) {}

    private static Optional<Instant> instant(String header) {
        try {
            return Optional.of(DateTimeFormatter.RFC_1123_DATE_TIME.parse(header, Instant::from));
        } catch (DateTimeException _) {
            return Optional.empty();
        }
    }

    /// A question that is sent as an object and not stored: may be repeated like a read.
    public ObjectNode ask(String path, String kind, ObjectNode question) {
        var call = new ApiCall(Verb.CREATE, kind);
        var request = read().uri(master + path).method("POST", JSON, Tree.text(question));
        return body(call, http.send(call, request));
    }

    /// What to list: an empty namespace means all of them; `selector` is for labels, `fields` for fields;
    /// `metadata` requests objects without their contents.
    public record Query(
            ObjectKind kind, String namespace, String selector, String fields, int limit, boolean metadata) {
        public Query(ObjectKind kind, String namespace, String selector, int limit, boolean metadata) {
            this(kind, namespace, selector, "", limit, metadata);
        }
    }

    /// One page; calls `items` for each of its objects with its length in bytes. An empty token means the
    /// first page.
    public ListPage page(Query query, String token, BiConsumer<ObjectNode, Long> items) {
        return stream(query, token, ListPage.trees(items));
    }

    /// The same for a reader that builds no trees.
    public ListPage stream(Query query, String token, ListPage.Items items) {
        String parameters = "?labelSelector=" + encoded(query.selector())
                + (query.fields().isEmpty() ? "" : "&fieldSelector=" + encoded(query.fields())) + "&limit="
                + query.limit()
                + (token.isEmpty() ? "" : "&continue=" + encoded(token));
        ApiCall call = new ApiCall(
                Verb.LIST, query.kind().plural() + (query.namespace().isEmpty() ? "" : " in " + query.namespace()));
        var request = read().uri(uri(query.kind(), query.namespace(), "") + parameters);
        return http.stream(call, query.metadata() ? request.header("Accept", METADATA) : request, (head, body) -> {
            if (!HttpResponse.isSuccessful(head.code())) {
                throw refused(call, head.code(), body.readNBytes(LARGEST_STATUS));
            }
            try {
                var page = ListPage.read(body, items);
                if (!token.isEmpty() && page.token().equals(token)) {
                    throw call.failed(Kind.REJECTED, "the list does not end: the next page is the same one again");
                }
                return page;
            } catch (JacksonException _) {
                throw KubeHttp.unreadable(call);
            }
        });
    }

    public ObjectNode create(ObjectKind kind, String namespace, ObjectNode object) {
        ApiCall call = ApiCall.of(Verb.CREATE, kind, namespace, Tree.name(object));
        var request =
                write(call).uri(uri(kind, namespace, "")).method("POST", JSON, Tree.text(versioned(kind, object)));
        return body(call, http.send(call, request));
    }

    /// The object's `resourceVersion` guards the write. A missing object is a conflict as well.
    public ObjectNode update(ObjectKind kind, String namespace, ObjectNode object) {
        ApiCall call = ApiCall.of(Verb.UPDATE, kind, namespace, Tree.name(object));
        if (Tree.resourceVersion(object).isEmpty()) {
            throw new IllegalStateException(call + " without a resourceVersion would overwrite any other content");
        }
        var request = write(call)
                .uri(uri(kind, namespace, Tree.name(object)))
                .method("PUT", JSON, Tree.text(versioned(kind, object)));
        KubeHttp.Answer answer = http.send(call, request);
        if (answer.code() == 404) {
            throw call.failed(Kind.CONFLICT, "HTTP 404, it is gone");
        }
        Admission.refusal(kind, answer).ifPresent(why -> {
            throw call.failed(Kind.REJECTED, why);
        });
        return body(call, answer);
    }

    /// Deletes only the object: what it owns is orphaned first, and stays.
    public void deleteOnly(ObjectKind kind, String namespace, String name, String uid, String resourceVersion) {
        ObjectNode options = Tree.object().put("propagationPolicy", "Orphan");
        options.putObject("preconditions").put("uid", uid).put("resourceVersion", resourceVersion);
        delete(kind, namespace, name, options);
    }

    public void delete(ObjectKind kind, String namespace, String name, String uid) {
        ObjectNode options = Tree.object().put("propagationPolicy", "Background");
        options.putObject("preconditions").put("uid", uid);
        delete(kind, namespace, name, options);
    }

    /// Without a grace period: it is gone whatever its node reports.
    public void deleteAtOnce(ObjectKind kind, String namespace, String name, String uid) {
        ObjectNode options = Tree.object().put("gracePeriodSeconds", 0);
        options.putObject("preconditions").put("uid", uid);
        delete(kind, namespace, name, options);
    }

    private void delete(ObjectKind kind, String namespace, String name, ObjectNode options) {
        ApiCall call = ApiCall.of(Verb.DELETE, kind, namespace, name);
        options.put("apiVersion", "v1").put("kind", "DeleteOptions");
        var request = write(call).uri(uri(kind, namespace, name)).delete(JSON, Tree.text(options));
        KubeHttp.Answer answer = http.send(call, request);
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

    private void check(ApiCall call, KubeHttp.Answer answer) {
        if (!answer.isSuccessful()) {
            throw refused(call, answer.code(), answer.body());
        }
    }

    private GatewayException refused(ApiCall call, int code, byte[] body) {
        return account.flatMap(a -> Impersonation.refusal(call, a, code, body)).orElseGet(() -> call.answered(code));
    }

    private ObjectNode body(ApiCall call, KubeHttp.Answer answer) {
        check(call, answer);
        try {
            return Tree.parse(answer.body());
        } catch (IOException _) {
            throw KubeHttp.unreadable(call);
        }
    }
}
