package io.github.etcdgitops.gateway.kube;

import io.github.etcdgitops.gateway.RestoreJobs.Snapshot;
import io.github.etcdgitops.gateway.SnapshotDigest;
import io.github.etcdgitops.it.EtcdBinaries;
import io.github.etcdgitops.it.EtcdRing;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/// A snapshot that a real etcd has given, with what that member said of its data.
record RealSnapshot(EtcdBinaries binaries, byte[] bytes, long revision, String hash) {
    private static final int KEYS = 200;

    static RealSnapshot of(String version) throws Exception {
        var binaries = EtcdBinaries.require(version);
        Path file = Files.createTempFile("snapshot-", ".db");
        try (var ring = EtcdRing.start(binaries, 1)) {
            String endpoint = ring.member(0).endpoint();
            for (int key = 0; key < KEYS; key++) {
                ctl(binaries, endpoint, "put", "key-%03d".formatted(key), value(key));
            }
            String hash = hash(binaries, endpoint);
            Files.delete(file);
            ctl(binaries, endpoint, "snapshot", "save", file.toString());
            return new RealSnapshot(binaries, Files.readAllBytes(file), KEYS + 1L, hash);
        } finally {
            Files.deleteIfExists(file);
        }
    }

    static String value(int key) {
        return ("value " + key + " ").repeat(500).strip();
    }

    @Override
    public byte[] bytes() {
        return bytes.clone();
    }

    Snapshot snapshot() throws Exception {
        String sha256 =
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        return new Snapshot(new SnapshotDigest(bytes.length, sha256), false);
    }

    RealSnapshot with(byte[] others) {
        return new RealSnapshot(binaries, others, revision, hash);
    }

    /// Over all keys, without the endpoint's name.
    static String hash(EtcdBinaries binaries, String endpoint) throws Exception {
        String line = ctl(binaries, endpoint, "endpoint", "hashkv");
        return Arrays.asList(line.strip().split(",")).getLast().strip();
    }

    static String ctl(EtcdBinaries binaries, String endpoint, String... arguments) throws Exception {
        var command = new ArrayList<>(
                List.of(binaries.etcdctl().toString(), "--endpoints=http://" + endpoint, "--command-timeout=20s"));
        command.addAll(List.of(arguments));
        var builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("ETCDCTL_API", "3");
        Process process = builder.start();
        process.getOutputStream().close();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException("etcdctl " + arguments[0] + " ended with " + process.exitValue());
        }
        return out;
    }
}
