package io.github.etcdgitops.sandbox.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RelayTest {
    private final AtomicBoolean cut = new AtomicBoolean();
    private Loopback loopback;
    private ServerSocket target;
    private String address;
    private String origin;
    private Relay relay;

    @BeforeEach
    void start() throws IOException {
        loopback = Loopback.claim();
        String pod = loopback.pod();
        target = new ServerSocket(2380, 10, InetAddress.getByName(pod));
        target.setSoTimeout(10_000);
        address = loopback.relay();
        origin = loopback.relay();
        relay = Relay.start(new Relay.Route(address, pod, () -> origin), cut::get);
    }

    @AfterEach
    void stop() throws IOException {
        relay.close();
        target.close();
        loopback.close();
    }

    @Test
    void passesBytesOnUntilEachSideHasSaidAll() throws Exception {
        try (Socket caller = call();
                Socket called = target.accept()) {
            caller.getOutputStream().write("question".getBytes(StandardCharsets.UTF_8));
            caller.shutdownOutput();
            assertThat(called.getInputStream().readAllBytes()).asString().isEqualTo("question");

            called.getOutputStream().write("answer".getBytes(StandardCharsets.UTF_8));
            called.close();

            assertThat(caller.getInputStream().readAllBytes()).asString().isEqualTo("answer");
        }
    }

    @Test
    void showsTheTargetTheAddressThatItKnowsTheCallerBy() throws Exception {
        try (Socket caller = call();
                Socket called = target.accept()) {
            assertThat(called.getInetAddress().getHostAddress()).isEqualTo(origin);
        }
    }

    @Test
    void dropsAndRefusesWhileItIsCut() throws Exception {
        try (Socket caller = call();
                Socket called = target.accept()) {
            cut.set(true);
            relay.drop();

            assertThatThrownBy(() -> caller.getInputStream().read()).isInstanceOf(SocketException.class);
            assertThatThrownBy(() -> called.getInputStream().read()).isInstanceOf(SocketException.class);
        }
        assertThatThrownBy(this::callAndListen).isInstanceOf(SocketException.class);

        cut.set(false);

        try (Socket caller = call();
                Socket called = target.accept()) {
            caller.getOutputStream().write(7);
            assertThat(called.getInputStream().read()).isEqualTo(7);
        }
    }

    @Test
    void callersOfATargetThatIsNotThereAreDropped() throws Exception {
        target.close();

        assertThatThrownBy(this::callAndListen).isInstanceOf(SocketException.class);
    }

    @Test
    void sandboxesHaveDifferentNetworksAndPodsDifferentAddresses() throws Exception {
        try (Loopback other = Loopback.claim()) {
            String first = other.pod();
            other.free(first);

            assertThat(other.pod()).isNotEqualTo(first).startsWith(first.substring(0, first.lastIndexOf('.')));
            assertThat(first.split("\\.")[1]).isNotEqualTo(address.split("\\.")[1]);
        }
    }

    /// The reset may come as early as the call is made.
    private void callAndListen() throws IOException {
        try (Socket caller = call()) {
            caller.getInputStream().read();
        }
    }

    private Socket call() throws IOException {
        var caller = new Socket();
        caller.setSoTimeout((int) Duration.ofSeconds(10).toMillis());
        caller.connect(new InetSocketAddress(address, 2380), 5_000);
        return caller;
    }
}
