package io.github.etcdgitops.sandbox.network;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/// The way from one pod to another: listens on an address of its own and passes every byte on to the other's.
///
/// Idle ones cost a few parked virtual threads.
final class Relay implements AutoCloseable {
    static final List<Integer> PORTS = List.of(2379, 2380, 2381);

    private static final int BACKLOG = 50;
    private static final int CONNECT_MILLIS = 5_000;
    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final int BUFFER = 8 * 1024;

    /// `origin` is what the target sees as the caller's address: the one under which it knows the caller's
    /// name, so that it can hold the caller's certificate against it.
    record Route(String address, String target, Origin origin) {}

    interface Origin {
        String address() throws IOException;
    }

    private final Route route;
    private final BooleanSupplier cut;
    private final List<ServerSocket> listeners = new ArrayList<>();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    /// While `cut` says so, callers are refused.
    private Relay(Route route, BooleanSupplier cut) {
        this.route = route;
        this.cut = cut;
    }

    static Relay start(Route route, BooleanSupplier cut) throws IOException {
        var relay = new Relay(route, cut);
        try {
            for (int port : PORTS) {
                var listener = new ServerSocket();
                relay.listeners.add(listener);
                listener.bind(new InetSocketAddress(InetAddress.getByName(route.address()), port), BACKLOG);
            }
        } catch (IOException e) {
            relay.close();
            throw e;
        }
        for (ServerSocket listener : relay.listeners) {
            Thread.ofVirtual().name("relay " + route.address()).start(() -> relay.accept(listener));
        }
        return relay;
    }

    /// Drops what is connected now.
    void drop() {
        open.forEach(Relay::abort);
    }

    @Override
    public void close() {
        for (ServerSocket listener : listeners) {
            try {
                listener.close();
            } catch (IOException alreadyClosed) {
                // nothing is left to be done
            }
        }
        drop();
    }

    private void accept(ServerSocket listener) {
        while (!listener.isClosed()) {
            try {
                Socket caller = listener.accept();
                Thread.ofVirtual().start(() -> connect(caller, listener.getLocalPort()));
            } catch (IOException closedOrNoMoreFiles) {
                pause();
            }
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void connect(Socket caller, int port) {
        var target = new Socket();
        open.add(caller);
        open.add(target);
        try {
            if (cut.getAsBoolean()) {
                throw new IOException("cut off");
            }
            caller.setTcpNoDelay(true);
            target.setTcpNoDelay(true);
            target.bind(
                    new InetSocketAddress(InetAddress.getByName(route.origin().address()), 0));
            target.connect(new InetSocketAddress(InetAddress.getByName(route.target()), port), CONNECT_MILLIS);
            Thread back = Thread.ofVirtual().start(() -> copy(target, caller));
            copy(caller, target);
            back.join();
            caller.close();
            target.close();
        } catch (IOException | InterruptedException e) {
            abort(caller);
            abort(target);
        } finally {
            open.remove(caller);
            open.remove(target);
        }
    }

    /// Until one side has said all; the other direction goes on.
    private static void copy(Socket from, Socket to) {
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            var buffer = new byte[BUFFER];
            int read = in.read(buffer);
            while (read >= 0) {
                out.write(buffer, 0, read);
                read = in.read(buffer);
            }
            to.shutdownOutput();
        } catch (IOException e) {
            abort(from);
            abort(to);
        }
    }

    /// With a reset, as from a machine that is gone.
    private static void abort(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
        } catch (IOException alreadyClosed) {
            // closing it again does no harm
        }
        try {
            socket.close();
        } catch (IOException alreadyClosed) {
            // nothing is left to be done
        }
    }
}
