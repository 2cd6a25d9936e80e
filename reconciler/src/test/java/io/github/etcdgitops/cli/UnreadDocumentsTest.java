package io.github.etcdgitops.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.api.errors.GitAPIException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A change after which a document cannot be read, from the files to the plan: what is not read is not absent.
class UnreadDocumentsTest {
    private static final String RING = """
        apiVersion: etcdgitops.dev/v1alpha1
        kind: EtcdCluster
        metadata: {name: %s, namespace: demo}
        spec: {size: 3, version: "3.5.16"}
        """;
    private static final String ORDERS = RING.formatted("orders");
    private static final String FLEET = """
        apiVersion: etcdgitops.dev/v1alpha1
        kind: Fleet
        metadata: {name: fleet}
        spec: {approvals: {from: low}}
        """;
    private static final String RESTORE = """
        apiVersion: etcdgitops.dev/v1alpha1
        kind: EtcdRestore
        metadata: {name: again}
        spec:
          cluster: {namespace: demo, name: carts}
          from: {url: "file:///backups/a.db"}
        """;
    private static final String FILE = "clusters/orders.yaml";

    @TempDir
    Path folder;

    private Path repository;

    @BeforeEach
    void createsRepositoryWithTwoRings() throws IOException, GitAPIException {
        repository = Files.createDirectories(folder.resolve("config"));
        try (var _ = Git.init()
                .setDirectory(repository.toFile())
                .setInitialBranch("main")
                .call()) {
            write(FILE, ORDERS.getBytes(UTF_8));
            write("clusters/carts.yaml", RING.formatted("carts").getBytes(UTF_8));
            write("etcd-gitops.yaml", FLEET.getBytes(UTF_8));
        }
        commit();
        try (var git = Git.open(repository.toFile())) {
            git.checkout().setCreateBranch(true).setName("change").call();
        }
    }

    private void write(String file, byte[] content) throws IOException {
        Files.createDirectories(repository.resolve(file).getParent());
        Files.write(repository.resolve(file), content);
    }

    private void move(String from, String to) throws IOException {
        Files.createDirectories(repository.resolve(to).getParent());
        Files.move(repository.resolve(from), repository.resolve(to));
    }

    private void commit() throws IOException, GitAPIException {
        try (var git = Git.open(repository.toFile())) {
            git.add().addFilepattern(".").call();
            git.add().setUpdate(true).addFilepattern(".").call();
            git.commit()
                    .setMessage("A change")
                    .setAuthor("a", "a@b")
                    .setSign(false)
                    .call();
        }
    }

    private Ran run(String... args) {
        return Ran.of(Map.of("XDG_CACHE_HOME", folder.resolve("cache").toString()), args);
    }

    private Ran plan() throws IOException, GitAPIException {
        commit();
        return run("plan", "--offline", "--repo", repository.toString(), "--base", "main");
    }

    private Ran validate() {
        return run("validate", repository.toString());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    static Stream<Map.Entry<String, byte[]>> whatNobodyCanRead() {
        var contents = new HashMap<String, byte[]>();
        contents.put("a byte order mark", bytes("\uFEFF" + ORDERS));
        contents.put("UTF-16", ORDERS.getBytes(UTF_16));
        contents.put("Latin-1", ("# caf\u00e9\n" + ORDERS).getBytes(ISO_8859_1));
        contents.put("nothing", new byte[0]);
        contents.put("comments", bytes("# " + ORDERS.replace("\n", "\n# ")));
        contents.put("a template", bytes("{{- if .Values.orders }}\n" + ORDERS + "{{- end }}\n"));
        contents.put("a templated name", bytes(ORDERS.replace("orders", "{{ .Values.name }}")));
        contents.put("more than 256 KiB", bytes(ORDERS + "# " + "x".repeat(256 << 10)));
        contents.put("tabs", bytes(ORDERS.replace("\n", "\n\t")));
        contents.put("a merge conflict", bytes("<<<<<<< HEAD\n" + ORDERS + "=======\n>>>>>>> x\n"));
        contents.put("a broken document before", bytes("kind: [\n---\n" + ORDERS));
        contents.put(
                "a Git LFS pointer",
                bytes("version https://git-lfs.github.com/spec/v1\noid sha256:"
                        + "4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n"));
        contents.put(
                "encrypted by sops", bytes("data: ENC[AES256_GCM,data:p673w==,type:str]\nsops:\n    version: 3.9.0\n"));
        contents.put("a zero byte", bytes(ORDERS.replace("demo", "de\0mo")));
        contents.put("no name", bytes(ORDERS.replace("name: orders, ", "")));
        contents.put("a name that no ring has", bytes(ORDERS.replace("orders", "Orders_1")));
        contents.put("a list", bytes("- " + ORDERS.replace("\n", "\n  ")));
        contents.put("a text", bytes("orders"));
        contents.put(
                "a kind List of Kubernetes",
                bytes("apiVersion: v1\nkind: List\nitems:\n- " + ORDERS.replace("\n", "\n  ")));
        return contents.entrySet().stream();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("whatNobodyCanRead")
    void unreadableFileMakesNoOrphan(Map.Entry<String, byte[]> content) throws Exception {
        write(FILE, content.getValue());

        var planned = plan();

        assertThat(planned.out())
                .contains("demo/orders  rejected", FILE, "may be the document of this ring")
                .contains("1 in sync, 1 rejected")
                .doesNotContain("orphan", "write a Tombstone");
        assertThat(validate().code()).isEqualTo(10);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "clusters/orders.YAML",
                "clusters/orders.json",
                "clusters/orders.yaml.txt",
                "clusters/orders.yml.bak",
                "clusters/orders.yaml~",
                "clusters/orders",
                "clusters/Orders.Yml",
                "clusters/orders.yaml.j2",
                "cluster/orders.yaml",
                "Clusters/orders.yaml",
                "CLUSTERS/orders.yaml",
                "orders.yaml",
                "policy/orders.yaml",
                "teams/a/clusters/orders.yaml",
                "clusters-old/orders.json",
                "deploy/orders",
                ".hidden/orders.yml",
                "policies/orders.yaml",
                "approvals/orders.yaml",
            })
    void reportsMovedDocumentAndMakesNoOrphan(String place) throws Exception {
        move(FILE, place);

        var planned = plan();

        assertThat(planned.out()).contains("demo/orders  rejected", place).doesNotContain("orphan", "Tombstone");
        assertThat(validate().code()).isEqualTo(10);
    }

    @Test
    void folderInPlaceOfDocumentMakesNoOrphan() throws Exception {
        Files.delete(repository.resolve(FILE));
        write(FILE + "/kept", bytes("x"));

        assertThat(plan().out()).contains("demo/orders  rejected", FILE).doesNotContain("orphan", "Tombstone");
        assertThat(validate().code()).isEqualTo(10);
    }

    @Test
    void fileInPlaceOfClustersFolderMakesNoOrphan() throws Exception {
        move("clusters", "elsewhere");
        write("clusters", bytes("x"));

        assertThat(plan().out()).contains("demo/orders  rejected").doesNotContain("orphan", "Tombstone");
        assertThat(validate().code()).isEqualTo(10);
    }

    @Test
    void deletedDocumentMakesOrphan() throws Exception {
        Files.delete(repository.resolve(FILE));

        assertThat(plan().out()).contains("demo/orders  orphan", "Tombstone");
        assertThat(validate().code()).isZero();
    }

    @Test
    void reportsCopyElsewhereWithoutStoppingRing() throws Exception {
        write("docs/example.yaml", bytes(ORDERS));
        write(FILE, bytes(ORDERS.replace("3.5.16", "3.5.30")));

        assertThat(plan().out())
                .contains("wrong-folder", "docs/example.yaml", "UpgradeVersion")
                .doesNotContain("rejected");
        assertThat(validate().code()).isEqualTo(10);
    }

    @Test
    void doesNotReportIgnoredFolder() throws Exception {
        write("docs/deep/example.yaml", bytes(ORDERS));
        write("docs/.etcd-gitops-ignore", new byte[0]);

        assertThat(plan().out()).contains("2 in sync").doesNotContain("docs");
        assertThat(validate().code()).isZero();
    }

    @Test
    void noFileSaysThatDocumentsOfOursAreNotMeant() throws Exception {
        write(FILE, bytes("{{ template }}"));
        write("clusters/.etcd-gitops-ignore", new byte[0]);

        assertThat(plan().out()).contains("demo/orders  rejected");
        assertThat(validate().code()).isEqualTo(10);
    }

    @ParameterizedTest
    @ValueSource(strings = {"restores/x.yaml", "clusters/x.YAML", "clusters/x.json", "restore.yaml", "policies/x.yaml"})
    void misplacedRestorePreventsEmptyRing(String place) throws Exception {
        write("clusters/new.yaml", bytes(RING.formatted("new")));
        write(place, bytes(RESTORE.replace("carts", "new")));

        var planned = plan();

        assertThat(planned.out()).contains("demo/new  rejected", place).doesNotContain("BootstrapCluster");
        assertThat(validate().code()).isEqualTo(10);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "etcd-gitops.yml", ".etcd-gitops.yaml", "Etcd-Gitops.yaml", "etcd-gitops.json", "etcd_gitops.yaml",
                "etcd-gitops.yaml.bak", "etcdgitops.YAML", "fleet.yaml", "config/etcd-gitops.yaml",
                        "clusters/etcd-gitops.yaml",
                "policies/fleet.yaml", "fleet.json",
            })
    void movedFleetRejectsEveryRing(String place) throws Exception {
        move("etcd-gitops.yaml", place);
        write(FILE, bytes(ORDERS.replace("3.5.16", "3.5.30")));

        var planned = plan();

        assertThat(planned.out())
                .contains("demo/orders  rejected", "demo/carts  rejected", place)
                .doesNotContain("UpgradeVersion");
        assertThat(validate().code()).isEqualTo(10);
    }

    @Test
    void symlinkedFleetRejectsEveryRing() throws Exception {
        move("etcd-gitops.yaml", "settings.txt");
        Files.createSymbolicLink(repository.resolve("etcd-gitops.yaml"), Path.of("settings.txt"));

        assertThat(plan().out()).contains("demo/orders  rejected", "demo/carts  rejected");
        assertThat(validate().code()).isEqualTo(10);
    }

    @Test
    void folderInPlaceOfFleetRejectsEveryRing() throws Exception {
        move("etcd-gitops.yaml", "old.txt");
        write("etcd-gitops.yaml/etcd-gitops.yaml", bytes(FLEET));

        assertThat(plan().out()).contains("demo/orders  rejected", "demo/carts  rejected");
        assertThat(validate().code()).isEqualTo(10);
    }

    @Test
    void tooLargeFleetRejectsEveryRing() throws Exception {
        write("etcd-gitops.yaml", bytes(FLEET + "# " + "x".repeat(256 << 10)));

        assertThat(plan().out()).contains("demo/orders  rejected", "demo/carts  rejected");
        assertThat(validate().code()).isEqualTo(10);
    }

    @Test
    void reportsMisplacedPolicyAsUnread() throws Exception {
        write("etcd-gitops.yaml", bytes(FLEET.replace("low", "destructive")));
        commit();
        try (var git = Git.open(repository.toFile())) {
            git.branchCreate().setName("main").setForce(true).call();
        }
        write("policy/strict.yaml", bytes("""
            apiVersion: etcdgitops.dev/v1alpha1
            kind: Policy
            metadata: {name: strict}
            spec: {rules: {version-allowlist: {allowed: ["3.5.16"]}}}
            """));
        write(FILE, bytes(ORDERS.replace("3.5.16", "3.5.30")));

        assertThat(plan().out()).contains("wrong-folder", "policy-unread");
        assertThat(validate().code()).isEqualTo(10);
    }
}
