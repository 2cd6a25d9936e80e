package io.github.etcdgitops.gateway.kube;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.http.WebSocket;
import io.github.etcdgitops.gateway.kube.tunnel.PortStream;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PortStreamTest {
    /// As the JDK's: a frame that comes while another is pending is refused.
    private static final class OneAtATime implements WebSocket {
        private final AtomicInteger pending = new AtomicInteger();
        private int sent;

        @Override
        public boolean send(ByteBuffer frame) {
            sent += frame.remaining() - 1;
            return pending.getAndSet(3) == 0;
        }

        /// Gets shorter while somebody looks.
        @Override
        public long queueSize() {
            return pending.getAndUpdate(left -> Math.max(0, left - 1));
        }

        @Override
        public boolean sendClose(int code, String reason) {
            return true;
        }

        @Override
        public void request() {}
    }

    @Test
    void sendsAFrameOnlyWhenTheOneBeforeIsOnItsWay() {
        var socket = new OneAtATime();
        try (var stream = new PortStream()) {
            stream.onOpen(socket);

            for (int frame = 0; frame < 100; frame++) {
                assertThat(stream.send(new byte[1000], 1000)).isTrue();
            }

            assertThat(socket.sent).isEqualTo(100_000);
        }
    }

    @Test
    void sendsNothingMoreAfterTheEnd() {
        var socket = new OneAtATime();
        var stream = new PortStream();
        stream.onOpen(socket);
        assertThat(stream.send(new byte[1], 1)).isTrue();

        stream.close();

        assertThat(stream.send(new byte[1], 1)).isFalse();
    }
}
