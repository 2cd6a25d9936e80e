package io.github.etcdgitops.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.cli.console.Options;
import io.github.etcdgitops.cli.console.Refusals;
import io.github.etcdgitops.document.SpecLoader;
import io.github.etcdgitops.fake.FakeForge;
import io.github.etcdgitops.gateway.Forge;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.git.tree.LocalTree;
import io.github.etcdgitops.observe.Reading;
import io.github.etcdgitops.pipeline.FleetView;
import io.github.etcdgitops.report.PlanJson;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.worlds.FoundedRing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.api.errors.GitAPIException;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What no ring can be given is refused by every command that prints an error about it, each with the code of
/// docs/exit-codes.md: `validate` alone knows the documents, with `--base` what the ring is as well.
class ImpossibleChangesTest {
    private static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");
    private static final String NIGHTLY = """
        apiVersion: etcdgitops.dev/v1alpha1
        kind: BackupPolicy
        metadata: {name: nightly}
        spec: {destination: {directory: {path: /backups}}}
        """;

    @TempDir
    Path folder;

    /// `codes` are those of `validate`, `validate --base`, `plan --offline`, `plan` and `review status`.
    record Change(String name, String before, String after, Map<String, String> beside, List<Integer> codes) {
        @Override
        public String toString() {
            return name;
        }

        Change beside(String file, String text) {
            var files = new LinkedHashMap<>(beside);
            files.put(file, text);
            return new Change(name, before, after, files, codes);
        }
    }

    private static Change change(String name, String before, String after, Integer... codes) {
        return new Change(name, before, after, Map.of(), Arrays.asList(codes));
    }

    /// Known only to whoever knows what the ring is now.
    private static Change ofTheRing(String name, String before, String after) {
        return change(name, before, after, 0, 10, 10, 10, 10);
    }

    /// Wrong whatever the ring is.
    private static Change ofTheDocument(String name, String after) {
        return change(name, ring(3, "3.5.16"), after, 10, 10, 10, 10, 10);
    }

    private static Change denied(String name, String after, String rules) {
        return change(name, ring(3, "3.5.16"), after, 11, 11, 11, 11, 11)
                .beside("policies/rules.yaml", """
                    apiVersion: etcdgitops.dev/v1alpha1
                    kind: Policy
                    metadata: {name: all}
                    spec: {rules: {%s}}
                    """.formatted(rules));
    }

    private static String ring(int size, String version, String... more) {
        return "{size: %d, version: \"%s\"%s}".formatted(size, version, String.join("", more));
    }

    private static String storage(String fields) {
        return ring(3, "3.5.16", ", storage: {" + fields + "}");
    }

    private static String tls(String fields) {
        return ring(3, "3.5.16", ", tls: {" + fields + "}");
    }

    private static String request(String kind, String name, String fields) {
        return """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: %s
            metadata: {name: %s}
            spec: {cluster: {namespace: demo, name: orders}, %s}
            """.formatted(kind, name, fields);
    }

    static Stream<Change> changes() {
        String secured = "peer: mutual, client: mutual, issuer: {kind: BuiltIn}";
        return Stream.of(
                ofTheRing("a downgrade by a minor version", ring(3, "3.5.16"), ring(3, "3.4.23")),
                ofTheRing("a downgrade by two", ring(3, "3.6.4"), ring(3, "3.4.23")),
                ofTheRing("a downgrade and a growth", ring(3, "3.5.16"), ring(5, "3.4.23")),
                ofTheRing("smaller volumes", storage("size: 2Gi"), storage("size: 1Gi")),
                ofTheRing(
                        "another storage class",
                        storage("size: 1Gi, storageClassName: standard"),
                        storage("size: 1Gi, storageClassName: fast")),
                ofTheRing(
                        "a class and smaller volumes",
                        storage("size: 2Gi, storageClassName: standard"),
                        storage("size: 1Gi, storageClassName: fast")),
                ofTheRing("one member to three without learners", ring(1, "3.3.25"), ring(3, "3.3.25")),
                ofTheRing("go back to plain text", tls(secured), ring(3, "3.5.16")),
                ofTheRing("another issuer", tls(secured), tls(secured.replace("BuiltIn", "Secret"))),
                ofTheRing(
                        "clients both ways on a release that cannot",
                        ring(3, "3.4.23"),
                        ring(3, "3.4.23", ", tls: {peer: mutual, client: mixed, issuer: {kind: BuiltIn}}")),
                ofTheRing("the volume of a ring of one", ring(1, "3.5.16"), ring(1, "3.5.16"))
                        .beside(
                                "clusters/reset.yaml",
                                request(
                                        "VolumeReset",
                                        "orders-0",
                                        "ordinal: 0, claimUid: 0d1f6d2e-3c1c-4a6e-9a33-0d7c5b3f2a11, reason: x")),
                ofTheRing("the member of a ring of one", ring(1, "3.5.16"), ring(1, "3.5.16"))
                        .beside(
                                "clusters/replace.yaml",
                                request(
                                        "MemberReplacement",
                                        "orders-0",
                                        "ordinal: 0, memberId: \"8e9e05c52164694d\", reason: x")),
                ofTheDocument("a quota above the volume", storage("size: 1Gi}, etcd: {quotaBackendBytes: 8589934592")),
                ofTheDocument("a release that loses data", ring(3, "3.5.1")),
                ofTheDocument("an etcd from before 3.3", ring(3, "2.3.8")),
                ofTheDocument("a size of none", ring(0, "3.5.16")),
                ofTheDocument("a field that is not there", ring(3, "3.5.16", ", replicas: 5")),
                ofTheDocument("an option that this etcd has not", ring(3, "3.5.16", ", etcd: {logLevel: shout}")),
                denied("a version that a rule blocks", ring(3, "3.5.21"), "version-allowlist: {allowed: [\"3.5.16\"]}"),
                denied("a size that a rule refuses", ring(4, "3.5.16"), "odd-members: {effect: deny}"),
                change("an operation that a rule refuses", ring(3, "3.5.16"), ring(1, "3.5.16"), 0, 11, 11, 11, 11)
                        .beside("policies/rules.yaml", """
                            apiVersion: etcdgitops.dev/v1alpha1
                            kind: Policy
                            metadata: {name: all}
                            spec:
                              rules:
                                freeze: {effect: deny, from: "2020-01-01T00:00:00Z", until: "2999-01-01T00:00:00Z",
                                  reason: sales}
                            """));
    }

    @ParameterizedTest
    @MethodSource("changes")
    void endsWithTheCodeOfWhatIsWrongInEveryCommand(Change change) throws IOException, GitAPIException {
        var repository = Files.createDirectories(folder.resolve("config"));
        ring(repository, change.before());
        var before = SpecLoader.load(LocalTree.repository(repository));
        try (var git = Git.init()
                .setDirectory(repository.toFile())
                .setInitialBranch("main")
                .call()) {
            commit(git);
            git.checkout().setCreateBranch(true).setName("change").call();
            ring(repository, change.after());
            for (var file : change.beside().entrySet()) {
                write(repository.resolve(file.getKey()), file.getValue());
            }
            commit(git);
        }
        String path = repository.toString();

        var codes = List.of(
                run("validate", path).code(),
                run("validate", path, "--base", "main").code(),
                run("plan", "--offline", "--repo", path, "--base", "main").code(),
                live(before, SpecLoader.load(LocalTree.repository(repository))),
                review());

        assertThat(codes).isEqualTo(change.codes());
    }

    private static void ring(Path repository, String spec) throws IOException {
        write(repository.resolve("policies/nightly.yaml"), NIGHTLY);
        write(repository.resolve("clusters/orders.yaml"), """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: EtcdCluster
            metadata: {name: orders, namespace: demo}
            spec: %s
            """.formatted(spec));
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private static void commit(Git git) throws GitAPIException {
        git.add().addFilepattern(".").call();
        git.commit().setMessage("x").setAuthor("a", "a@b").setSign(false).call();
    }

    private Ran run(String... args) {
        var environment =
                new HashMap<>(Map.of("XDG_CACHE_HOME", folder.resolve("cache").toString()));
        environment.put("ETCD_GITOPS_FORGE_TOKEN", FakeForge.TOKEN);
        return Ran.of(environment, args);
    }

    /// `plan` of the ring that was founded as the document before said.
    private int live(DesiredState before, DesiredState after) throws IOException {
        assertThat(before.violations()).isEmpty();
        var world = FoundedRing.of(before.rings().get(Reading.ORDERS));
        var view = new FleetView(
                Reading.observer(world),
                _ -> {
                    throw new GatewayException(GatewayException.Kind.UNREACHABLE, false, "no store here");
                },
                InstantSource.fixed(NOW),
                "test");
        var plan = view.plan(after, "default");
        Files.writeString(folder.resolve("plan.json"), PlanJson.render(plan));
        return Refusals.ofPlan(plan, new Options.FailingOnRings()).code();
    }

    private int review() {
        try (var forge = new FakeForge(Forge.Kind.GITHUB)) {
            return run(
                            "review",
                            "status",
                            "--forge",
                            "github",
                            "--repository",
                            "acme/rings",
                            "--api-url",
                            forge.api().toString(),
                            "--commit",
                            FakeForge.COMMIT,
                            "--from",
                            folder.resolve("plan.json").toString())
                    .code();
        }
    }
}
