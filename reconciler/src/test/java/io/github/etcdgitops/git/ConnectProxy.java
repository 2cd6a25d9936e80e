package io.github.etcdgitops.git;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// A proxy that lets people through to one server on loopback, whichever they name.
final class ConnectProxy implements AutoCloseable {
    private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final int server;

    /// What was asked for, in order: `CONNECT host:port`.
    final List<String> asked = new CopyOnWriteArrayList<>();

    volatile String answer = "200 Connection established";

    ConnectProxy(int server) throws IOException {
        this.server = server;
        Thread.ofPlatform().daemon().start(this::accept);
    }

    String url() {
        return "http://127.0.0.1:" + listening.getLocalPort();
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket client = listening.accept();
                Thread.ofPlatform().daemon().start(() -> serve(client));
            } catch (IOException _) {
                return;
            }
        }
    }

    private void serve(Socket client) {
        try (client) {
            String head = head(client.getInputStream());
            asked.add(head.lines().findFirst().orElse("").replace(" HTTP/1.1", ""));
            client.getOutputStream().write(("HTTP/1.1 " + answer + "\r\n\r\n").getBytes(ISO_8859_1));
            if (answer.startsWith("200")) {
                try (var there = new Socket(InetAddress.getLoopbackAddress(), server)) {
                    var back = Thread.ofPlatform().daemon().start(() -> pump(there, client));
                    pump(client, there);
                    back.join();
                }
            }
        } catch (IOException _) {
            // The client has gone.
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static String head(InputStream in) throws IOException {
        var head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("no request");
            }
            head.append((char) next);
        }
        return head.toString();
    }

    private static void pump(Socket from, Socket to) {
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[8192];
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                out.write(buffer, 0, n);
                out.flush();
            }
            to.shutdownOutput();
        } catch (IOException _) {
            // Either has gone.
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
