package io.github.etcdgitops.sandbox.etcd;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Finds etcd's binaries of a version, and fetches them when they are asked for the first time. Needs no
/// privilege.
///
/// In this order: `$ETCD_HOME`, the cache, Debian's packages, the project's release archive
/// (`$ETCD_RELEASES`). Safe for any number of threads and processes: one fetches, the others wait for it.
public final class EtcdReleases {
    private static final Pattern VERSION = Pattern.compile("\\d{1,4}\\.\\d{1,4}\\.\\d{1,4}(-[a-z]+\\.\\d{1,4})?");
    private static final String PROJECT = "https://github.com/etcd-io/etcd/releases/download";

    /// For as long a version that could not be had is not tried again, however many pods ask.
    private static final Duration REFUSAL_KEPT = Duration.ofSeconds(30);

    private static final Duration FETCH_PATIENCE = Duration.ofMinutes(10);

    private final @Nullable Path home;
    private final Path cache;
    private final List<Source> sources;
    private final Map<String, Path> known = new ConcurrentHashMap<>();
    private final Map<String, Refused> refused = new ConcurrentHashMap<>();

    private record Refused(long nanos, String message) {}

    EtcdReleases(@Nullable Path home, Path cache, List<Source> sources) {
        this.home = home;
        this.cache = cache;
        this.sources = List.copyOf(sources);
    }

    /// Reads `ETCD_HOME`, `ETCD_RELEASES`, `XDG_CACHE_HOME` and `HOME` of the given environment.
    public static EtcdReleases of(Map<String, String> environment) {
        Path caches = set(environment, "XDG_CACHE_HOME")
                .map(Path::of)
                .orElseGet(
                        () -> Path.of(set(environment, "HOME").orElse(System.getProperty("user.home", "")), ".cache"));
        Path cache = caches.resolve("etcd-gitops").toAbsolutePath();
        return new EtcdReleases(
                set(environment, "ETCD_HOME")
                        .map(path -> Path.of(path).toAbsolutePath())
                        .orElse(null),
                cache.resolve("etcd"),
                List.of(
                        new DebianArchive(cache.resolve("apt"), Path.of("/etc/apt"), InstantSource.system()),
                        new ReleaseArchive(
                                URI.create(set(environment, "ETCD_RELEASES").orElse(PROJECT)))));
    }

    /// The folder with `etcd`, `etcdctl` and, where there is one, `etcdutl`. `version` is `3.5.16`. Throws
    /// [EtcdUnavailable].
    public Path folder(String version, Consumer<String> progress) throws InterruptedException {
        if (!VERSION.matcher(version).matches()) {
            throw new EtcdUnavailable("'" + version + "' is not a version of etcd, such as 3.5.16");
        }
        Path folder = known.get(version);
        if (folder == null) {
            folder = find(version, progress);
            known.put(version, folder);
        }
        return folder;
    }

    /// What [#folder] can give, as far as it can be told without trying: newest last. May read lists from the
    /// network.
    public List<String> available(Consumer<String> progress) throws InterruptedException {
        var versions = sorted(installed());
        for (Source source : sources) {
            try {
                versions.addAll(source.offers(progress));
            } catch (IOException e) {
                progress.accept("etcd: " + source.name() + ": " + why(e));
            }
        }
        return List.copyOf(versions);
    }

    /// What is on this machine already: newest last.
    public List<String> installed() throws InterruptedException {
        var versions = sorted(List.of());
        for (Path place : home == null ? List.of(cache) : List.of(home, cache)) {
            try {
                versions.addAll(Binaries.below(place).keySet());
            } catch (IOException unreadable) {
                // then it has none
            }
        }
        return List.copyOf(versions);
    }

    private static SortedSet<String> sorted(List<String> versions) {
        var sorted = new TreeSet<>(Comparator.comparing(EtcdReleases::numbers).thenComparing(v -> v));
        sorted.addAll(versions);
        return sorted;
    }

    private Path find(String version, Consumer<String> progress) throws InterruptedException {
        try {
            Optional<Path> here = onThisMachine(version);
            if (here.isPresent()) {
                return here.get();
            }
            Files.createDirectories(cache);
            try (var _ = Lock.take(cache.resolve(".lock"), FETCH_PATIENCE)) {
                Optional<Path> fetchedMeanwhile = onThisMachine(version);
                return fetchedMeanwhile.isPresent() ? fetchedMeanwhile.get() : fetch(version, progress);
            }
        } catch (IOException e) {
            throw new EtcdUnavailable("etcd " + version + ": the cache " + cache + " cannot be used: " + e);
        }
    }

    private Optional<Path> onThisMachine(String version) throws IOException, InterruptedException {
        if (home != null) {
            Path found = Binaries.below(home).get(version);
            if (found != null) {
                return Optional.of(found);
            }
        }
        Path cached = cache.resolve(version);
        return Files.isDirectory(cached) ? Optional.of(cached) : Optional.empty();
    }

    private Path fetch(String version, Consumer<String> progress) throws IOException, InterruptedException {
        Refused before = refused.get(version);
        if (before != null && System.nanoTime() - before.nanos() < REFUSAL_KEPT.toNanos()) {
            throw new EtcdUnavailable(before.message());
        }
        removeHalfDone();
        var tried = new ArrayList<String>();
        for (Source source : sources) {
            Path half = Files.createTempDirectory(cache, ".half-");
            try {
                source.fetch(version, half, progress);
                return keep(version, half, progress);
            } catch (IOException e) {
                tried.add(source.name() + ": " + why(e));
            } finally {
                Folders.delete(half);
            }
        }
        String message = message(version, tried);
        refused.put(version, new Refused(System.nanoTime(), message));
        throw new EtcdUnavailable(message);
    }

    private Path keep(String version, Path half, Consumer<String> progress) throws IOException, InterruptedException {
        String said = Binaries.version(half).orElse("nothing that can be run here");
        if (!said.equals(version)) {
            throw new IOException("what came is " + said);
        }
        Files.setPosixFilePermissions(half, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path folder = cache.resolve(version);
        Files.move(half, folder, StandardCopyOption.ATOMIC_MOVE);
        progress.accept("etcd " + version + ": ready in " + folder);
        return folder;
    }

    /// What a killed process left; the lock is held, so nobody is at work on it.
    private void removeHalfDone() throws IOException {
        List<Path> left;
        try (Stream<Path> listed = Files.list(cache)) {
            left = listed.filter(p -> p.getFileName().toString().startsWith(".half-"))
                    .toList();
        }
        for (Path half : left) {
            Folders.delete(half);
        }
    }

    private String message(String version, List<String> tried) {
        String lines = Stream.concat(
                        Stream.of(
                                home == null ? "ETCD_HOME: not set" : "ETCD_HOME: not in " + home,
                                "the cache: not in " + cache),
                        tried.stream())
                .map(line -> "  - " + line + "\n")
                .reduce("", String::concat);
        return "etcd " + version + " is nowhere to be had. Looked at:\n" + lines
                + "Set ETCD_HOME to a folder with etcd and etcdctl (or with a folder of them for each version), or"
                + " ETCD_RELEASES to a mirror of etcd's release archives.";
    }

    /// Of an unknown host the message is nothing but its name.
    private static String why(IOException e) {
        return e.getClass() == IOException.class ? String.valueOf(e.getMessage()) : e.toString();
    }

    private static String numbers(String version) {
        return Stream.of(version.split("[.-]"))
                .map(part -> "0000".substring(Math.min(part.length(), 4)) + part)
                .reduce("", String::concat);
    }

    private static Optional<String> set(Map<String, String> environment, String name) {
        return Optional.ofNullable(environment.get(name)).filter(value -> !value.isBlank());
    }
}
