package io.github.etcdgitops.gateway.etcd;

import io.github.etcdgitops.gateway.MemberAccess;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/// Stands between a client and a member, and stops passing the member's bytes on after so many of them, with both
/// connections left open.
final class Relay implements MemberAccess.Route {
    private final MemberAccess.Route member;
    private final ServerSocket entry;
    private final AtomicLong left;
    private final CountDownLatch clientGone = new CountDownLatch(1);

    Relay(MemberAccess.Route member, long bytes) throws IOException {
        this.member = member;
        this.left = new AtomicLong(bytes);
        this.entry = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::serve);
    }

    /// Counted down when the client has closed its connection.
    CountDownLatch clientGone() {
        return clientGone;
    }

    private void serve() {
        try (var client = entry.accept();
                var server = new Socket(member.host(), member.port())) {
            var back = Thread.ofVirtual().start(() -> pass(server, client, left));
            pass(client, server, new AtomicLong(Long.MAX_VALUE));
            clientGone.countDown();
            server.close();
            back.join();
        } catch (IOException _) {
            // The test has ended.
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static void pass(Socket from, Socket to, AtomicLong limit) {
        byte[] buffer = new byte[16 << 10];
        try {
            InputStream in = from.getInputStream();
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                int passed = (int) Math.min(n, limit.get());
                to.getOutputStream().write(buffer, 0, passed);
                limit.addAndGet(-passed);
                if (limit.get() == 0) {
                    return;
                }
            }
        } catch (IOException _) {
            // One of them hung up.
        }
    }

    @Override
    public String host() {
        return "127.0.0.1";
    }

    @Override
    public int port() {
        return entry.getLocalPort();
    }

    @Override
    public String authority() {
        return member.authority();
    }

    @Override
    public MemberAccess.Way way() {
        return member.way();
    }

    @Override
    public void close() {
        try {
            entry.close();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
