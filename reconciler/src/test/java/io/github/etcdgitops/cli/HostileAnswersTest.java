package io.github.etcdgitops.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.backup.ManifestFile;
import io.github.etcdgitops.backup.Manifests;
import io.github.etcdgitops.fake.FakeForge;
import io.github.etcdgitops.fake.Hostile;
import io.github.etcdgitops.gateway.Forge;
import io.github.etcdgitops.gateway.RingEvents;
import io.github.etcdgitops.gateway.kube.api.KubeConnection;
import io.github.etcdgitops.gateway.kube.write.EventObjects;
import io.github.etcdgitops.inert.Inert;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.backup.BackupKey;
import io.github.etcdgitops.state.backup.Manifest;
import io.github.etcdgitops.state.value.EtcdId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.commonmark.ext.autolink.AutolinkExtension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.api.errors.GitAPIException;
import org.eclipse.jgit.treewalk.TreeWalk;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Every command in every format, against an API server, a repository and a place of backups in which somebody has
/// written text that acts wherever there is text; what is published of it, and Events.
class HostileAnswersTest {
    /// All of them in one, so that one run tries them all.
    private static final String TEXT = String.join("\n", Hostile.TEXTS);

    static final List<String> TEXTS = Hostile.TEXTS;

    /// These ask nobody.
    private static final List<String> ALONE = List.of("schema", "completion", "version", "help", "policy explain");

    @TempDir
    Path folder;

    private final Map<String, String> environment = new TreeMap<>();
    private FakeForge forge = new FakeForge(Forge.Kind.GITHUB);
    private Path repository = Path.of("");

    @BeforeEach
    void documents() throws IOException {
        environment.put("ETCD_GITOPS_FORGE_TOKEN", FakeForge.TOKEN);
        environment.put("ETCD_GITOPS_PLACES", "file://" + folder);
        environment.put("XDG_CACHE_HOME", folder.resolve("cache").toString());
        repository = folder.resolve("rings");
        write("etcd-gitops.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: Fleet
            metadata: {name: f}
            spec: {environments: [{name: production, paths: [clusters/]}]}
            """);
        write("clusters/orders.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: EtcdCluster
            metadata: {name: orders, namespace: demo}
            spec: {size: 5, version: "3.5.16", storage: {size: 1Gi}}
            """);
        write("policies/nightly.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: BackupPolicy
            metadata: {name: nightly}
            spec: {clusters: {namespaces: [demo]}, destination: {directory: {path: "%s"}}}
            """.formatted(Files.createDirectories(folder.resolve("backups"))));
    }

    @AfterEach
    void stop() {
        forge.close();
    }

    private void write(String file, String text) throws IOException {
        Files.createDirectories(repository.resolve(file).getParent());
        Files.writeString(repository.resolve(file), text);
    }

    private void commit(String author, String subject) throws GitAPIException {
        try (var git = Git.init()
                .setDirectory(repository.toFile())
                .setInitialBranch("main")
                .call()) {
            git.add().addFilepattern(".").call();
            git.commit()
                    .setMessage(subject)
                    .setAuthor(author, author)
                    .setSign(false)
                    .call();
        }
    }

    // --- every command

    /// Returns all that was printed.
    private String run(HostileCluster cluster) throws IOException {
        var printed = new StringBuilder();
        var every = new EveryCommand(
                folder,
                repository,
                repository.toString(),
                cluster.kubeconfig(folder.resolve("kubeconfig")),
                forge.api().toString());
        for (var leaf : EveryCommand.leaves().entrySet()) {
            if (!EveryCommand.ELSEWHERE.contains(leaf.getKey()) && !ALONE.contains(leaf.getKey())) {
                var ran = Ran.of(
                        environment, every.line(leaf.getKey(), leaf.getValue()).toArray(String[]::new));
                inert(leaf.getKey(), ran.out() + ran.err());
                printed.append(ran.out()).append(ran.err());
                assertThat(ran.code()).as("%s: %s", leaf.getKey(), ran.err()).isNotEqualTo(1);
                inertFiles();
            }
        }
        return printed.toString();
    }

    private static void inert(String what, String out) {
        Hostile.assertInert(what, out);
        assertThat(out.lines()).as(what).noneMatch(line -> line.contains("##["));
    }

    private static String asForgesShowIt(String markdown) {
        var extensions = List.of(TablesExtension.create(), AutolinkExtension.create());
        var document = Parser.builder().extensions(extensions).build().parse(markdown);
        return HtmlRenderer.builder().extensions(extensions).build().render(document);
    }

    /// Those of one command, before the next writes others.
    private void inertFiles() throws IOException {
        try (var files = Files.list(folder)) {
            for (Path file : files.filter(f -> f.getFileName().toString().startsWith("out."))
                    .toList()) {
                inertFile(file.getFileName().toString(), Files.readString(file));
                Files.delete(file);
            }
        }
    }

    private static void inertFile(String name, String text) {
        switch (name.replaceFirst(".*\\.", "")) {
            case "github" -> Hostile.assertInertCommands("github", text);
            case "markdown", "md" -> {
                inert(name, text);
                assertThat(asForgesShowIt(text)).doesNotContain("<script", "<img", "<h1>forged", "=\"https://evil");
            }
            case "html" -> {
                inert(name, text);
                assertThat(text).doesNotContain("<script>forged", "<img src=x");
            }
            default -> inert(name, text);
        }
    }

    /// The pages of the report branch, and what its commit says. Returns how many pages there are.
    private int inertReport() throws IOException, GitAPIException {
        int pages = 0;
        try (var git = Git.open(repository.toFile());
                var walk = new TreeWalk(git.getRepository())) {
            var head = git.getRepository().resolve("etcd-gitops/reports/production");
            for (var commit : git.log().add(head).call()) {
                inert("commit", commit.getFullMessage());
                walk.reset(commit.getTree());
                walk.setRecursive(true);
                for (; walk.next(); pages++) {
                    byte[] page = git.getRepository().open(walk.getObjectId(0)).getBytes();
                    inertFile(walk.getPathString(), new String(page, UTF_8));
                }
            }
        }
        return pages;
    }

    static List<Set<String>> kinds() {
        return List.of(
                Set.of("suspended", "Pod"),
                Set.of("journal", "StatefulSet"),
                Set.of("ConfigMap", "Service", "PodDisruptionBudget", "NetworkPolicy"));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void printsNoActiveTextOfCluster(Set<String> kinds) throws Exception {
        commit("a", "Rings");

        try (var cluster = new HostileCluster(TEXT, kinds)) {
            assertThat(run(cluster)).contains("\\u202e");
        }
        assertThat(inertReport()).isPositive();
    }

    /// File names, one of each kind, and a commit.
    @Test
    void printsNoActiveTextOfRepository() throws Exception {
        for (String text : Hostile.TEXTS) {
            write("clusters/" + fileName(text) + ".yaml", "apiVersion: etcdgitops.dev/v1alpha1\nkind: EtcdCluster\n");
            write("tests/" + fileName(text), "a");
        }
        commit(Hostile.TEXTS.getFirst(), TEXT.replaceAll("[\0\ud800]", "-"));

        try (var cluster = new HostileCluster("a", Set.of())) {
            assertThat(run(cluster)).contains("\\u202e");
        }
    }

    /// What a file system and UTF-8 take.
    private static String fileName(String text) {
        return text.replaceAll("[/\0\ud800\uffff]", "-");
    }

    @Test
    void printsNoActiveTextOfBackupStore() throws Exception {
        commit("a", "Rings");
        var ring = new ClusterRef("demo", "orders");
        for (int hour = 0; hour < Hostile.TEXTS.size(); hour++) {
            String text = Hostile.TEXTS.get(hour);
            String id = "202601%02dT030405Z".formatted(hour + 1);
            var usual = Manifests.manifest(id);
            var key = new BackupKey("production", ring, new EtcdId(0xabc), id);
            var source = new Manifest.Source(
                    "production",
                    ring,
                    key.clusterId(),
                    text,
                    usual.source().version(),
                    usual.source().began(),
                    usual.source().ended());
            var stored = new Manifest.Stored(key.file("snapshot.db"), 544, "0f".repeat(32), false, Optional.empty());
            var manifest = new Manifest(id, source, usual.content(), stored, text, text);
            var place = folder.resolve("backups").resolve(key.file(BackupKey.MANIFEST));
            Files.createDirectories(place.getParent());
            Files.write(place, ManifestFile.write(manifest));
            Files.writeString(place.resolveSibling(fileName(text)), "a");
        }

        try (var cluster = new HostileCluster("a", Set.of())) {
            assertThat(run(cluster)).contains("demo/orders  20260101T030405Z");
        }
    }

    @ParameterizedTest
    @FieldSource("TEXTS")
    void noEventActs(String text) throws Exception {
        try (var cluster = new HostileCluster("a", Set.of())) {
            var settings = KubeConnection.Settings.DEFAULT.withKubeconfig(cluster.kubeconfig(folder.resolve("k")));
            try (var connection = KubeConnection.open(settings, Map.of())) {
                new EventObjects(connection, InstantSource.system())
                        .tell(new ClusterRef("demo", "orders"), new RingEvents.Event(true, "ScaleInHeld", text));
            }

            assertThat(cluster.created("Event")).singleElement().satisfies(event -> {
                String message = event.path("message").asText();
                assertThat(message).isNotBlank().doesNotContain("##[", "##vso[");
                assertThat(message.codePoints().filter(Inert::acts)).isEmpty();
            });
        }
    }
}
