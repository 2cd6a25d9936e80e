package io.github.etcdgitops.sandbox.etcd;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/// The archives that etcd's own project publishes, or a mirror of them. Nothing is unpacked before its
/// checksum fits.
final class ReleaseArchive implements Source {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int CONNECT_MILLIS = 10_000;
    private static final int READ_MILLIS = 60_000;

    private final URI base;

    /// Below `base` are folders `vVERSION/`.
    ReleaseArchive(URI base) {
        this.base = base;
    }

    @Override
    public String name() {
        return "the release archive " + base;
    }

    @Override
    public Set<String> offers(Consumer<String> progress) {
        return Set.of();
    }

    @Override
    public void fetch(String version, Path into, Consumer<String> progress) throws IOException, InterruptedException {
        String name = "etcd-v" + version + "-linux-" + architecture() + ".tar.gz";
        String folder = base + (base.toString().endsWith("/") ? "" : "/") + "v" + version + "/";
        progress.accept("etcd " + version + ": downloading " + folder + name);
        String sums;
        try (InputStream in = open(folder + "SHA256SUMS")) {
            sums = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        String expected = sums.lines()
                .map(line -> line.strip().split("\\s+\\*?", 2))
                .filter(line -> line.length == 2 && line[1].equals(name))
                .map(line -> line[0])
                .findFirst()
                .orElseThrow(() -> new IOException("SHA256SUMS does not name " + name));
        Path archive = into.resolve(name);
        String actual = download(folder + name, archive);
        if (!actual.equalsIgnoreCase(expected)) {
            throw new IOException(name + " has the checksum " + actual + ", and SHA256SUMS says " + expected);
        }
        Command.run(
                into,
                PATIENCE,
                List.of("tar", "-xzf", name, "--no-same-owner", "--strip-components=1", "--wildcards", "*/etcd*"));
        Files.delete(archive);
    }

    private static String download(String address, Path file) throws IOException {
        MessageDigest digest;
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
        try (InputStream in = open(address);
                OutputStream out = new DigestOutputStream(Files.newOutputStream(file), digest)) {
            in.transferTo(out);
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static InputStream open(String address) throws IOException {
        URLConnection connection = URI.create(address).toURL().openConnection();
        connection.setConnectTimeout(CONNECT_MILLIS);
        connection.setReadTimeout(READ_MILLIS);
        return connection.getInputStream();
    }

    private static String architecture() {
        String machine = System.getProperty("os.arch", "");
        return switch (machine) {
            case "aarch64" -> "arm64";
            case "amd64", "x86_64" -> "amd64";
            default -> machine;
        };
    }
}
