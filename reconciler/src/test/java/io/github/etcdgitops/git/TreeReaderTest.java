package io.github.etcdgitops.git;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.git.TestRepository.Entry;
import io.github.etcdgitops.git.remote.GitAccess;
import io.github.etcdgitops.git.tree.DocumentsAhead;
import io.github.etcdgitops.git.tree.Scope;
import io.github.etcdgitops.git.tree.SourceTree;
import io.github.etcdgitops.git.tree.TreeLimits;
import io.github.etcdgitops.validation.Violation;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Every tree goes the whole way: committed, fetched, read.
class TreeReaderTest {
    @TempDir
    Path folder;

    private TestRepository origin;
    private GitRepository git;

    @BeforeEach
    void open() {
        origin = TestRepository.bare(folder.resolve("origin.git"));
        git = GitRepository.open(origin.address(), GitAccess.none(), folder.resolve("cache"));
    }

    @AfterEach
    void close() {
        git.close();
        origin.close();
    }

    private SourceTree read(Entry... root) {
        return read(TreeLimits.STANDARD, root);
    }

    private SourceTree read(TreeLimits limits, Entry... root) {
        origin.commit("refs/heads/main", origin.tree(root));
        return git.read(git.resolve("main"), Scope.STANDARD, limits, DocumentsAhead.NOTHING);
    }

    private Entry good() {
        return origin.file("good.yaml", "kind: EtcdCluster\n");
    }

    private Entry raw(byte[] name, FileMode mode, ObjectId id) {
        return new Entry(name, mode, id);
    }

    private static void assertRefused(SourceTree tree, String code, String file) {
        assertThat(tree.violations())
                .extracting(Violation::code, v -> v.at().file())
                .containsExactly(org.assertj.core.groups.Tuple.tuple(code, file));
        assertThat(tree.documents()).containsOnlyKeys("clusters/good.yaml");
    }

    @Test
    void readsOurYamlFilesAndNothingElse() {
        SourceTree tree = read(
                origin.file("etcd-gitops.yaml", "fleet"),
                origin.file("README.md", "no"),
                origin.file("clusters.yaml", "no"),
                origin.folder(
                        "clusters",
                        origin.file("a.yaml", "a"),
                        origin.file("README.md", "no"),
                        origin.folder("eu", origin.file("b.yml", "bb"))),
                origin.folder("policies", origin.file("p.yaml", "p")),
                origin.folder("approvals", origin.file("x.yaml", "x")),
                origin.folder("tombstones", origin.file("t.yaml", "t")),
                origin.folder("docs", origin.file("z.yaml", "no")));

        assertThat(tree.documents().keySet())
                .containsExactly(
                        "approvals/x.yaml",
                        "clusters/a.yaml",
                        "clusters/eu/b.yml",
                        "etcd-gitops.yaml",
                        "policies/p.yaml",
                        "tombstones/t.yaml");
        assertThat(tree.documents().get("clusters/eu/b.yml")).isEqualTo("bb".getBytes(UTF_8));
        assertThat(tree.violations()).isEmpty();
    }

    @Test
    void readsOtherFoldersWhenToldSo() {
        origin.commit("refs/heads/main", origin.files(Map.of("infra/etcd/a.yaml", "a", "clusters/b.yaml", "b")));

        SourceTree tree = git.read(git.resolve("main"), new Scope(List.of("infra/etcd/")));

        assertThat(tree.documents()).containsOnlyKeys("infra/etcd/a.yaml");
    }

    @Test
    void refusesASymbolicLinkToAFile() {
        var link = raw("evil.yaml".getBytes(UTF_8), FileMode.SYMLINK, origin.blob("../../etc/passwd"));

        assertRefused(read(origin.folder("clusters", good(), link)), "symbolic-link", "clusters/evil.yaml");
    }

    @Test
    void refusesAFolderThatIsASymbolicLink() {
        var link = raw("policies".getBytes(UTF_8), FileMode.SYMLINK, origin.blob("/etc"));

        assertRefused(read(origin.folder("clusters", good()), link), "symbolic-link", "policies");
    }

    @Test
    void refusesASubmodule() {
        var gitlink = raw(
                "sub".getBytes(UTF_8),
                FileMode.GITLINK,
                ObjectId.fromString("1111111111111111111111111111111111111111"));

        assertRefused(read(origin.folder("clusters", good(), gitlink)), "submodule", "clusters/sub");
    }

    @Test
    void refusesAnExecutableDocument() {
        var program = raw("x.yaml".getBytes(UTF_8), FileMode.EXECUTABLE_FILE, origin.blob("x"));

        assertRefused(read(origin.folder("clusters", good(), program)), "not-a-regular-file", "clusters/x.yaml");
    }

    @Test
    void refusesAFolderNamedDotDot() {
        var up = origin.folder("..", origin.file("x.yaml", "x"));

        assertRefused(read(origin.folder("clusters", good(), up)), "unsafe-name", "clusters/..");
    }

    @Test
    void refusesNamesOfGitsOwnFolder() {
        var own = origin.folder(".GIT", origin.file("config.yaml", "x"));

        assertRefused(read(origin.folder("clusters", good(), own)), "unsafe-name", "clusters/.GIT");
    }

    @Test
    void refusesABackslash() {
        var name = origin.file("..\\x.yaml", "x");

        assertRefused(read(origin.folder("clusters", good(), name)), "unsafe-name", "clusters/..\\x.yaml");
    }

    @Test
    void refusesControlCharactersAndShowsThemEscaped() {
        var name = origin.file("a\u001b[31m\n.yaml", "x");

        assertRefused(
                read(origin.folder("clusters", good(), name)), "control-character", "clusters/a\\u001b[31m\\n.yaml");
    }

    @Test
    void refusesCharactersThatTurnTheDirectionOfWriting() {
        var name = origin.file("a\u202elmay.yaml", "x");

        assertRefused(read(origin.folder("clusters", good(), name)), "control-character", "clusters/a\\u202elmay.yaml");
    }

    @Test
    void refusesANameThatIsNotUtf8() {
        var name = raw(new byte[] {'a', (byte) 0xff, '.', 'y', 'm', 'l'}, FileMode.REGULAR_FILE, origin.blob("x"));

        SourceTree tree = read(origin.folder("clusters", good(), name));

        assertThat(tree.violations()).extracting(Violation::code).containsExactly("name-not-utf8");
        assertThat(tree.documents()).containsOnlyKeys("clusters/good.yaml");
    }

    @Test
    void refusesANameThatNoFileSystemTakes() {
        String name = "x".repeat(251) + ".yaml";

        assertRefused(
                read(origin.folder("clusters", good(), origin.file(name, "x"))), "name-too-long", "clusters/" + name);
    }

    @Test
    void refusesAllPathsThatDifferByCaseOnly() {
        SourceTree tree = read(origin.folder(
                "clusters",
                good(),
                origin.folder("EU", origin.file("a.yaml", "1")),
                origin.folder("eu", origin.file("A.yaml", "2"))));

        assertThat(tree.violations())
                .extracting(Violation::code, v -> v.at().file())
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("case-collision", "clusters/EU/a.yaml"),
                        org.assertj.core.groups.Tuple.tuple("case-collision", "clusters/eu/A.yaml"));
        assertThat(tree.documents()).containsOnlyKeys("clusters/good.yaml");
    }

    @Test
    void refusesPathsThatDifferByTheFormOfALetterOnly() {
        SourceTree tree = read(
                origin.folder("clusters", good(), origin.file("\u00e9.yaml", "1"), origin.file("e\u0301.yaml", "2")));

        assertThat(tree.violations()).extracting(Violation::code).containsExactly("case-collision", "case-collision");
        assertThat(tree.documents()).containsOnlyKeys("clusters/good.yaml");
    }

    @Test
    void takesADocumentOfTheLargestSizeAndRefusesOneByteMore() {
        int most = 256 * 1024;

        SourceTree tree = read(origin.folder(
                "clusters",
                origin.file("fits.yaml", "x".repeat(most)),
                origin.file("large.yaml", "x".repeat(most + 1))));

        assertThat(tree.documents()).containsOnlyKeys("clusters/fits.yaml");
        assertThat(tree.violations())
                .extracting(Violation::code, v -> v.at().file())
                .containsExactly(org.assertj.core.groups.Tuple.tuple("file-too-large", "clusters/large.yaml"));
    }

    @Test
    void stopsAtTheMostDocuments() {
        var limits = new TreeLimits(2, 100, 1000, 100, 10);

        SourceTree tree = read(
                limits,
                origin.folder(
                        "clusters",
                        origin.file("a.yaml", "a"),
                        origin.file("b.yaml", "b"),
                        origin.file("c.yaml", "c")));

        assertThat(tree.documents()).hasSize(2);
        assertThat(tree.violations()).extracting(Violation::code).containsExactly("too-many-files");
    }

    @Test
    void stopsAtTheMostBytes() {
        var limits = new TreeLimits(10, 100, 150, 100, 10);

        SourceTree tree = read(
                limits,
                origin.folder(
                        "clusters", origin.file("a.yaml", "a".repeat(100)), origin.file("b.yaml", "b".repeat(100))));

        assertThat(tree.documents()).hasSize(1);
        assertThat(tree.violations()).extracting(Violation::code).containsExactly("documents-too-large");
    }

    @Test
    void getsOutOfATreeThatHoldsItselfManyTimes() {
        Entry inner = origin.folder("f", origin.file("x.txt", "x"));
        for (int level = 0; level < 20; level++) {
            inner = origin.folder(
                    "f",
                    raw("a".getBytes(UTF_8), FileMode.TREE, inner.id()),
                    raw("b".getBytes(UTF_8), FileMode.TREE, inner.id()),
                    raw("c".getBytes(UTF_8), FileMode.TREE, inner.id()));
        }

        SourceTree tree = read(
                new TreeLimits(10, 100, 100, 5_000, 32), raw("clusters".getBytes(UTF_8), FileMode.TREE, inner.id()));

        assertThat(tree.violations()).extracting(Violation::code).containsExactly("too-many-entries");
    }

    @Test
    void doesNotGoDownForEver() {
        Entry inner = good();
        for (int level = 0; level < 40; level++) {
            inner = origin.folder("d", inner);
        }

        SourceTree tree = read(origin.folder("clusters", good(), inner));

        assertThat(tree.violations()).extracting(Violation::code).containsExactly("too-deep");
        assertThat(tree.documents()).containsOnlyKeys("clusters/good.yaml");
    }

    @Test
    void hashesPathsAndContentsAndNothingElse() {
        SourceTree first = read(origin.folder("clusters", good()), origin.file("README.md", "one"));
        SourceTree elsewhere = read(origin.folder("clusters", good()), origin.file("README.md", "two"));
        SourceTree renamed = read(origin.folder("clusters", origin.file("good2.yaml", "kind: EtcdCluster\n")));

        assertThat(elsewhere.commit()).isNotEqualTo(first.commit());
        assertThat(elsewhere.digest()).isEqualTo(first.digest()).matches("sha256:[0-9a-f]{64}");
        assertThat(renamed.digest()).isNotEqualTo(first.digest());
    }
}
