package io.github.etcdgitops.sandbox.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.objects.MemoryObjects;
import io.github.etcdgitops.sandbox.objects.Resource;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PortForwardTest {
    private final MemoryObjects objects = new MemoryObjects(InstantSource.system());
    private final ApiServer server =
            ApiServer.start(objects, (namespace, pod, container, follow) -> Optional.empty(), 0);
    private final HttpClient client = HttpClient.newHttpClient();
    private final LinkedBlockingQueue<byte[]> frames = new LinkedBlockingQueue<>();

    @BeforeEach
    void pod() throws IOException {
        objects.create(Resource.POD, "default", (ObjectNode) new ObjectMapper().readTree("""
            {"metadata": {"name": "p"}, "spec": {"containers": [{"name": "c", "image": "c"}]}}\
            """));
        objects.updateStatus(Resource.POD, "default", "p", pod -> {
            pod.withObject("/status").put("podIP", "127.0.0.1");
            return pod;
        });
    }

    @AfterEach
    void stop() {
        server.close();
        client.close();
    }

    @Test
    void carriesDataBothWaysUntilThePodCloses() throws Exception {
        try (var listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> echo(listening, 2));
            int port = listening.getLocalPort();

            WebSocket socket = open(port);
            say(socket, "hi");

            assertThat(socket.getSubprotocol()).isEqualTo("v4.channel.k8s.io");
            assertThat(next()).containsExactly(greeting(0, port));
            assertThat(next()).containsExactly(greeting(1, port));
            assertThat(next()).containsExactly(0, 'h', 'i');

            say(socket, "yo");

            assertThat(next()).containsExactly(0, 'y', 'o');
            assertThat(next()).as("closed").isEmpty();
        }
    }

    @Test
    void reportsRefusedConnectionAndCloses() throws Exception {
        int port;
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = taken.getLocalPort();
        }

        open(port);

        assertThat(next()).containsExactly(greeting(0, port));
        assertThat(next()).containsExactly(greeting(1, port));
        assertThat(new String(next(), StandardCharsets.UTF_8)).startsWith("\1error forwarding port " + port);
        assertThat(next()).as("closed").isEmpty();
    }

    private WebSocket open(int port) throws Exception {
        var uri = URI.create(
                "ws://127.0.0.1:" + server.port() + "/api/v1/namespaces/default/pods/p/portforward?ports=" + port);
        return client.newWebSocketBuilder()
                .subprotocols("v4.channel.k8s.io")
                .buildAsync(uri, new Frames(frames))
                .get(10, TimeUnit.SECONDS);
    }

    private static void say(WebSocket socket, String text) throws Exception {
        socket.sendBinary(ByteBuffer.wrap(("\0" + text).getBytes(StandardCharsets.UTF_8)), true)
                .get(10, TimeUnit.SECONDS);
    }

    private byte[] next() throws InterruptedException {
        return frames.poll(10, TimeUnit.SECONDS);
    }

    private static byte[] greeting(int channel, int port) {
        return new byte[] {(byte) channel, (byte) port, (byte) (port >> Byte.SIZE)};
    }

    private static void echo(ServerSocket listening, int times) {
        try (var socket = listening.accept()) {
            for (int i = 0; i < times; i++) {
                socket.getOutputStream().write(socket.getInputStream().readNBytes(2));
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Whole binary messages, and an empty one at the end.
    private record Frames(LinkedBlockingQueue<byte[]> whole) implements WebSocket.Listener {
        @Override
        public CompletionStage<?> onBinary(WebSocket socket, ByteBuffer data, boolean last) {
            var bytes = new byte[data.remaining()];
            data.get(bytes);
            whole.add(bytes);
            socket.request(1);
            return null;
        }

        @Override
        public CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
            whole.add(new byte[0]);
            return null;
        }
    }
}
