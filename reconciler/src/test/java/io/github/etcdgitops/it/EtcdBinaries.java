package io.github.etcdgitops.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/// The real etcd of one version: a folder with `etcd` and `etcdctl`, and from 3.5 on `etcdutl`.
///
/// Versions are folders below `$ETCD_HOME`, then below `~/.cache/etcd-gitops/etcd`. A test whose version is on neither
/// is skipped, and says so on standard error, because a missing download is no fault of the code.
public record EtcdBinaries(String version, Path folder) {
    public static Optional<EtcdBinaries> find(String version) {
        return homes().stream()
                .map(home -> home.resolve(version))
                .filter(folder -> Files.isExecutable(folder.resolve("etcd")))
                .map(folder -> new EtcdBinaries(version, folder))
                .findFirst();
    }

    /// Skips the calling test when the version is not installed.
    public static EtcdBinaries require(String version) {
        return find(version).orElseGet(() -> {
            String skipped = "SKIPPED: etcd " + version + " is not installed. Put its binaries into "
                    + homes().getFirst().resolve(version) + ", or name the folder above it in ETCD_HOME. Installed: "
                    + installed();
            System.err.println(skipped);
            return Assumptions.abort(skipped);
        });
    }

    public static List<String> installed() {
        return homes().stream()
                .flatMap(EtcdBinaries::folders)
                .map(folder -> folder.getFileName().toString())
                .distinct()
                .sorted()
                .toList();
    }

    public Path etcd() {
        return folder.resolve("etcd");
    }

    public Path etcdctl() {
        return folder.resolve("etcdctl");
    }

    /// What reads snapshot files in this version.
    public Path snapshotTool() {
        Path own = folder.resolve("etcdutl");
        return Files.isExecutable(own) ? own : etcdctl();
    }

    private static List<Path> homes() {
        Path usual = Path.of(System.getProperty("user.home"), ".cache", "etcd-gitops", "etcd");
        return Stream.of(System.getenv("ETCD_HOME"))
                .filter(Objects::nonNull)
                .map(Path::of)
                .map(named -> List.of(named, usual))
                .findFirst()
                .orElse(List.of(usual));
    }

    private static Stream<Path> folders(Path home) {
        if (!Files.isDirectory(home)) {
            return Stream.empty();
        }
        try (var entries = Files.list(home)) {
            return entries.filter(entry -> Files.isExecutable(entry.resolve("etcd"))).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
