package io.github.etcdgitops.gateway.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What servers at a member's client port say of keys of the v2 API.
class V2PageTest {
    private static final Duration GENEROUS = Duration.ofSeconds(10);
    private static final String OK = "HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n";

    @Test
    void seesWhetherThereIsAKey() throws IOException {
        assertThat(asked(OK + "{\"action\":\"get\",\"node\":{\"dir\":true}}\n")).isFalse();
        assertThat(asked(OK + "{\"action\":\"get\",\"node\":{\"dir\":true,\"nodes\":[]}}"))
                .isFalse();
        assertThat(asked(OK + "{\"action\":\"get\",\"node\":{\"dir\":true,\"nodes\":[{\"key\":\"/a\"}]}}"))
                .isTrue();
    }

    @Test
    void firstOfManyKeysDecides() throws IOException {
        String many = "{\"key\":\"/a\",\"value\":\"" + "x".repeat(100_000) + "\"},".repeat(2);

        assertThat(asked(OK + "{\"action\":\"get\",\"node\":{\"dir\":true,\"nodes\":[" + many))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "HTTP/1.0 404 Not Found\r\n\r\n404 page not found",
                "HTTP/1.0 401 Unauthorized\r\n\r\n{\"node\":{\"dir\":true}}",
                "HTTP/1.0 302 Found\r\nLocation: http://127.0.0.1:1/\r\n\r\n{\"node\":{\"dir\":true}}",
                "HTTP/1.0 200 OK\r\n\r\n",
                "HTTP/1.0 200 OK\r\n\r\n{}",
                "HTTP/1.0 200 OK\r\n\r\n[]",
                "HTTP/1.0 200 OK\r\n\r\n[true]",
                "HTTP/1.0 200 OK\r\n\r\nnull",
                "HTTP/1.0 200 OK\r\n\r\n{\"node\":{\"dir\":true}",
                "HTTP/1.0 200 OK\r\n\r\n{\"node\":{\"dir\":false}}",
                "HTTP/1.0 200 OK\r\n\r\n{\"node\":{\"nodes\":{}}}",
                "HTTP/1.0 200 OK\r\n\r\n{\"node\":[{\"dir\":true}]}",
                "HTTP/1.0 200 OK\r\n\r\n<html></html>",
                "SSH-2.0-OpenSSH_9.9\r\n\r\n{\"node\":{\"dir\":true}}",
            })
    void nothingElseIsAnAnswer(String sent) {
        var refused = catchThrowableOfType(GatewayException.class, () -> asked(sent));

        assertThat(refused.kind()).isEqualTo(Kind.REJECTED);
        assertThat(refused).hasMessageStartingWith("looking for keys of the v2 API at 127.0.0.1:");
    }

    @Test
    void answerWithoutEndIsCutOff() {
        for (String endless : List.of("{\"node\":", "[", " ", "{\"a\":")) {
            var refused = catchThrowableOfType(
                    GatewayException.class, () -> asked(OK + endless.repeat((1 << 20) / endless.length())));

            assertThat(refused.kind()).isEqualTo(Kind.REJECTED);
        }
    }

    private static boolean asked(String answer) throws IOException {
        try (var server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> answer(server, answer));
            return new JetcdGateway().hasV2Keys(new LoopbackRoute(server.getLocalPort()), GENEROUS);
        }
    }

    private static void answer(ServerSocket server, String answer) {
        try (var accepted = server.accept()) {
            accepted.getInputStream().read(new byte[1024]);
            accepted.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
        } catch (IOException _) {
            // The client has heard enough.
        }
    }
}
