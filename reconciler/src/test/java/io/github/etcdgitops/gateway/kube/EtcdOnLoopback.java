package io.github.etcdgitops.gateway.kube;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.gateway.kube.manifest.MemberConfigFile;
import io.github.etcdgitops.gateway.kube.manifest.PodPaths;
import io.github.etcdgitops.gateway.kube.manifest.Ports;
import io.github.etcdgitops.it.EtcdBinaries;
import io.github.etcdgitops.spec.value.Transport;
import io.github.etcdgitops.state.MemberConfig;
import io.github.etcdgitops.state.journal.MemberSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Real etcd processes, one loopback address each, started from rendered files. The only change to a
/// file is where the hosts and the data directory of a pod stand.
final class EtcdOnLoopback implements AutoCloseable {
    private static final Path BINARIES = Path.of(System.getProperty("user.home"), ".cache", "kube", "etcd");
    private static final Map<String, Set<String>> TAGS = new ConcurrentHashMap<>();
    private static final Duration DEADLINE = Duration.ofSeconds(40);

    private final String version;
    private final String network;
    private final Path folder;
    private final List<Process> started = new ArrayList<>();
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();

    /// `network` is two numbers, unique to a test: `127.<network>.<ordinal + 1>` are the members'
    /// addresses.
    EtcdOnLoopback(String version, String network, Path folder) {
        this.version = version;
        this.network = network;
        this.folder = folder;
    }

    static boolean present(String version) {
        return Files.isExecutable(binary(version, "etcd"));
    }

    /// Where ETCD_HOME has no such version, `~/.cache/kube/etcd` may.
    private static Path binary(String version, String name) {
        return EtcdBinaries.find(version)
                .map(EtcdBinaries::folder)
                .orElseGet(() -> BINARIES.resolve(version))
                .resolve(name);
    }

    static SortedMap<Integer, String> peers(int... ordinals) {
        var peers = new TreeMap<Integer, String>();
        for (int ordinal : ordinals) {
            peers.put(ordinal, Transport.PLAIN.peerUrls(Samples.ORDERS, ordinal).getFirst());
        }
        return peers;
    }

    Process start(int ordinal, MemberConfig config, MemberSettings applied) throws IOException {
        String file = onLoopback(ordinal, MemberConfigFile.write(Samples.ORDERS, ordinal, config, applied));
        return start(ordinal, Files.writeString(path(ordinal), file));
    }

    /// Starts a stopped member with its file, changed.
    Process restartWith(int ordinal, UnaryOperator<String> change) throws IOException {
        String before = Files.readString(path(ordinal));
        String file = change.apply(before);
        assertThat(file).isNotEqualTo(before);
        return start(ordinal, Files.writeString(path(ordinal), file));
    }

    private Path path(int ordinal) {
        return folder.resolve(Samples.ORDERS.podName(ordinal) + ".yaml");
    }

    private Process start(int ordinal, Path path) throws IOException {
        var builder = new ProcessBuilder(binary(version, "etcd").toString(), "--config-file=" + path);
        builder.environment().keySet().removeIf(name -> name.startsWith("ETCD_"));
        builder.redirectErrorStream(true).redirectOutput(log(ordinal).toFile());
        var process = builder.start();
        started.add(process);
        return process;
    }

    /// What etcd says of a file that it does not start with.
    static String refusal(String version, Path folder, String text) throws IOException, InterruptedException {
        Path file = Files.writeString(folder.resolve("wrong.yaml"), text);
        Path said = folder.resolve("wrong.log");
        var builder = new ProcessBuilder(binary(version, "etcd").toString(), "--config-file=" + file);
        builder.environment().keySet().removeIf(name -> name.startsWith("ETCD_"));
        var process = builder.redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .directory(folder.toFile())
                .start();
        try {
            assertThat(process.waitFor(20, TimeUnit.SECONDS)).as("exits").isTrue();
            assertThat(process.exitValue()).isNotZero();
            return Files.readString(said);
        } finally {
            process.destroyForcibly();
        }
    }

    /// Every name that a structure in the binary is read from JSON or YAML by.
    static Set<String> tags(String version) {
        return TAGS.computeIfAbsent(version, v -> {
            try {
                byte[] binary = Files.readAllBytes(binary(v, "etcd"));
                return Pattern.compile("json:\"([a-z0-9-]+)")
                        .matcher(new String(binary, StandardCharsets.ISO_8859_1))
                        .results()
                        .map(match -> match.group(1))
                        .collect(Collectors.toUnmodifiableSet());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    /// As [#etcdctl], until etcd no longer refuses: it does so while a ring is seconds old, and with a
    /// learner that lags.
    String accepted(int ordinal, String... arguments) throws InterruptedException {
        var output = new AtomicReference<>("");
        await(String.join(" ", arguments), () -> {
            try {
                var result = run(ordinal, arguments);
                output.set(result.output);
                return result.exit == 0;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        });
        return output.get();
    }

    /// Runs etcdctl against one member and returns what it printed; fails when it fails.
    String etcdctl(int ordinal, String... arguments) throws IOException, InterruptedException {
        var result = run(ordinal, arguments);
        assertThat(result.exit).as(result.output).isZero();
        return result.output;
    }

    private record Result(int exit, String output) {}

    private Result run(int ordinal, String... arguments) throws IOException, InterruptedException {
        var command = new ArrayList<String>();
        command.add(binary(version, "etcdctl").toString());
        command.add("--endpoints=http://" + address(ordinal) + ":" + Ports.CLIENT);
        command.add("--dial-timeout=3s");
        command.addAll(List.of(arguments));
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("ETCDCTL_API", "3");
        var process = builder.start();
        started.add(process);
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Result(process.waitFor(), output);
    }

    void awaitHealthy(int ordinal) throws InterruptedException {
        await("member " + ordinal + " is healthy", () -> status(ordinal, "/health") == 200);
    }

    void await(String what, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + DEADLINE.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("in time: " + what).isLessThan(end);
            LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
    }

    /// The answer of a path on the metrics port, 0 when there is none.
    int status(int ordinal, String path) {
        var request = HttpRequest.newBuilder(URI.create("http://" + address(ordinal) + ":" + Ports.METRICS + path))
                .timeout(Duration.ofSeconds(2))
                .build();
        try {
            return http.send(request, BodyHandlers.discarding()).statusCode();
        } catch (IOException e) {
            return 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 0;
        }
    }

    /// The member's status by etcd's HTTP gateway, which clients without gRPC use.
    String versionOverHttp(int ordinal) throws IOException, InterruptedException {
        String root = version.startsWith("3.3") ? "/v3beta" : "/v3";
        var uri = URI.create("http://" + address(ordinal) + ":" + Ports.CLIENT + root + "/maintenance/status");
        var request = HttpRequest.newBuilder(uri)
                .POST(HttpRequest.BodyPublishers.ofString("{}"))
                .build();
        return http.send(request, BodyHandlers.ofString()).body();
    }

    boolean accepts(int ordinal, int port) {
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress(address(ordinal), port), 1000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    MemberAccess.Route route(int ordinal) {
        return new SecludedLook.Here(address(ordinal));
    }

    MemberAccess.Route metrics(int ordinal) {
        return new SecludedLook.Here(address(ordinal), Ports.METRICS);
    }

    String output(int ordinal) throws IOException {
        return Files.readString(log(ordinal));
    }

    Path data(String incarnation, int ordinal) {
        return folder.resolve("data-" + ordinal).resolve(incarnation);
    }

    String onLoopback(int ordinal, String text) {
        String local = text.replace("0.0.0.0", address(ordinal))
                .replace(PodPaths.DATA_PATH, folder.resolve("data-" + ordinal).toString())
                .replace("/etc/etcd/token", folder.toString());
        for (int other = 0; other < 5; other++) {
            local = local.replace(Samples.ORDERS.memberHost(other), address(other));
        }
        return local;
    }

    static void stop(Process process) throws InterruptedException {
        process.destroy();
        if (!process.waitFor(15, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
    }

    @Override
    public void close() {
        started.forEach(Process::destroyForcibly);
        http.close();
    }

    private String address(int ordinal) {
        return "127." + network + "." + (ordinal + 1);
    }

    private Path log(int ordinal) {
        return folder.resolve(ordinal + ".log");
    }
}
