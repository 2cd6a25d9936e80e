package io.github.etcdgitops.gateway.etcd.call;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// A server that does to each connection what a script says, and then waits until the client has gone.
public final class ScriptedServer implements AutoCloseable {
    private static final int PREFACE = 24;

    private final ServerSocket entry;
    private final Script script;
    private final CountDownLatch clientGone = new CountDownLatch(1);
    private final LinkedBlockingQueue<String> requests = new LinkedBlockingQueue<>();

    /// What it does to one connection.
    @FunctionalInterface
    public interface Script {
        void play(Connected with) throws IOException;
    }

    public ScriptedServer(Script script) throws IOException {
        this(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), script);
    }

    public ScriptedServer(ServerSocket entry, Script script) {
        this.entry = entry;
        this.script = script;
        Thread.ofVirtual().start(this::serve);
    }

    public InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), entry.getLocalPort());
    }

    /// Whether a client has closed its connection.
    public boolean clientGone() throws InterruptedException {
        return clientGone.await(10, TimeUnit.SECONDS);
    }

    /// The headers of the next request, as they were sent.
    String nextRequest() throws InterruptedException {
        var request = requests.poll(10, TimeUnit.SECONDS);
        if (request == null) {
            throw new AssertionError("no request came");
        }
        return request;
    }

    private void serve() {
        while (!entry.isClosed()) {
            try {
                var client = entry.accept();
                Thread.ofVirtual().start(() -> serve(client));
            } catch (IOException _) {
                // The test has ended.
            }
        }
    }

    private void serve(Socket client) {
        try (client) {
            var connected = new Connected(client, requests);
            script.play(connected);
            if (!connected.hungUp) {
                client.getInputStream().transferTo(OutputStream.nullOutputStream());
            }
        } catch (IOException _) {
            // The client was quicker.
        } finally {
            clientGone.countDown();
        }
    }

    @Override
    public void close() throws IOException {
        entry.close();
    }

    /// One connection, as its script sees it.
    public static final class Connected {
        private final Socket socket;
        private final DataInputStream in;
        private final OutputStream out;
        private final LinkedBlockingQueue<String> requests;
        private boolean begun;
        private boolean hungUp;

        private Connected(Socket socket, LinkedBlockingQueue<String> requests) throws IOException {
            this.socket = socket;
            this.in = new DataInputStream(socket.getInputStream());
            this.out = socket.getOutputStream();
            this.requests = requests;
        }

        public Connected send(byte[]... parts) throws IOException {
            for (byte[] part : parts) {
                out.write(part);
            }
            out.flush();
            return this;
        }

        /// Each byte as a packet of its own.
        public Connected dribble(byte[]... parts) throws IOException {
            socket.setTcpNoDelay(true);
            for (byte[] part : parts) {
                for (byte b : part) {
                    out.write(b);
                    out.flush();
                }
            }
            return this;
        }

        public void hangUp() throws IOException {
            hungUp = true;
            socket.close();
        }

        public InputStream in() {
            return in;
        }

        /// The stream of the next request, whose headers and whose message have come.
        public int request() throws IOException {
            if (!begun) {
                begun = true;
                in.readNBytes(PREFACE);
            }
            int stream = 0;
            while (true) {
                int length = in.readUnsignedShort() << 8 | in.readUnsignedByte();
                int kind = in.readUnsignedByte();
                int flags = in.readUnsignedByte();
                int of = in.readInt();
                byte[] payload = in.readNBytes(length);
                if (payload.length < length) {
                    throw new EOFException();
                }
                if (kind == Frame.Kind.HEADERS.number()) {
                    stream = of;
                    requests.add(new String(payload, java.nio.charset.StandardCharsets.ISO_8859_1));
                }
                if (kind == Frame.Kind.DATA.number() && of == stream && (flags & Frame.END_STREAM) != 0) {
                    return stream;
                }
            }
        }

        public List<Integer> requests(int count) throws IOException {
            var streams = new ArrayList<Integer>();
            while (streams.size() < count) {
                streams.add(request());
            }
            return streams;
        }
    }
}
