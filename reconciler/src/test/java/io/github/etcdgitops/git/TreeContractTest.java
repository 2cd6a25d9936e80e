package io.github.etcdgitops.git;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.git.TestRepository.Entry;
import io.github.etcdgitops.git.remote.GitAccess;
import io.github.etcdgitops.git.tree.DocumentsAhead;
import io.github.etcdgitops.git.tree.LocalTree;
import io.github.etcdgitops.git.tree.Scope;
import io.github.etcdgitops.git.tree.SourceTree;
import io.github.etcdgitops.git.tree.TreeLimits;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// `validate` reads a work tree and a run reads a commit: of the same files both say the same.
class TreeContractTest {
    private static final String RING = "apiVersion: etcdgitops.dev/v1alpha1\nkind: EtcdCluster\n";
    private static final TreeLimits SMALL = new TreeLimits(6, 256, 800, 40, 5);

    @TempDir
    Path folder;

    /// What stands at a path; paths are written with one character for each byte.
    private sealed interface Thing {
        record Text(String text) implements Thing {}

        record Program(String text) implements Thing {}

        record Link(String target) implements Thing {}

        record Submodule(boolean pointer) implements Thing {}
    }

    private record Case(String title, Map<String, Thing> things, List<String> refused) {
        @Override
        public String toString() {
            return title;
        }
    }

    private static Case tree(String title, String path, Thing thing, String... refused) {
        return tree(title, Map.of(path, thing), refused);
    }

    private static Case tree(String title, Map<String, Thing> things, String... refused) {
        var all =
                new TreeMap<String, Thing>(Map.of("etcd-gitops.yaml", text("fleet"), "clusters/good.yaml", text("a")));
        all.putAll(things);
        return new Case(title, all, List.of(refused));
    }

    private static Thing text(String text) {
        return new Thing.Text(text);
    }

    private static String bytes(String text) {
        return new String(text.getBytes(UTF_8), ISO_8859_1);
    }

    static Stream<Case> trees() {
        return Stream.of(
                tree("nothing wrong", "policies/p.yml", text("p")),
                tree("a submodule", "clusters/sub", new Thing.Submodule(false), "submodule clusters/sub"),
                tree("a submodule by pointer", "clusters/sub", new Thing.Submodule(true), "submodule clusters/sub"),
                tree("a submodule for a folder", "policies", new Thing.Submodule(true), "submodule policies"),
                tree("a submodule elsewhere", "vendor/x", new Thing.Submodule(true)),
                tree(
                        "a link to a file",
                        "clusters/l.yaml",
                        new Thing.Link("good.yaml"),
                        "symbolic-link clusters/l.yaml"),
                tree("a link that is no YAML", "clusters/l", new Thing.Link("/etc"), "symbolic-link clusters/l"),
                tree("a link for a folder", "policies", new Thing.Link("clusters"), "symbolic-link policies"),
                tree("a link elsewhere", "x.yaml", new Thing.Link("clusters/good.yaml")),
                tree("a linked Fleet", "etcd-gitops.yaml", new Thing.Link("x"), "symbolic-link etcd-gitops.yaml"),
                tree("a Fleet that is a folder", fleet("etcd-gitops.yaml/x"), "not-a-regular-file etcd-gitops.yaml"),
                tree(
                        "a Fleet that is a submodule",
                        "etcd-gitops.yaml",
                        new Thing.Submodule(true),
                        "submodule etcd-gitops.yaml"),
                tree(
                        "a Fleet that is too large",
                        "etcd-gitops.yaml",
                        text("x".repeat(257)),
                        "file-too-large etcd-gitops.yaml"),
                tree(
                        "an executable Fleet",
                        "etcd-gitops.yaml",
                        new Thing.Program("x"),
                        "not-a-regular-file etcd-gitops.yaml"),
                tree("Fleets by other names", Map.of("etcd-gitops.yml", text("x"), ".etcd-gitops.yaml", text("x"))),
                tree(
                        "a Fleet by another name that is a link",
                        "etcd-gitops.json",
                        new Thing.Link("x"),
                        "symbolic-link etcd-gitops.json"),
                tree(
                        "a Fleet in other letters",
                        "Etcd-Gitops.yaml",
                        text("x"),
                        "case-collision Etcd-Gitops.yaml",
                        "case-collision etcd-gitops.yaml"),
                tree("an executable", "clusters/x.yaml", new Thing.Program("x"), "not-a-regular-file clusters/x.yaml"),
                tree("an executable that is no document", "clusters/run", new Thing.Program("x")),
                tree("a file for a folder", "policies", text("x"), "not-a-folder policies"),
                tree(
                        "a folder named like a file",
                        "clusters/d.yaml/x.yaml",
                        text("x"),
                        "not-a-regular-file clusters/d.yaml"),
                tree(
                        "names in other letters",
                        Map.of("clusters/EU/a.yaml", text("1"), "clusters/eu/A.yaml", text("2")),
                        "case-collision clusters/EU/a.yaml",
                        "case-collision clusters/eu/A.yaml"),
                tree(
                        "a document and a link in other letters",
                        Map.of("clusters/a.yaml", text("1"), "clusters/A.yaml", new Thing.Link("x")),
                        "case-collision clusters/A.yaml",
                        "case-collision clusters/a.yaml",
                        "symbolic-link clusters/A.yaml"),
                tree(
                        "names in two forms of a letter",
                        Map.of(bytes("clusters/\u00e9.yaml"), text("1"), bytes("clusters/e\u0301.yaml"), text("2")),
                        "case-collision clusters/e\u0301.yaml",
                        "case-collision clusters/\u00e9.yaml"),
                tree(
                        "a name that is no UTF-8",
                        "clusters/a\u00ff.yaml",
                        text("x"),
                        "name-not-utf8 clusters/a\\xff.yaml"),
                tree(
                        "a folder's name that is no UTF-8",
                        "clusters/a\u00ff/b.yaml",
                        text("x"),
                        "name-not-utf8 clusters/a\\xff"),
                tree(
                        "a control character",
                        "clusters/a\u001b[31m\n.yaml",
                        text("x"),
                        "control-character clusters/a\\u001b[31m\\n.yaml"),
                tree(
                        "a direction mark",
                        bytes("clusters/a\u202elmay.yaml"),
                        text("x"),
                        "control-character clusters/a\\u202elmay.yaml"),
                tree("a backslash", "clusters/..\\x.yaml", text("x"), "unsafe-name clusters/..\\x.yaml"),
                tree("letters beyond ASCII", bytes("clusters/\u00e4\ud83d\ude00+%41.yaml"), text("x")),
                tree("too large", "clusters/large.yaml", text("x".repeat(257)), "file-too-large clusters/large.yaml"),
                tree("too deep", "clusters/1/2/3/4/5/x.yaml", text("x"), "too-deep clusters/1/2/3/4"),
                tree(
                        "too many bytes",
                        Map.of(
                                "clusters/1.yaml",
                                text("x".repeat(250)),
                                "clusters/2.yaml",
                                text("x".repeat(250)),
                                "clusters/3.yaml",
                                text("x".repeat(250)),
                                "clusters/4.yaml",
                                text("x".repeat(250))),
                        "documents-too-large ."),
                tree("too many files", many(8, ".yaml"), "too-many-files ."),
                tree("too many entries", many(45, ".txt"), "too-many-entries ."),
                tree("ours in other folders", Map.of("cluster/a.yaml", text(RING), "Clusters/b.yml", text(RING))),
                tree(
                        "ours by other names",
                        Map.of(
                                "clusters/a.YAML",
                                text(RING),
                                "clusters/b.json",
                                text(RING),
                                "clusters/c.yml.bak",
                                text(RING),
                                "clusters/d",
                                text(RING))),
                tree("others by such names", Map.of("clusters/a.json", text("{}"), "chart/b.yaml", text("a: 1"))),
                tree(
                        "ours that are not meant",
                        Map.of("docs/x/a.yaml", text(RING), "docs/.etcd-gitops-ignore", text(""))),
                tree("ours in tests", "tests/case.yaml", text(RING)),
                tree("ours under an odd name", "docs/a\u00ff/\u001b.yaml", text(RING)));
    }

    private static Map<String, Thing> fleet(String path) {
        var things = new TreeMap<String, Thing>();
        things.put(path, text("x"));
        return things;
    }

    private static Map<String, Thing> many(int count, String ending) {
        var things = new TreeMap<String, Thing>();
        for (int i = 0; i < count; i++) {
            things.put("clusters/many/" + i + ending, text("x"));
        }
        return things;
    }

    @ParameterizedTest
    @MethodSource("trees")
    void readsWorkTreeAndCommitAlike(Case one) throws Exception {
        var things = new TreeMap<>(one.things());
        if (things.keySet().stream().anyMatch(path -> path.startsWith("etcd-gitops.yaml/"))) {
            things.remove("etcd-gitops.yaml");
        }

        var committed = commit(things);
        var onDisk = LocalTree.repository(workTree(things), SMALL);

        assertThat(committed.violations().stream().map(v -> v.code() + " " + v.at().file()))
                .containsExactlyInAnyOrderElementsOf(one.refused());
        assertThat(onDisk.violations()).isEqualTo(committed.violations());
        assertThat(texts(onDisk)).isEqualTo(texts(committed));
        assertThat(onDisk.digest()).isEqualTo(committed.digest());
    }

    private static Map<String, String> texts(SourceTree tree) {
        var texts = new TreeMap<String, String>();
        tree.documents().forEach((path, content) -> texts.put(path, new String(content, UTF_8)));
        return texts;
    }

    private SourceTree commit(Map<String, Thing> things) {
        try (var origin = TestRepository.bare(folder.resolve("origin.git"));
                var git = GitRepository.open(origin.address(), GitAccess.none(), folder.resolve("cache"))) {
            origin.commit("refs/heads/main", origin.tree(entries(origin, things)));
            return git.read(git.resolve("main"), Scope.STANDARD, SMALL, DocumentsAhead.NOTHING);
        }
    }

    private static Entry[] entries(TestRepository origin, Map<String, Thing> things) {
        var entries = new ArrayList<Entry>();
        var folders = new TreeMap<String, Map<String, Thing>>();
        things.forEach((path, thing) -> {
            int slash = path.indexOf('/');
            if (slash >= 0) {
                folders.computeIfAbsent(path.substring(0, slash), _ -> new TreeMap<>())
                        .put(path.substring(slash + 1), thing);
            } else {
                entries.add(entry(origin, path, thing));
            }
        });
        folders.forEach(
                (name, inside) -> entries.add(new Entry(name, FileMode.TREE, origin.tree(entries(origin, inside)))));
        return entries.toArray(Entry[]::new);
    }

    private static Entry entry(TestRepository origin, String name, Thing thing) {
        return switch (thing) {
            case Thing.Text(String text) -> new Entry(name, FileMode.REGULAR_FILE, origin.blob(text));
            case Thing.Program(String text) -> new Entry(name, FileMode.EXECUTABLE_FILE, origin.blob(text));
            case Thing.Link(String target) -> new Entry(name, FileMode.SYMLINK, origin.blob(target));
            case Thing.Submodule _ ->
                new Entry(name, FileMode.GITLINK, ObjectId.fromString("1111111111111111111111111111111111111111"));
        };
    }

    /// Made by a shell: a name that is no text in the locale of the tests cannot be written in Java.
    private Path workTree(Map<String, Thing> things) throws IOException, InterruptedException {
        Path root = Files.createDirectories(folder.resolve("work"));
        var script = new ByteArrayOutputStream();
        for (var one : things.entrySet()) {
            String path = quoted(one.getKey());
            String parent = quoted("./"
                    + one.getKey().substring(0, Math.max(0, one.getKey().lastIndexOf('/'))));
            String made = switch (one.getValue()) {
                case Thing.Text(String text) -> "printf %s " + quoted(text) + " > " + path;
                case Thing.Program(String text) -> "printf %s " + quoted(text) + " > " + path + "; chmod 755 " + path;
                case Thing.Link(String target) -> "ln -s " + quoted(target) + " " + path;
                case Thing.Submodule(boolean pointer) ->
                    pointer
                            ? "mkdir " + path + "; echo 'gitdir: ../x' > " + path + "/.git"
                            : "mkdir -p " + path + "/.git; echo x > " + path + "/inner.yaml";
            };
            script.writeBytes(("mkdir -p " + parent + "; " + made + "\n").getBytes(ISO_8859_1));
        }
        Path file = folder.resolve("make");
        Files.write(file, script.toByteArray());
        var process = new ProcessBuilder("sh", "-e", file.toString()).directory(root.toFile());
        assertThat(process.inheritIO().start().waitFor()).isZero();
        return root;
    }

    private static String quoted(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }
}
