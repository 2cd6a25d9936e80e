package io.github.etcdgitops.trial.fault;

import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.TrialFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Comparator;
import java.util.HexFormat;

/// The folders behind a ring's claims: the trial cluster keeps volumes in folders of this machine.
public final class Volumes {
    private Volumes() {}

    public static Path folder(Bench bench, String ring, int ordinal) {
        var claim = bench.kube()
                .persistentVolumeClaims()
                .inNamespace(bench.namespace())
                .withName("data-" + ring + "-" + ordinal)
                .get();
        var volume = bench.kube()
                .persistentVolumes()
                .withName(claim.getSpec().getVolumeName())
                .get();
        var path = Path.of(volume.getSpec().getHostPath().getPath());
        TrialFailure.unless(
                Files.isDirectory(path), path + " is not on this machine: run the trial beside the kubelet");
        return path;
    }

    public static void wipe(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                if (!file.equals(folder)) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    /// A hash over names and contents.
    public static String digest(Path folder) throws Exception {
        var digest = MessageDigest.getInstance("SHA-256");
        try (var files = Files.walk(folder)) {
            for (var file : files.sorted().toList()) {
                digest.update(folder.relativize(file).toString().getBytes(java.nio.charset.StandardCharsets.UTF_8));
                if (Files.isRegularFile(file)) {
                    digest.update(Files.readAllBytes(file));
                }
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }
}
