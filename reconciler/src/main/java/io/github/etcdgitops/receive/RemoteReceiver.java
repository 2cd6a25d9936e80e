package io.github.etcdgitops.receive;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.gateway.SnapshotDigest;
import io.github.etcdgitops.gateway.SnapshotReceiver;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.function.LongConsumer;

/// [SnapshotReceiver] over any route to its pod.
public final class RemoteReceiver implements SnapshotReceiver {
    private static final int CHUNK = 256 * 1024;
    private static final int LONGEST_REASON = 300;

    private final MemberAccess access;

    public RemoteReceiver(MemberAccess access) {
        this.access = access;
    }

    @Override
    public void send(MemberAccess.Pod pod, SnapshotDigest content, InputStream bytes, Duration stall, LongConsumer sent)
            throws IOException {
        try (MemberAccess.Route route = access.open(pod, PORT)) {
            new Sending(pod, content, stall).send(route, bytes, sent);
        }
    }

    /// One attempt.
    private record Sending(MemberAccess.Pod pod, SnapshotDigest content, Duration stall) {
        void send(MemberAccess.Route route, InputStream bytes, LongConsumer sent) throws IOException {
            try (var socket = new Socket();
                    var watch = new StallWatch(stall, socket)) {
                connect(socket, route);
                if (begun(socket)) {
                    return;
                }
                pass(socket, watch, bytes, sent);
                String answer = answer(socket, true);
                if (!answer.equals(Protocol.OK)) {
                    throw refused(answer);
                }
            }
        }

        private void connect(Socket socket, MemberAccess.Route route) {
            int millis = Math.toIntExact(stall.toMillis());
            try {
                socket.connect(new InetSocketAddress(route.host(), route.port()), millis);
                socket.setSoTimeout(millis);
            } catch (IOException e) {
                throw failed(e, false, "connection refused");
            }
        }

        /// Whether the receiver already has it.
        private boolean begun(Socket socket) {
            try {
                Protocol.say(socket.getOutputStream(), Protocol.header(content));
            } catch (IOException e) {
                throw failed(e, false, "connection refused");
            }
            String answer = answer(socket, false);
            if (!answer.equals(Protocol.GO) && !answer.equals(Protocol.OK)) {
                throw refused(answer);
            }
            return answer.equals(Protocol.OK);
        }

        /// An early answer of the receiver is a refusal: it is then the next line to read.
        private void pass(Socket socket, StallWatch watch, InputStream bytes, LongConsumer sent) throws IOException {
            OutputStream out = socket.getOutputStream();
            var chunk = new byte[CHUNK];
            for (long done = 0; done < content.size(); ) {
                int n = bytes.read(chunk, 0, Math.toIntExact(Math.min(chunk.length, content.size() - done)));
                if (n < 0) {
                    throw new GatewayException(
                            Kind.REJECTED,
                            false,
                            "the snapshot for pod " + pod + " ended after " + done + " of " + content.size()
                                    + " bytes: what is stored is incomplete");
                }
                try {
                    watch.around(() -> out.write(chunk, 0, n));
                    if (socket.getInputStream().available() > 0) {
                        return;
                    }
                } catch (IOException e) {
                    throw broken(socket, watch, e);
                }
                done += n;
                sent.accept(done);
            }
        }

        /// The reason for a broken connection may have arrived before the end.
        private GatewayException broken(Socket socket, StallWatch watch, IOException e) {
            if (watch.stalled()) {
                return failed(new SocketTimeoutException(), false, "");
            }
            try {
                return refused(answer(socket, false));
            } catch (GatewayException _) {
                return failed(e, false, "the connection broke");
            }
        }

        private String answer(Socket socket, boolean all) {
            try {
                return Protocol.line(socket.getInputStream());
            } catch (IOException e) {
                throw failed(e, all, all ? "the connection broke before the answer" : "the connection was closed");
            }
        }

        private GatewayException failed(IOException e, boolean all, String why) {
            boolean late = e instanceof SocketTimeoutException;
            return new GatewayException(
                    late ? Kind.TIMEOUT : Kind.UNREACHABLE,
                    all,
                    "sending the snapshot to pod " + pod + " on port " + PORT + ": "
                            + (late ? "no progress for " + stall.toSeconds() + " seconds" : why)
                            + ". Check the Job's state; if it still waits for data, send again",
                    e);
        }

        private GatewayException refused(String answer) {
            String reason = answer.startsWith(Protocol.NO)
                    ? answer.substring(Protocol.NO.length()).replaceAll("[^\\x20-\\x7e]", "?")
                    : "it does not speak the protocol of the receiver";
            return new GatewayException(
                    Kind.REJECTED,
                    false,
                    "the receiver in pod " + pod + " refused: "
                            + reason.substring(0, Math.min(LONGEST_REASON, reason.length())));
        }
    }
}
