package io.github.etcdgitops.sandbox.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.objects.KubeObjects;
import io.github.etcdgitops.sandbox.objects.PodLogs;
import io.github.etcdgitops.sandbox.objects.Refusal;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads a request, has it answered, and writes the answer. Blocks: there is a virtual thread for each
/// request.
final class ApiHandler extends Handler.Abstract {
    private static final Logger LOG = LoggerFactory.getLogger(ApiHandler.class);
    private static final String JSON = "application/json";

    private final KubeObjects objects;
    private final Verbs verbs;
    private final Logs logs;
    private final Streams streams;
    private final Upgrades upgrades;
    private final Map<String, LongAdder> calls = new ConcurrentHashMap<>();

    ApiHandler(KubeObjects objects, PodLogs logs, Streams streams, Upgrades upgrades) {
        this.objects = objects;
        this.verbs = new Verbs(objects);
        this.logs = new Logs(objects, logs);
        this.streams = streams;
        this.upgrades = upgrades;
    }

    Map<String, LongAdder> calls() {
        return calls;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        try {
            if (!served(request, response, callback)) {
                write(response, 404, "text/plain", "404 page not found\n");
                callback.succeeded();
            }
        } catch (Refusal refusal) {
            refuse(response, callback, refusal);
        } catch (IOException e) {
            // The client has gone.
            callback.failed(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            callback.failed(e);
        } catch (RuntimeException e) {
            LOG.warn("{} {}", request.getMethod(), request.getHttpURI(), e);
            refuse(response, callback, new Refusal(500, "InternalError", "Internal error occurred: " + e));
        }
        return true;
    }

    private static void refuse(Response response, Callback callback, Refusal refusal) {
        if (response.isCommitted()) {
            callback.failed(refusal);
            return;
        }
        try {
            write(response, new Answer(refusal.code(), Status.failure(refusal)));
            callback.succeeded();
        } catch (IOException e) {
            callback.failed(e);
        }
    }

    private boolean served(Request request, Response response, Callback callback)
            throws IOException, InterruptedException {
        String path = Request.getPathInContext(request).replaceFirst("(?<=.)/$", "");
        if (path.equals("/healthz") || path.equals("/livez") || path.equals("/readyz")) {
            write(response, 200, "text/plain", "ok");
            callback.succeeded();
            return true;
        }
        Optional<ObjectNode> document = Discovery.document(path);
        if (document.isPresent()) {
            count("get " + path);
            write(response, Answer.ok(document.get()));
            callback.succeeded();
            return true;
        }
        if (AccessReviews.meant(path)) {
            count("create selfsubjectaccessreviews");
            write(response, AccessReviews.answer(request.getMethod(), object(request)));
            callback.succeeded();
            return true;
        }
        Optional<Target> target = Target.parse(path);
        if (target.isPresent()) {
            Call call = call(request, target.get());
            count(call.verb());
            serve(call, request, response, callback);
        } else if (path.startsWith("/api")) {
            throw Verbs.notServed();
        }
        return target.isPresent();
    }

    private static ObjectNode object(Request request) throws IOException {
        try {
            if (Call.JSON.readTree(Content.Source.asString(request, StandardCharsets.UTF_8))
                    instanceof ObjectNode object) {
                return object;
            }
        } catch (JsonProcessingException e) {
            throw Refusal.badRequest("the body is no JSON");
        }
        throw Refusal.badRequest("the body is no object");
    }

    private void count(String what) {
        calls.computeIfAbsent(what, unused -> new LongAdder()).increment();
    }

    private static Call call(Request request, Target target) throws IOException {
        var query = new HashMap<String, String>();
        Request.extractQueryParameters(request).forEach(field -> query.put(field.getName(), field.getValue()));
        return new Call(
                request.getMethod(),
                target,
                query,
                header(request, HttpHeader.CONTENT_TYPE),
                header(request, HttpHeader.ACCEPT),
                Content.Source.asString(request, StandardCharsets.UTF_8));
    }

    private static String header(Request request, HttpHeader name) {
        String value = request.getHeaders().get(name);
        return value == null ? "" : value;
    }

    private void serve(Call call, Request request, Response response, Callback callback)
            throws IOException, InterruptedException {
        boolean upgrade = header(request, HttpHeader.UPGRADE).equalsIgnoreCase("websocket");
        String part = call.target().part();
        if (part.equals("portforward") || (upgrade && call.watches())) {
            upgrades.serve(call, request, response, callback);
            return;
        }
        if (call.watches()) {
            watch(call, response);
        } else if (part.equals("log")) {
            log(call, response);
        } else {
            write(response, verbs.answer(call));
        }
        callback.succeeded();
    }

    private void watch(Call call, Response response) throws IOException, InterruptedException {
        var loop = new WatchLoop(
                objects, call, event -> Content.Sink.write(response, false, bytes(event.toString() + "\n")));
        begin(response, JSON);
        follow(loop, loop::run);
        Content.Sink.write(response, true, ByteBuffer.allocate(0));
    }

    private void log(Call call, Response response) throws IOException, InterruptedException {
        InputStream text = logs.open(call);
        begin(response, "text/plain");
        follow(text, () -> text.transferTo(Content.Sink.asOutputStream(response)));
        Content.Sink.write(response, true, ByteBuffer.allocate(0));
    }

    /// So that a client knows at once that it is being served.
    private static void begin(Response response, String type) throws IOException {
        response.setStatus(200);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, type);
        Content.Sink.write(response, false, ByteBuffer.allocate(0));
    }

    private interface Work {
        void run() throws IOException, InterruptedException;
    }

    private void follow(AutoCloseable stream, Work work) throws IOException, InterruptedException {
        streams.add(stream);
        try {
            work.run();
        } finally {
            streams.end(stream);
        }
    }

    private static void write(Response response, Answer answer) throws IOException {
        write(response, answer.code(), JSON, answer.body().toString() + "\n");
    }

    private static void write(Response response, int code, String type, String text) throws IOException {
        response.setStatus(code);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, type);
        Content.Sink.write(response, true, bytes(text));
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }
}
