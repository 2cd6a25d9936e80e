package io.github.etcdgitops.sandbox.network;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The addresses `127.NETWORK.*.*`: the lower ones for pods, the higher ones for relays.
///
/// A network belongs to one sandbox of the machine at a time: whoever listens on its claim. An address that
/// was freed comes around again only after all others.
public final class Loopback implements AutoCloseable {
    private static final String CLAIM = "255.254";
    private static final int CLAIM_PORT = 2377;
    private static final List<Integer> PORTS = List.of(2378, 2379, 2380, 2381);
    private static final int RELAYS = 64 << 8;
    private static final int END = 255 << 8;

    private final int network;
    private final ServerSocket claim;
    private final Set<Integer> used = new HashSet<>();
    private int lastPod;
    private int lastRelay = RELAYS;

    private Loopback(int network, ServerSocket claim) {
        this.network = network;
        this.claim = claim;
    }

    public static Loopback claim() throws IOException {
        List<Integer> networks = IntStream.range(16, 250).boxed().collect(Collectors.toList());
        Collections.shuffle(networks);
        for (int network : networks) {
            ServerSocket claim = listen("127." + network + "." + CLAIM, CLAIM_PORT);
            if (claim != null) {
                return new Loopback(network, claim);
            }
        }
        throw new IOException("no network 127.x.0.0/16 is free: port " + CLAIM_PORT + " of 127.x." + CLAIM
                + " is taken for every x, or this is not Linux, where all of 127.0.0.0/8 is the machine itself");
    }

    synchronized String pod() throws IOException {
        lastPod = next(lastPod, 0, RELAYS);
        return address(lastPod);
    }

    synchronized String relay() throws IOException {
        lastRelay = next(lastRelay, RELAYS, END);
        return address(lastRelay);
    }

    synchronized void free(String address) {
        used.removeIf(number -> address(number).equals(address));
    }

    @Override
    public void close() throws IOException {
        claim.close();
    }

    private int next(int last, int from, int to) throws IOException {
        for (int i = 1; i < to - from; i++) {
            int number = from + (last - from + i) % (to - from);
            boolean plain = (number & 255) != 0 && (number & 255) != 255;
            if (plain && !used.contains(number) && nobodyListens(address(number))) {
                used.add(number);
                return number;
            }
        }
        throw new IOException("all addresses of 127." + network + ".0.0/16 are in use");
    }

    private String address(int number) {
        return "127." + network + "." + (number >> 8) + "." + (number & 255);
    }

    /// Somebody may: a process that a killed sandbox left, or one that is no sandbox's.
    private static boolean nobodyListens(String address) throws IOException {
        for (int port : PORTS) {
            try (ServerSocket probe = listen(address, port)) {
                if (probe == null) {
                    return false;
                }
            }
        }
        return true;
    }

    private static @Nullable ServerSocket listen(String address, int port) throws IOException {
        var socket = new ServerSocket();
        try {
            socket.bind(new InetSocketAddress(InetAddress.getByName(address), port), 1);
            return socket;
        } catch (IOException taken) {
            socket.close();
            return null;
        }
    }
}
