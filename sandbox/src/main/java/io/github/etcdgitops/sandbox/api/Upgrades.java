package io.github.etcdgitops.sandbox.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.objects.KubeObjects;
import io.github.etcdgitops.sandbox.objects.Refusal;
import io.github.etcdgitops.sandbox.objects.Resource;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.websocket.api.Session;
import org.eclipse.jetty.websocket.server.ServerWebSocketContainer;

/// Requests that become WebSockets.
final class Upgrades {
    private static final List<String> CHANNELS = List.of("v4.channel.k8s.io", "portforward.k8s.io");
    private static final long LARGEST_FRAME = 16 * 1024 * 1024;

    private final KubeObjects objects;
    private final Streams streams;
    private final ServerWebSocketContainer sockets;

    Upgrades(KubeObjects objects, Streams streams, Server server) {
        this.objects = objects;
        this.streams = streams;
        this.sockets = ServerWebSocketContainer.ensure(server);
        sockets.setIdleTimeout(Duration.ZERO);
        sockets.setMaxBinaryMessageSize(LARGEST_FRAME);
    }

    void serve(Call call, Request request, Response response, Callback callback) {
        Session.Listener listener = call.watches() ? new WatchSocket(objects, call, streams) : forward(call);
        boolean upgraded = sockets.upgrade(
                (wanted, answer, unused) -> {
                    CHANNELS.stream()
                            .filter(wanted::hasSubProtocol)
                            .findFirst()
                            .ifPresent(answer::setAcceptedSubProtocol);
                    return listener;
                },
                request,
                response,
                callback);
        if (!upgraded) {
            throw Refusal.badRequest("Upgrade request required");
        }
    }

    private Session.Listener forward(Call call) {
        Target target = call.target();
        ObjectNode pod = objects.find(Resource.POD, target.namespace(), target.name())
                .orElseThrow(() -> Refusal.notFound(Resource.POD, target.name()));
        String address = pod.path("status").path("podIP").asText("");
        if (address.isEmpty()) {
            throw Refusal.badRequest("pod " + target.name() + " is not running");
        }
        var ports = new ArrayList<Integer>();
        for (String port : call.parameter("ports").split(",", -1)) {
            try {
                ports.add(Integer.valueOf(port));
            } catch (NumberFormatException e) {
                throw Refusal.badRequest("query parameter \"ports\" is required");
            }
        }
        return new PortForward(address, ports, streams);
    }

    static void await(org.eclipse.jetty.websocket.api.Callback.Completable done)
            throws IOException, InterruptedException {
        try {
            done.get();
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        }
    }
}
