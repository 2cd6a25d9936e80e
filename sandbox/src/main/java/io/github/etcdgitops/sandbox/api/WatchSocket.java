package io.github.etcdgitops.sandbox.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.objects.KubeObjects;
import java.io.IOException;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;

/// A watch, one event a text frame. Public because Jetty calls it by method handles.
public final class WatchSocket implements Session.Listener.AutoDemanding {
    private final KubeObjects objects;
    private final Call call;
    private final Streams streams;
    private volatile AutoCloseable running = () -> {};

    WatchSocket(KubeObjects objects, Call call, Streams streams) {
        this.objects = objects;
        this.call = call;
        this.streams = streams;
    }

    @Override
    public void onWebSocketOpen(Session session) {
        var loop = new WatchLoop(objects, call, event -> send(session, event));
        running = loop;
        streams.add(loop);
        Thread.ofVirtual().name("watch " + call.target().resource()).start(() -> run(session, loop));
    }

    private void run(Session session, WatchLoop loop) {
        try {
            loop.run();
        } catch (IOException _) {
            // The client has gone.
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            streams.end(loop);
            session.close();
        }
    }

    private static void send(Session session, ObjectNode event) throws IOException, InterruptedException {
        Upgrades.await(Callback.Completable.with(done -> session.sendText(event.toString(), done)));
    }

    @Override
    public void onWebSocketClose(int code, String reason, Callback done) {
        streams.end(running);
        done.succeed();
    }

    @Override
    public void onWebSocketError(Throwable cause) {
        // The client has gone.
        streams.end(running);
    }
}
