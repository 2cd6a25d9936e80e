package io.github.etcdgitops.it;

import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.gateway.MemberAccess.Door;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// One real etcd on a loopback address of its own, with its data in a temporary folder that goes with it.
/// Only the process that was started here is ever signalled, by its pid.
public final class EtcdProcess implements AutoCloseable {
    /// Should the tests themselves be killed, no etcd stays behind.
    private static final Set<Process> STARTED = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> STARTED.forEach(Process::destroyForcibly)));
    }

    private static final int FIRST_PORT = 10_240;
    private static final int PORTS = 19_760;
    /// Starts anywhere, so that two builds beside each other seldom try the same ports.
    private static final AtomicInteger NEXT_PORT =
            new AtomicInteger(ThreadLocalRandom.current().nextInt(PORTS));

    private static final int LAST_LINES = 40;
    private static final String READY = "ready to serve client requests";

    private EtcdBinaries binaries;
    private final String name;
    private final Path folder;
    private final String address;
    /// Of each door, since no two members can have the usual ports on 127.0.0.1.
    private final Map<Door, Integer> ports;
    private List<String> extra;
    private int starts;
    private Optional<Process> process = Optional.empty();

    /// `extra` are more flags of etcd. Where one of them is `--cert-file=…`, clients are served over
    /// TLS alone; where it is `--peer-cert-file=…`, so are peers, and the member listens on 127.0.0.1,
    /// which certificates name.
    public EtcdProcess(EtcdBinaries binaries, String name, List<String> extra) {
        this.binaries = binaries;
        this.name = name;
        this.extra = List.copyOf(extra);
        this.address = has("--peer-cert-file=") ? "127.0.0.1" : freeAddress();
        try (var client = listen(address);
                var metrics = listen(address);
                var peer = listen(address);
                var peerTls = listen(address)) {
            this.ports = Map.of(
                    Door.CLIENT, client.getLocalPort(),
                    Door.CLIENT_TLS, client.getLocalPort(),
                    Door.METRICS, metrics.getLocalPort(),
                    Door.PEER, peer.getLocalPort(),
                    Door.PEER_TLS, peerTls.getLocalPort());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        try {
            this.folder = Files.createTempDirectory("etcd-" + name + "-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// More flags from the next start on, in place of those before; of two that say the same, the last
    /// counts.
    public EtcdProcess flags(List<String> flags) {
        extra = List.copyOf(flags);
        return this;
    }

    /// Another release from the next start on.
    public EtcdProcess binaries(EtcdBinaries other) {
        binaries = other;
        return this;
    }

    /// Starts without waiting. Once there is data, etcd ignores `initialCluster` and `state`.
    public EtcdProcess start(String initialCluster, String state) {
        starts++;
        try {
            process = Optional.of(new ProcessBuilder(command(initialCluster, state))
                    .redirectErrorStream(true)
                    .redirectOutput(log().toFile())
                    .start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        STARTED.add(process.orElseThrow());
        return this;
    }

    private List<String> command(String initialCluster, String state) {
        String scheme = has("--cert-file=") ? "https" : "http";
        String client = scheme + "://" + endpoint();
        var command = new ArrayList<>(List.of(
                binaries.etcd().toString(),
                "--name=" + name,
                "--data-dir=" + folder.resolve("data"),
                "--listen-client-urls=" + client,
                "--advertise-client-urls=" + client,
                "--listen-metrics-urls=" + url("http", Door.METRICS),
                "--listen-peer-urls=" + peerUrl(),
                "--initial-advertise-peer-urls=" + peerUrl(),
                "--initial-cluster=" + initialCluster,
                "--initial-cluster-state=" + state,
                "--initial-cluster-token=" + folder.getParent().hashCode(),
                "--heartbeat-interval=100",
                "--election-timeout=1000"));
        command.addAll(extra);
        return command;
    }

    /// Waits until this start serves clients, which needs quorum.
    public EtcdProcess awaitReady() {
        await(name + " to serve clients", Duration.ofSeconds(30), () -> {
            if (!running()) {
                throw new IllegalStateException(name + " ended by itself:\n" + readLog());
            }
            return readLog().contains(READY);
        });
        return this;
    }

    /// SIGKILL, as when a machine dies: nothing is flushed or handed over.
    public void kill() {
        process.ifPresent(p -> {
            p.destroyForcibly();
            awaitEnd(p);
        });
    }

    /// SIGTERM, as the kubelet does it: the leader hands over first.
    public void stop() {
        process.ifPresent(p -> {
            p.destroy();
            awaitEnd(p);
        });
    }

    /// SIGSTOP: connections are still accepted by the kernel, and nobody answers. Returns once every
    /// thread stands still: one that has a processor goes on for a moment.
    public void pause() {
        signal("STOP");
        await("the standstill of " + name, Duration.ofSeconds(30), this::standsStill);
    }

    public void resume() {
        signal("CONT");
    }

    public boolean running() {
        return process.map(Process::isAlive).orElse(false);
    }

    public String name() {
        return name;
    }

    public String peerUrl() {
        boolean secured = has("--peer-cert-file=") && !has("--listen-peer-urls=");
        return url(secured ? "https" : "http", Door.PEER);
    }

    private boolean has(String flag) {
        return extra.stream().anyMatch(given -> given.startsWith(flag));
    }

    /// `SCHEME://ADDRESS:PORT` of one of its doors.
    public String url(String scheme, Door door) {
        return scheme + "://" + address + ":" + ports.get(door);
    }

    public String address() {
        return address;
    }

    public int clientPort() {
        return ports.get(Door.CLIENT);
    }

    /// `ADDRESS:PORT` of the client listener.
    public String endpoint() {
        return address + ":" + clientPort();
    }

    /// The way to this member; certificates are checked against `authority`.
    public MemberAccess.Route route(String authority) {
        return route(authority, Door.CLIENT);
    }

    public MemberAccess.Route route(String authority, Door door) {
        return new Direct(address, ports.get(door), authority, door);
    }

    /// The file that has the keys.
    public Path dataDirectory() {
        return folder.resolve("data");
    }

    public Path database() {
        return folder.resolve("data/member/snap/db");
    }

    public String readLog() {
        try {
            return Files.exists(log()) ? Files.readString(log()) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// For the message of a failed test: whether the process runs, and the last lines of its log.
    String logEnd() {
        var lines = readLog().lines().toList();
        return name + (running() ? " runs" : " does not run") + ":\n"
                + String.join("\n", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
    }

    @Override
    public void close() {
        kill();
        try {
            Files.walkFileTree(folder, new DeleteAll());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Looks again every 20 ms until the condition holds; fails with `what` when the time is up.
    public static void await(String what, Duration limit, BooleanSupplier condition) {
        long end = System.nanoTime() + limit.toNanos();
        var never = new CountDownLatch(1);
        try {
            while (!condition.getAsBoolean()) {
                if (System.nanoTime() > end) {
                    throw new AssertionError("Waited " + limit + " in vain for " + what);
                }
                if (never.await(20, TimeUnit.MILLISECONDS)) {
                    throw new IllegalStateException("nobody counts this latch down");
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for " + what, e);
        }
    }

    private Path log() {
        return folder.resolve("log-" + starts);
    }

    private boolean standsStill() {
        try (var threads =
                Files.list(Path.of("/proc", Long.toString(process.orElseThrow().pid()), "task"))) {
            return threads.allMatch(thread -> state(thread).equals("T"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The letter after the name in brackets, which may have brackets itself.
    private static String state(Path thread) {
        try {
            String stat = Files.readString(thread.resolve("stat"));
            return stat.substring(stat.lastIndexOf(')') + 2).substring(0, 1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void signal(String signal) {
        var running =
                process.filter(Process::isAlive).orElseThrow(() -> new IllegalStateException(name + " does not run"));
        try {
            var kill = new ProcessBuilder("kill", "-" + signal, Long.toString(running.pid())).start();
            awaitEnd(kill);
            if (kill.exitValue() != 0) {
                throw new IllegalStateException("kill -" + signal + " of " + name + " failed");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void awaitEnd(Process process) {
        try {
            if (!process.waitFor(15, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
            STARTED.remove(process);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
        }
    }

    /// Linux answers on the whole of 127/8; elsewhere only 127.0.0.1 is sure to be there.
    private static String freeAddress() {
        var random = ThreadLocalRandom.current();
        String candidate =
                "127." + random.nextInt(20, 250) + "." + random.nextInt(1, 250) + "." + random.nextInt(1, 250);
        try (var probe = listen(candidate)) {
            return probe.getInetAddress().getHostAddress();
        } catch (IOException e) {
            return "127.0.0.1";
        }
    }

    /// A port below those that the kernel gives to whoever calls: on 127.0.0.1 a member that is up calls
    /// the others from such a one, and one that is to listen there would find it taken. None is given out twice
    /// before all others were: members that are not started yet hold theirs by this alone.
    private static ServerSocket listen(String address) throws IOException {
        var refused = new IOException("no port is free on " + address);
        for (int tries = 0; tries < 100; tries++) {
            int port = FIRST_PORT + Math.floorMod(NEXT_PORT.getAndIncrement(), PORTS);
            try {
                return new ServerSocket(port, 1, InetAddress.ofLiteral(address));
            } catch (BindException e) {
                refused.addSuppressed(e);
            }
        }
        throw refused;
    }

    private record Direct(String host, int port, String authority, Door door) implements MemberAccess.Route {
        @Override
        public MemberAccess.Way way() {
            return MemberAccess.Way.POD_IP;
        }

        @Override
        public void close() {
            // Nothing was opened.
        }
    }

    private static final class DeleteAll extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failure) throws IOException {
            if (failure != null) {
                throw failure;
            }
            Files.delete(folder);
            return FileVisitResult.CONTINUE;
        }
    }
}
