package io.github.etcdgitops.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.github.etcdgitops.git.tree.LocalTree;
import io.github.etcdgitops.git.tree.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalTreeTest {
    @TempDir
    Path folder;

    private Path root;

    @BeforeEach
    void makeRepository() throws IOException {
        root = Files.createDirectories(folder.resolve("repository"));
        write("etcd-gitops.yaml", "a: 1");
        write("clusters/demo/orders.yaml", "b: 1");
    }

    @Test
    void readsWhereDocumentsBelongAndNothingElse() throws IOException {
        write("approvals/a.yml", "c: 1");
        write("clusters/README.md", "no");
        write("deploy/job.yaml", "no");
        write(".git/clusters/x.yaml", "no");

        var tree = LocalTree.repository(root);

        assertThat(tree.documents())
                .containsOnlyKeys("approvals/a.yml", "clusters/demo/orders.yaml", "etcd-gitops.yaml");
        assertThat(tree.violations()).isEmpty();
        assertThat(tree.digest())
                .startsWith("sha256:")
                .isEqualTo(LocalTree.repository(root).digest());
    }

    @Test
    void givesEachDocumentAhead() throws IOException {
        write("deploy/job.yaml", "no");
        var ahead = new TreeMap<String, byte[]>();

        var tree = LocalTree.repository(root, ahead::put);

        assertThat(ahead).isEqualTo(tree.documents()).hasSize(2);
    }

    @Test
    void changesItsDigestWithEveryNameAndContent() throws IOException {
        String before = LocalTree.repository(root).digest();

        write("clusters/demo/orders.yaml", "b: 2");
        String content = LocalTree.repository(root).digest();
        Files.move(root.resolve("clusters/demo/orders.yaml"), root.resolve("clusters/orders.yaml"));

        assertThat(content).isNotEqualTo(before);
        assertThat(LocalTree.repository(root).digest()).isNotEqualTo(content);
    }

    @Test
    void followsNoLinkToAFileOrAFolder() throws IOException {
        Path outside = Files.createDirectories(folder.resolve("outside"));
        Files.writeString(outside.resolve("secret.yaml"), "hunter2: 1");
        Files.createSymbolicLink(root.resolve("clusters/file.yaml"), outside.resolve("secret.yaml"));
        Files.createSymbolicLink(root.resolve("clusters/folder"), outside);
        Files.createSymbolicLink(root.resolve("policies"), outside);
        Files.createSymbolicLink(root.resolve("clusters/loop"), root);

        var tree = LocalTree.repository(root);

        assertThat(tree.documents()).containsOnlyKeys("clusters/demo/orders.yaml", "etcd-gitops.yaml");
        assertThat(found(tree))
                .containsExactlyInAnyOrder(
                        "symbolic-link clusters/file.yaml",
                        "symbolic-link clusters/folder",
                        "symbolic-link policies",
                        "symbolic-link clusters/loop");
    }

    @Test
    void refusesLargeFilesUnread() throws IOException {
        Files.write(root.resolve("clusters/large.yaml"), new byte[(256 << 10) + 1]);

        var tree = LocalTree.repository(root);

        assertThat(found(tree)).containsExactly("file-too-large clusters/large.yaml");
        assertThat(tree.documents()).doesNotContainKey("clusters/large.yaml");
    }

    @Test
    void refusesNamesThatDifferInCaseOnly() throws IOException {
        write("clusters/demo/Orders.yaml", "b: 2");
        try (var files = Files.list(root.resolve("clusters/demo"))) {
            assumeThat(files.count()).isEqualTo(2);
        }

        var tree = LocalTree.repository(root);

        assertThat(found(tree))
                .containsExactlyInAnyOrder(
                        "case-collision clusters/demo/Orders.yaml", "case-collision clusters/demo/orders.yaml");
        assertThat(tree.documents()).containsOnlyKeys("etcd-gitops.yaml");
    }

    @Test
    void refusesNamesWithControlCharacters() throws IOException {
        write("clusters/a\nb.yaml", "b: 2");
        write("clusters/..\\b.yaml", "b: 2");

        assertThat(found(LocalTree.repository(root)))
                .containsExactlyInAnyOrder("control-character clusters/a\\nb.yaml", "unsafe-name clusters/..\\b.yaml");
    }

    @Test
    void saysWhatIsNotThere() {
        assertThat(found(LocalTree.repository(folder.resolve("nowhere"))))
                .singleElement()
                .satisfies(f -> assertThat(f).startsWith("not-found "));
        assertThat(found(LocalTree.files(List.of(folder.resolve("nowhere.yaml")))))
                .hasSize(1);
    }

    @Test
    void readsNamedFilesAndFoldersFromAnywhere() throws IOException {
        write("elsewhere/x/a.yaml", "a: 1");
        write("elsewhere/b.txt", "b: 1");
        write("elsewhere/c.txt", "c: 1");

        var tree = LocalTree.files(List.of(root.resolve("elsewhere/x"), root.resolve("elsewhere/b.txt")));

        assertThat(tree.documents().keySet().stream().map(n -> n.substring(n.indexOf("elsewhere"))))
                .containsExactly("elsewhere/b.txt", "elsewhere/x/a.yaml");
    }

    private void write(String name, String text) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private static List<String> found(SourceTree tree) {
        return tree.violations().stream()
                .map(v -> v.code() + " " + v.at().file())
                .toList();
    }
}
