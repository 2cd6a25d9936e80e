package io.github.etcdgitops.trial.fence;

import io.github.etcdgitops.trial.bench.TrialFailure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// A server of an attacker's on loopback. It notes the head of whatever is sent to it; a connection alone counts too.
final class Snare implements AutoCloseable {
    private static final int HEAD = 4096;

    private final ServerSocket socket;
    private final List<String> caught = new CopyOnWriteArrayList<>();

    Snare() throws IOException {
        socket = new ServerSocket();
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Thread.ofVirtual().start(this::listen);
    }

    int port() {
        return socket.getLocalPort();
    }

    URI url(String scheme) {
        return URI.create(scheme + "://127.0.0.1:" + port());
    }

    private void listen() {
        while (!socket.isClosed()) {
            try (var connection = socket.accept()) {
                connection.setSoTimeout(1000);
                byte[] head = new byte[HEAD];
                int count = Math.max(0, connection.getInputStream().read(head));
                caught.add(new String(head, 0, count, StandardCharsets.ISO_8859_1));
            } catch (IOException _) {
                // A caller that says nothing, or the end of the trial.
            }
        }
    }

    /// Fails when anybody has called since the last time.
    void demandEmpty() {
        var all = List.copyOf(caught);
        caught.clear();
        TrialFailure.unless(all.isEmpty(), "the attacker's server was called: " + all);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
