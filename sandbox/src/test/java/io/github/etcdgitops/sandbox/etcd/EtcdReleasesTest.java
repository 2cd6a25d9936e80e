package io.github.etcdgitops.sandbox.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EtcdReleasesTest {
    private static final Consumer<String> SILENT = line -> {};

    @TempDir
    Path folder;

    @Test
    void takesAFolderOfBinariesWhateverItIsCalled() throws Exception {
        Path home = binaries(folder.resolve("some name"), "3.5.16");

        EtcdReleases releases = releases(home);

        assertThat(releases.folder("3.5.16", SILENT)).isEqualTo(home);
        assertThat(releases.available(SILENT)).containsExactly("3.5.16");
    }

    @Test
    void asksTheBinariesRatherThanTheNamesOfTheFolders() throws Exception {
        Path home = folder.resolve("home");
        Path old = binaries(home.resolve("9.9.9"), "3.4.23");
        binaries(home.resolve("b"), "3.10.0");

        EtcdReleases releases = releases(home);

        assertThat(releases.folder("3.4.23", SILENT)).isEqualTo(old);
        assertThat(releases.available(SILENT)).containsExactly("3.4.23", "3.10.0");
        assertThatThrownBy(() -> releases.folder("9.9.9", SILENT)).isInstanceOf(EtcdUnavailable.class);
    }

    @Test
    void fetchesOnceForAnyNumberOfAsking() throws Exception {
        var fetched = new AtomicInteger();
        var source = new Given("given", (version, into) -> {
            fetched.incrementAndGet();
            binaries(into, version);
        });
        EtcdReleases one = new EtcdReleases(null, folder, List.of(source));
        EtcdReleases another = new EtcdReleases(null, folder, List.of(source));

        List<Path> found = new ArrayList<>();
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<Path>> asked = new ArrayList<>();
            asked.addAll(Collections.nCopies(10, () -> one.folder("3.5.16", SILENT)));
            asked.addAll(Collections.nCopies(10, () -> another.folder("3.5.16", SILENT)));
            for (var each : executor.invokeAll(asked)) {
                found.add(each.get());
            }
        }

        assertThat(fetched).hasValue(1);
        assertThat(found).containsOnly(folder.resolve("3.5.16"));
    }

    @Test
    void neverTakesAHalfDoneFetchForDone() throws Exception {
        var source = new Given("broken", (version, into) -> {
            Files.writeString(into.resolve("etcd"), "half");
            throw new IOException("the line went dead");
        });
        Files.createDirectories(folder.resolve(".half-of-a-killed-process"));
        EtcdReleases releases = new EtcdReleases(null, folder, List.of(source));

        assertThatThrownBy(() -> releases.folder("3.5.16", SILENT)).hasMessageContaining("the line went dead");

        assertThat(names(folder)).containsExactly(".lock");
    }

    @Test
    void refusesBinariesOfAnotherVersion() {
        var source = new Given("liar", (version, into) -> binaries(into, "3.4.0"));

        assertThatThrownBy(() -> new EtcdReleases(null, folder, List.of(source)).folder("3.5.16", SILENT))
                .hasMessageContaining("what came is 3.4.0");
    }

    @Test
    void saysOnceWhereItLookedAndWhatToDo() {
        Path empty = folder.resolve("nothing");
        var first = new Given("the first place", (version, into) -> {
            throw new IOException("closed on Sundays");
        });
        var second = new Given("the second place", (version, into) -> {
            throw new IOException("never heard of it");
        });

        assertThatThrownBy(() -> new EtcdReleases(empty, folder, List.of(first, second)).folder("3.5.16", SILENT))
                .isInstanceOf(EtcdUnavailable.class)
                .hasMessage("""
                        etcd 3.5.16 is nowhere to be had. Looked at:
                          - ETCD_HOME: not in %s
                          - the cache: not in %s
                          - the first place: closed on Sundays
                          - the second place: never heard of it
                        Set ETCD_HOME to a folder with etcd and etcdctl (or with a folder of them for each version), \
                        or ETCD_RELEASES to a mirror of etcd's release archives.""".formatted(empty, folder));
    }

    @Test
    void takesNoPathForAVersion() {
        for (String version : List.of("../3.5.16", "latest", "3.5", "", "v3.5.16")) {
            assertThatThrownBy(() -> releases(folder).folder(version, SILENT)).isInstanceOf(EtcdUnavailable.class);
        }
    }

    @Test
    void verifiesAReleaseArchiveBeforeUnpackingIt() throws Exception {
        Path mirror = mirror("3.5.16");
        var source = new ReleaseArchive(mirror.toUri());
        Path fetched = new EtcdReleases(null, folder.resolve("cache"), List.of(source)).folder("3.5.16", SILENT);

        assertThat(names(fetched)).containsExactly("etcd", "etcdctl");

        Path sums = mirror.resolve("v3.5.16/SHA256SUMS");
        Files.writeString(sums, Files.readString(sums).replaceFirst("^.", "x"));
        assertThatThrownBy(
                        () -> new EtcdReleases(null, folder.resolve("other"), List.of(source)).folder("3.5.16", SILENT))
                .hasMessageContaining("SHA256SUMS says x");
    }

    @Test
    void saysWhenTheMachineHasNoDebianArchive() throws Exception {
        var source = new DebianArchive(
                folder.resolve("apt"), Files.createDirectories(folder.resolve("etc")), InstantSource.system());

        assertThatThrownBy(() -> new EtcdReleases(null, folder, List.of(source)).folder("3.5.16", SILENT))
                .hasMessageContaining("Debian's packages: ");
    }

    private EtcdReleases releases(Path home) {
        return new EtcdReleases(home, folder.resolve("no cache"), List.of());
    }

    private Path mirror(String version) throws Exception {
        Path mirror = folder.resolve("mirror");
        String architecture = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64";
        String name = "etcd-v" + version + "-linux-" + architecture;
        binaries(mirror.resolve("v" + version + "/" + name), version);
        Path release = mirror.resolve("v" + version);
        Command.run(release, Duration.ofSeconds(20), List.of("tar", "-czf", name + ".tar.gz", name));
        byte[] sum = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(release.resolve(name + ".tar.gz")));
        Files.writeString(release.resolve("SHA256SUMS"), HexFormat.of().formatHex(sum) + "  " + name + ".tar.gz\n");
        return mirror;
    }

    private static Path binaries(Path folder, String version) throws IOException {
        Files.createDirectories(folder);
        for (String name : List.of("etcd", "etcdctl")) {
            Path file = folder.resolve(name);
            Files.writeString(file, "#!/bin/sh\necho etcd Version: " + version + "\n");
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        return folder;
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> listed = Files.list(folder)) {
            return listed.map(p -> p.getFileName().toString()).sorted().toList();
        }
    }

    private interface Fetch {
        void fetch(String version, Path into) throws IOException;
    }

    private record Given(String name, Fetch how) implements Source {
        @Override
        public Set<String> offers(Consumer<String> progress) {
            return Set.of();
        }

        @Override
        public void fetch(String version, Path into, Consumer<String> progress) throws IOException {
            how.fetch(version, into);
        }
    }
}
