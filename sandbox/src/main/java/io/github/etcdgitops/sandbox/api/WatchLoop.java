package io.github.etcdgitops.sandbox.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.objects.KubeObjects;
import io.github.etcdgitops.sandbox.objects.KubeObjects.Listing;
import io.github.etcdgitops.sandbox.objects.Meta;
import io.github.etcdgitops.sandbox.objects.Refusal;
import io.github.etcdgitops.sandbox.objects.Watch;
import io.github.etcdgitops.sandbox.objects.Watch.Change;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One client's watch, whatever carries it.
final class WatchLoop implements AutoCloseable {
    private static final long LONGEST_SECONDS = 1800;
    private static final Duration QUIET = Duration.ofSeconds(30);

    private final KubeObjects objects;
    private final Call call;
    private final Selection selection;
    private final Emitter out;
    private volatile boolean ended;
    private volatile @Nullable Watch watching;
    private long passed;

    /// Where the events go.
    interface Emitter {
        void send(ObjectNode event) throws IOException, InterruptedException;
    }

    /// Throws [Refusal] when the request makes no sense, before anything is sent.
    WatchLoop(KubeObjects objects, Call call, Emitter out) {
        this.objects = objects;
        this.call = call;
        this.selection = Selection.of(call);
        this.out = out;
        call.number("resourceVersion");
        call.number("timeoutSeconds");
    }

    void run() throws IOException, InterruptedException {
        try {
            long from = call.number("resourceVersion").orElse(0L);
            if (from == 0) {
                from = sendAll();
            }
            try (Watch watch =
                    objects.watch(call.target().resource(), call.target().namespace(), from)) {
                watching = watch;
                follow(watch);
            }
        } catch (Refusal refusal) {
            out.send(event("ERROR", Status.failure(refusal)));
        }
    }

    /// What is there already, as if it had just been made.
    private long sendAll() throws IOException, InterruptedException {
        Listing listing = objects.list(call.target().resource(), call.target().namespace());
        for (ObjectNode object : listing.items()) {
            if (selection.matches(object)) {
                send("ADDED", object);
            }
        }
        return listing.resourceVersion();
    }

    private void follow(Watch watch) throws IOException, InterruptedException {
        long end = System.nanoTime()
                + Duration.ofSeconds(call.number("timeoutSeconds").orElse(LONGEST_SECONDS))
                        .toNanos();
        long left = end - System.nanoTime();
        while (!ended && left > 0) {
            Optional<Change> change = watch.next(Duration.ofNanos(Math.min(left, QUIET.toNanos())));
            if (change.isPresent()) {
                pass(change.get());
            } else if (call.flag("allowWatchBookmarks") && !ended) {
                bookmark(watch);
            }
            left = end - System.nanoTime();
        }
    }

    private void pass(Change change) throws IOException, InterruptedException {
        boolean is = change.type() != Watch.Type.DELETED && selection.matches(change.object());
        boolean was = change.before().filter(selection::matches).isPresent();
        passed = change.resourceVersion();
        if (is) {
            send(was ? "MODIFIED" : "ADDED", change.object());
        } else if (was) {
            send("DELETED", change.object());
        }
    }

    /// Tells a quiet reader how far it has got: everything up to a moment that is read first.
    private void bookmark(Watch watch) throws IOException, InterruptedException {
        long now = objects.list(call.target().resource(), call.target().namespace())
                .resourceVersion();
        for (Optional<Change> change = watch.next(Duration.ZERO); change.isPresent(); ) {
            pass(change.get());
            change = watch.next(Duration.ZERO);
        }
        ObjectNode object = Call.JSON
                .createObjectNode()
                .put("kind", call.target().resource().kind())
                .put("apiVersion", call.target().apiVersion());
        Meta.of(object).put("resourceVersion", Long.toString(Math.max(now, passed)));
        out.send(event("BOOKMARK", object));
    }

    private void send(String type, ObjectNode object) throws IOException, InterruptedException {
        object.put("apiVersion", call.target().apiVersion());
        out.send(event(type, Tables.wanted(call) ? Tables.of(call, object) : object));
    }

    private static ObjectNode event(String type, ObjectNode object) {
        return Call.JSON.createObjectNode().put("type", type).set("object", object);
    }

    @Override
    public void close() {
        ended = true;
        Watch open = watching;
        if (open != null) {
            open.close();
        }
    }
}
