package io.github.etcdgitops.sandbox.network;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Names and ways between pods. Each pod has a hosts file of its own: its own name is its own address,
/// and the name of every other pod of the same subdomain or the same StatefulSet is the address of the
/// relay that leads there.
public final class Network implements AutoCloseable {
    private static final int ATTEMPTS = 5;

    private final Loopback loopback;

    /// By name: a pod that comes again is reached over the same relays, and nobody has an old address in
    /// mind.
    private final Map<Way, String> addresses = new ConcurrentHashMap<>();

    private final Map<Way, Relay> relays = new HashMap<>();
    private final Map<PodKey, Endpoint> endpoints = new LinkedHashMap<>();
    private final Set<PodKey> isolated = ConcurrentHashMap.newKeySet();

    public Network(Loopback loopback) {
        this.loopback = loopback;
    }

    /// A pod on the network; `hosts` is its hosts file, `aliases` are the lines that its spec adds to it.
    public record Endpoint(
            PodKey pod, String hostname, String subdomain, String address, Path hosts, List<String> aliases) {
        public Endpoint {
            aliases = List.copyOf(aliases);
        }

        private boolean knows(Endpoint other) {
            return !pod.equals(other.pod)
                    && !subdomain.isEmpty()
                    && !other.subdomain.isEmpty()
                    && (subdomain.equals(other.subdomain) || set().equals(other.set()))
                    && pod.namespace().equals(other.pod.namespace());
        }

        /// What the pods of a StatefulSet have in common, whichever Service they are under.
        private String set() {
            return hostname.substring(0, Math.max(0, hostname.lastIndexOf('-')));
        }

        private String names() {
            String inNamespace = hostname + "." + subdomain + "." + pod.namespace();
            return subdomain.isEmpty()
                    ? " " + hostname
                    : String.join(
                            " ",
                            "",
                            inNamespace + ".svc.cluster.local",
                            inNamespace + ".svc",
                            inNamespace,
                            hostname + "." + subdomain,
                            hostname);
        }
    }

    private record Way(PodKey from, PodKey to) {}

    /// For a pod; freed when it leaves.
    public String newAddress() throws IOException {
        return loopback.pod();
    }

    public synchronized void join(Endpoint endpoint) throws IOException {
        endpoints.put(endpoint.pod(), endpoint);
        for (Endpoint other : endpoints.values()) {
            if (other.knows(endpoint)) {
                connect(endpoint, other);
                connect(other, endpoint);
                writeHosts(other);
            }
        }
        writeHosts(endpoint);
    }

    /// Does nothing when a younger pod of the same name has taken the place.
    public synchronized void leave(Endpoint endpoint) {
        loopback.free(endpoint.address());
        if (!endpoints.remove(endpoint.pod(), endpoint)) {
            return;
        }
        relays.entrySet().removeIf(relay -> {
            boolean concerned = relay.getKey().from().equals(endpoint.pod())
                    || relay.getKey().to().equals(endpoint.pod());
            if (concerned) {
                relay.getValue().close();
            }
            return concerned;
        });
        for (Endpoint other : endpoints.values()) {
            if (other.knows(endpoint)) {
                try {
                    writeHosts(other);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    public void isolate(PodKey pod) {
        isolated.add(pod);
        synchronized (this) {
            relays.forEach((way, relay) -> {
                if (isCut(way)) {
                    relay.drop();
                }
            });
        }
    }

    public void heal(PodKey pod) {
        isolated.remove(pod);
    }

    @Override
    public synchronized void close() throws IOException {
        relays.values().forEach(Relay::close);
        relays.clear();
        endpoints.clear();
        loopback.close();
    }

    private boolean isCut(Way way) {
        return isolated.contains(way.from()) || isolated.contains(way.to());
    }

    /// An address that somebody else took meanwhile is given up for another one.
    private void connect(Endpoint from, Endpoint to) throws IOException {
        var way = new Way(from.pod(), to.pod());
        var back = new Way(to.pod(), from.pod());
        Relay before = relays.remove(way);
        if (before != null) {
            before.close();
        }
        for (int attempt = 1; !relays.containsKey(way); attempt++) {
            var route = new Relay.Route(address(way), to.address(), () -> address(back));
            try {
                relays.put(way, Relay.start(route, () -> isCut(way)));
            } catch (BindException taken) {
                addresses.remove(way);
                if (attempt == ATTEMPTS) {
                    throw new IOException(
                            "none of " + ATTEMPTS + " addresses has the ports " + Relay.PORTS
                                    + " free; does a process listen on them on all addresses (0.0.0.0)?",
                            taken);
                }
            }
        }
    }

    private String address(Way way) throws IOException {
        String address = addresses.get(way);
        if (address == null) {
            address = loopback.relay();
            addresses.put(way, address);
        }
        return address;
    }

    private void writeHosts(Endpoint of) throws IOException {
        var text = new StringBuilder(of.address() + " localhost\n" + of.address() + of.names() + "\n");
        of.aliases().forEach(line -> text.append(line).append('\n'));
        for (Endpoint other : endpoints.values()) {
            if (of.knows(other)) {
                text.append(address(new Way(of.pod(), other.pod())))
                        .append(other.names())
                        .append('\n');
            }
        }
        Path next = of.hosts().resolveSibling("hosts.next");
        Files.writeString(next, text);
        Files.move(next, of.hosts(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
