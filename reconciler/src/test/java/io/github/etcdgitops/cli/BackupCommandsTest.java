package io.github.etcdgitops.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.backup.ManifestFile;
import io.github.etcdgitops.backup.Manifests;
import io.github.etcdgitops.state.backup.BackupKey;
import io.github.etcdgitops.state.backup.Manifest;
import io.github.etcdgitops.state.value.EtcdId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.api.errors.GitAPIException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The commands that ask the store alone, on a repository in a folder and a directory that keeps backups.
class BackupCommandsTest {
    private static final EtcdId EARLIER = new EtcdId(0xfffL);
    private static final EtcdId NOW = new EtcdId(0xabcL);

    @TempDir
    Path folder;

    @BeforeEach
    void start() throws IOException, GitAPIException {
        Files.createDirectories(folder.resolve("backups"));
        policies("nightly");
    }

    private void policies(String... names) throws IOException, GitAPIException {
        var below = Files.createDirectories(folder.resolve("config/policies"));
        Files.writeString(below.resolve("README.md"), "Policies");
        for (String name : names) {
            Files.writeString(below.resolve(name + ".yaml"), """
                apiVersion: etcdgitops.dev/v1alpha1
                kind: BackupPolicy
                metadata: {name: %s}
                spec:
                  retention: {last: 1}
                  destination: {directory: {path: %s, prefix: %1$s}}
                """.formatted(name, folder.resolve("backups")));
        }
        try (var git = Git.init()
                .setDirectory(folder.resolve("config").toFile())
                .setInitialBranch("main")
                .call()) {
            git.add().addFilepattern(".").call();
            git.add().setUpdate(true).addFilepattern(".").call();
            git.commit()
                    .setMessage("Policies")
                    .setAuthor("a", "a@b")
                    .setSign(false)
                    .call();
        }
    }

    private Ran backup(String... args) {
        var line = new ArrayList<>(List.of("backup"));
        line.addAll(List.of(args));
        line.addAll(List.of("--repo", folder.resolve("config").toString()));
        line.addAll(List.of("--cache-dir", folder.resolve("cache").toString()));
        return Ran.of(Map.of("ETCD_GITOPS_PLACES", "file://" + folder), line.toArray(String[]::new));
    }

    @Test
    void listsNoBackupsWhenStoreIsEmpty() {
        assertThat(backup("list")).isEqualTo(new Ran(0, "no backups\n", ""));
        assertThat(backup("list", "demo/orders").out()).isEqualTo("no backups\n");
        assertThat(backup("list", "-o", "json").out()).matches("(?s).*\"backups\"\\s*:\\s*\\[\\s*\\].*");
    }

    @Test
    void whereNothingIsKeptNothingIsVerified() {
        var ran = backup("verify", "demo/orders");

        assertThat(ran.code()).isEqualTo(78);
        assertThat(ran.err()).contains("has no verified backup of demo/orders of environment default");
    }

    @Test
    void retentionOfARingThatIsNotSelectedIsNotCarriedOut() {
        var ran = backup("prune", "demo/orders", "--dry-run");

        assertThat(ran.code()).isEqualTo(78);
        assertThat(ran.err()).contains("the retention of policy nightly does not apply to demo/orders");
    }

    @ParameterizedTest
    @ValueSource(strings = {"create", "verify", "prune"})
    void requiresRing(String command) {
        var without = backup(command);
        var wrong = backup(command, "orders");

        assertThat(List.of(without.code(), wrong.code())).containsOnly(64);
        assertThat(without.err()).contains("NAMESPACE/NAME");
        assertThat(wrong.err()).contains("'orders' is not a ring; expected NAMESPACE/NAME");
    }

    @Test
    void ofSeveralPoliciesOneIsNamed() throws Exception {
        policies("nightly", "weekly");

        assertThat(Stream.of(backup("list"), backup("verify", "demo/orders"), backup("prune", "demo/orders")))
                .allSatisfy(ran ->
                        assertThat(ran.err()).contains("name a policy with --policy; there are nightly, weekly"));
        assertThat(backup("list", "--policy", "weekly").code()).isZero();
        assertThat(backup("list", "--policy", "hourly").err()).contains("no valid BackupPolicy hourly");
    }

    @Test
    void reportsVerificationInEveryFormat() throws IOException {
        keep(NOW, "20261122T030000Z");

        assertThat(backup("verify", "demo/orders").out())
                .startsWith("20261122T030000Z  sound  544 bytes, revision 7, sha256 ");
        assertThat(backup("verify", "demo/orders", "-o", "json").out())
                .contains("\"state\" : \"sound\"", "\"ring\" : \"demo/orders\"", "\"sizeBytes\" : 544");

        var kept = snapshot(NOW, "20261122T030000Z");
        Files.write(kept, Arrays.copyOf(Files.readAllBytes(kept), 543));
        var damaged = backup("verify", "demo/orders", "--no-mark", "-o", "json,markdown=" + folder.resolve("v.md"));

        assertThat(damaged.code()).isEqualTo(20);
        assertThat(damaged.out()).contains("\"state\" : \"damaged\"", "this is not an etcd database");
        assertThat(folder.resolve("v.md")).content().contains("| 20261122T030000Z | damaged ");
    }

    @Test
    void retentionByHandLeavesAnEarlierRingOfTheNameAlone() throws Exception {
        var below = Files.createDirectories(folder.resolve("config/clusters"));
        Files.writeString(below.resolve("orders.yaml"), """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: EtcdCluster
            metadata: {name: orders, namespace: demo}
            spec:
              size: 3
              version: "3.5.16"
              storage: {size: 1Gi}
              backup: {policy: nightly}
            """);
        policies("nightly");
        for (var ring : List.of(EARLIER, NOW)) {
            String month = ring.equals(NOW) ? "202611" : "202610";
            List.of("01", "02", "03").forEach(day -> keep(ring, month + day + "T030000Z"));
        }

        Files.writeString(below.resolve("again.yaml"), """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: EtcdRestore
            metadata: {name: again}
            spec:
              cluster: {namespace: demo, name: orders-again}
              from: {policy: nightly, environment: default, cluster: {namespace: demo, name: orders}, backup: "20261102T030000Z"}
            ---
            apiVersion: etcdgitops.dev/v1alpha1
            kind: EtcdCluster
            metadata: {name: orders-again, namespace: demo}
            spec: {size: 1, version: "3.5.16", storage: {size: 1Gi}}
            """);
        policies("nightly");
        var pinned = backup("prune", "demo/orders", "--dry-run");
        Files.delete(below.resolve("again.yaml"));
        policies("nightly");
        var dry = backup("prune", "demo/orders", "--dry-run");
        var done = backup("prune", "demo/orders", "-o", "json");

        assertThat(pinned.out()).isEqualTo("would delete default/demo/orders/" + NOW + "/20261101T030000Z/\n");
        assertThat(dry.out().lines())
                .containsExactly(
                        "would delete default/demo/orders/" + NOW + "/20261101T030000Z/",
                        "would delete default/demo/orders/" + NOW + "/20261102T030000Z/");
        assertThat(done.out()).contains("\"dryRun\" : false", "20261101T030000Z", "20261102T030000Z");
        assertThat(backup("list", "demo/orders").out().lines().skip(1)).hasSize(4);
    }

    private Path snapshot(EtcdId cluster, String id) {
        return folder.resolve("backups/nightly")
                .resolve(new BackupKey("default", Manifests.ORDERS, cluster, id).file("snapshot.db"));
    }

    /// A snapshot of one empty page, and its manifest.
    private void keep(EtcdId cluster, String id) {
        byte[] pages = new byte[512];
        byte[] whole = Arrays.copyOf(pages, 544);
        System.arraycopy(sha256(pages), 0, whole, 512, 32);
        String digest = HexFormat.of().formatHex(sha256(whole));
        var key = new BackupKey("default", Manifests.ORDERS, cluster, id);
        var taken = Manifests.manifest(id).source();
        var manifest = new Manifest(
                id,
                new Manifest.Source(
                        "default", key.ring(), cluster, "orders-1", taken.version(), taken.began(), taken.ended()),
                new Manifest.Content(544, digest, 7, 1, OptionalLong.of(1), List.of(), Optional.empty()),
                new Manifest.Stored(key.file("snapshot.db"), 544, digest, false, Optional.empty()),
                "0123456789abcdef",
                "etcd-gitops");
        try {
            Files.createDirectories(snapshot(cluster, id).getParent());
            Files.write(snapshot(cluster, id), whole);
            Files.write(snapshot(cluster, id).resolveSibling(BackupKey.MANIFEST), ManifestFile.write(manifest));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
