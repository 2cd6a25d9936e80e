package io.github.etcdgitops.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.fake.FakeForge;
import io.github.etcdgitops.fake.Marks;
import io.github.etcdgitops.gateway.Forge;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.api.errors.GitAPIException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Every command in every format, where a secret is in everything that a secret comes in, and everybody whom we ask
/// says it back to us. Whatever is printed or written is searched for all of them.
class PlantedSecretsTest {
    private static final List<String> OF_DOCUMENTS = List.of("validate", "plan", "doctor", "policy list");

    @TempDir
    Path folder;

    private final Marks marks = new Marks();
    private final Map<String, String> environment = new TreeMap<>();
    private EchoServer echo = new EchoServer();
    private FakeForge forge = new FakeForge(Forge.Kind.GITHUB);
    private Path kubeconfig = Path.of("");
    private Path repository = Path.of("");

    @BeforeEach
    void plant() throws IOException, GitAPIException {
        marks.known("forge token", FakeForge.TOKEN);
        environment.put("ETCD_GITOPS_FORGE_TOKEN", FakeForge.TOKEN);
        environment.put("ETCD_GITOPS_GIT_TOKEN", marks.plant("git token"));
        environment.put("XDG_CACHE_HOME", folder.resolve("cache").toString());
        environment.put("AWS_SECRET_ACCESS_KEY", marks.plant("AWS key of the environment"));
        environment.put("AWS_SESSION_TOKEN", marks.plant("AWS session of the environment"));
        environment.put("SOME_PASSWORD", marks.plant("another variable"));
        credential("storage", "access-key-id", "KEYID");
        credential("storage", "secret-access-key", marks.plant("S3 key"));
        credential("storage", "session-token", marks.plant("S3 session"));
        credential("storage", "places", "s3://etcd/ endpoint=" + echo.url());
        credential("google", "places", "gs://etcd/");
        credential("google", "access-key-id", "KEYID");
        credential("google", "secret-access-key", marks.plant("HMAC key"));
        environment.put(
                "ETCD_GITOPS_CREDENTIALS_DIR", folder.resolve("credentials").toString());
        kubeconfig = kubeconfig("token: " + marks.plant("kubeconfig token"));
        repository = folder.resolve("rings");
        documents();
        commit();
    }

    @AfterEach
    void stop() {
        echo.close();
        forge.close();
    }

    private void credential(String set, String file, String text) throws IOException {
        Files.writeString(
                Files.createDirectories(folder.resolve("credentials/" + set)).resolve(file), text);
    }

    private Path kubeconfig(String user) throws IOException {
        return Files.writeString(folder.resolve("kubeconfig"), """
            apiVersion: v1
            kind: Config
            clusters: [{name: one, cluster: {server: "%s"}}]
            users: [{name: me, user: {%s}}]
            contexts: [{name: here, context: {cluster: one, user: me}}]
            current-context: here
            """.formatted(echo.url(), user));
    }

    private void write(String file, String text) throws IOException {
        Files.createDirectories(repository.resolve(file).getParent());
        Files.writeString(repository.resolve(file), text);
    }

    /// Good ones, with something in them that nobody has to know.
    private void documents() throws IOException {
        write("etcd-gitops.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: Fleet
            metadata: {name: f}
            spec: {environments: [{name: production, paths: [clusters/]}]}
            """);
        write("clusters/orders.yaml", """
            # %s
            apiVersion: etcdgitops.dev/v1alpha1
            kind: EtcdCluster
            metadata: {name: orders, namespace: demo}
            spec:
              size: 3
              version: "3.5.16"
              storage: {size: 1Gi}
              podTemplate: {metadata: {annotations: {example.org/password: %s}}}
              auth:
                enabled: false
                roles: [{name: reader, grants: [{access: read, prefix: /app/}]}]
                users:
                  - {name: app, roles: [reader], password: {generate: true}}
                  - {name: web, password: {secretKeyRef: {name: web, key: password}}}
            """.formatted(marks.plant("comment"), marks.plant("annotation")));
        echo.password(marks.plant("password of a user"));
        write("policies/nightly.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: BackupPolicy
            metadata: {name: nightly}
            spec:
              clusters: {namespaces: [demo]}
              destination: {s3: {bucket: etcd, region: eu, endpoint: "%s", pathStyle: true, credentialsRef: {name: storage}}}
            """.formatted(echo.url()));
        write("policies/weekly.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: BackupPolicy
            metadata: {name: weekly}
            spec:
              clusters: {namespaces: [demo]}
              destination: {gcs: {bucket: etcd, credentialsRef: {name: google}}}
            """);
        write("policies/own.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: Policy
            metadata: {name: own}
            spec:
              validations: [{name: small, message: m, expression: "object.metadata.name != '%s'", effect: warn}]
            """.formatted(marks.plant("expression")));
    }

    private void commit() throws GitAPIException {
        try (var git = Git.init()
                .setDirectory(repository.toFile())
                .setInitialBranch("main")
                .call()) {
            git.add().addFilepattern(".").call();
            git.commit()
                    .setMessage("Rings")
                    .setAuthor("a", "a@b")
                    .setSign(false)
                    .call();
        }
    }

    // --- every command

    private EveryCommand every() {
        String repo = environment.getOrDefault("REPO", repository.toString());
        return new EveryCommand(
                folder, repository, repo, kubeconfig, forge.api().toString());
    }

    @Test
    void noCommandIsForgotten() throws IOException {
        var all = new TreeSet<>(every().arguments().keySet());
        all.addAll(EveryCommand.ELSEWHERE);

        assertThat(all).containsExactlyElementsOf(EveryCommand.leaves().keySet());
    }

    private Map<String, Ran> all() throws IOException {
        return all(name -> !EveryCommand.ELSEWHERE.contains(name));
    }

    /// Runs those that are wanted and searches all that came of it. Returns what was printed, by command.
    private Map<String, Ran> all(Predicate<String> wanted) throws IOException {
        var ran = new TreeMap<String, Ran>();
        for (var leaf : EveryCommand.leaves().entrySet()) {
            if (wanted.test(leaf.getKey())) {
                var line = every().line(leaf.getKey(), leaf.getValue());
                ran.put(leaf.getKey(), searched(line.toArray(String[]::new)));
            }
        }
        searchedFiles();
        return ran;
    }

    private Ran searched(String... line) {
        var ran = Ran.of(environment, line);
        assertThat(marks.in((ran.out() + ran.err()).getBytes(UTF_8)))
                .as("%s: %s%s", List.of(line), ran.out(), ran.err())
                .isEmpty();
        assertThat(ran.code()).as("%s: %s", List.of(line), ran.err()).isNotEqualTo(1);
        return ran;
    }

    private void searchedFiles() throws IOException {
        try (var files = Files.list(folder)) {
            for (Path file : files.filter(f -> f.getFileName().toString().startsWith("out."))
                    .toList()) {
                assertThat(marks.in(Files.readAllBytes(file)))
                        .as(file.toString())
                        .isEmpty();
            }
        }
        assertThat(marks.in(String.join("\n", forge.bodies()).getBytes(UTF_8))).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void printsNoSecretWhateverApiServerAnswers(EchoServer.Mood mood) throws IOException {
        echo.mood(mood);

        var ran = all();

        if (mood == EchoServer.Mood.WELL) {
            assertThat(ran.get("plan").code()).as(ran.get("plan").err()).isZero();
            assertThat(ran.get("validate").code()).isZero();
        } else {
            assertThat(ran.get("plan").code()).as(ran.get("plan").err()).isNotZero();
        }
        assertThat(marks.in(echo.said().getBytes(UTF_8))).contains("kubeconfig token", "S3 session");
    }

    /// The same by an address with the credential in it, by a proxy with one, and so on.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "password in the address",
                "password of a proxy",
                "passphrase",
                "token of two lines",
                "unusable kubeconfig"
            })
    void printsNothingOfUnusableCredential(String what) throws IOException {
        String secret = marks.plant(what);
        switch (what) {
            case "password in the address" ->
                environment.put("REPO", "https://kim:" + secret + "@127.0.0.1:1/rings.git");
            case "password of a proxy" -> {
                environment.put("REPO", "https://127.0.0.1:1/rings.git");
                environment.put("HTTPS_PROXY", "http://kim:" + secret + "@127.0.0.1:1");
            }
            case "passphrase" -> {
                environment.put("REPO", "ssh://git@127.0.0.1:1/rings.git");
                environment.put(
                        "ETCD_GITOPS_GIT_KNOWN_HOSTS",
                        Files.writeString(folder.resolve("known"), "").toString());
                environment.put("ETCD_GITOPS_GIT_SSH_KEY", sshKey(secret).toString());
            }
            case "token of two lines" -> {
                environment.put("REPO", "https://127.0.0.1:1/rings.git");
                environment.put("ETCD_GITOPS_GIT_TOKEN", secret + "\n" + secret);
                environment.put("ETCD_GITOPS_FORGE_TOKEN", secret + " " + secret);
            }
            default -> kubeconfig("client-key-data: " + secret + ", client-certificate-data: " + secret);
        }

        all();
    }

    private Path sshKey(String secret) throws IOException {
        var key = Files.writeString(folder.resolve("key"), """
            -----BEGIN RSA PRIVATE KEY-----
            Proc-Type: 4,ENCRYPTED
            DEK-Info: AES-128-CBC,%s

            %s
            -----END RSA PRIVATE KEY-----
            """.formatted("0".repeat(32), secret));
        return Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    }

    // --- documents that are wrong

    static List<String> wrong() {
        return List.of(
                "spec: {size: 3, version: \"3.5.16\", password: MARK}",
                "spec: {size: 3, auth: {users: [{name: a, password: {secretKeyRef: {name: \"MARK/\", key: k}}}]}}",
                "spec: {size: 3, version: \"3.5.16\", auth: {password: MARK}}",
                "spec: {size: 3, version: \"3.5.16\", auth: {users: [{name: a, password: MARK}]}}",
                "spec: {size: 3, auth: {users: [{name: a, password: {generate: MARK, value: MARK}}]}}",
                "spec: {size: 3, version: \"3.5.16\", storage: {size: \"https://kim:MARK@example.org\"}}",
                "spec: {size: 3, version: \"3.5.16\", token: MARK, token: MARK}",
                "spec:\n  size: 3\n  token: MARK: x",
                "spec:\n  size: 3\n  token: \"MARK",
                "spec:\n  size: 3\n token: MARK",
                "spec:\n  size: 3\n\ttoken: MARK",
                "spec: {size: 3, token: *MARK}",
                "spec: {size: 3, token: !MARK x}",
                "spec: {size: 3, token: &MARK x}",
                "spec: {size: 3, podTemplate: {metadata: {annotations: {password: [MARK]}}}}",
                "spec: {size: 3, podTemplate: {containers: [{env: [{name: A, value: MARK}]}]}}",
                "spec: {size: 3, podTemplate: {env: [{name: PASSWORD, value: MARK}]}}",
                "spec: {size: 3, etcd: {extraArgs: [\"--password=MARK\"]}}");
    }

    @ParameterizedTest
    @MethodSource("wrong")
    void documentErrorPrintsNoSecret(String spec) throws Exception {
        String head =
                "apiVersion: etcdgitops.dev/v1alpha1\nkind: EtcdCluster\nmetadata: {name: orders, namespace: demo}\n";
        write("clusters/orders.yaml", head + spec.replace("MARK", marks.plant("document")) + "\n");
        commit();

        var ran = all(OF_DOCUMENTS::contains);

        assertThat(ran.get("validate").code()).as(ran.get("validate").out()).isEqualTo(10);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "object.metadata.name == 'MARK",
                "object.metadata.name == 'MARK' +",
                "object.spec.size == 'MARK'",
                "object.metadata.name.matches('MARK[')",
                "unknown('MARK')"
            })
    void expressionErrorPrintsNoLiteral(String expression) throws Exception {
        write("policies/own.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: Policy
            metadata: {name: own}
            spec: {validations: [{name: small, message: m, expression: "%s"}]}
            """.formatted(expression.replace("MARK", marks.plant("expression"))));
        commit();

        all(OF_DOCUMENTS::contains);
    }

    // --- command lines that are wrong

    @ParameterizedTest
    @ValueSource(
            strings = {
                "plan --git-token=MARK",
                "plan --git-token MARK",
                "plan MARK",
                "review comment --token=MARK",
                "review comment --token MARK --from x",
                "reconcile --repo https://kim:MARK@example.org/x.git",
                "reconcile --git-proxy http://kim:MARK@127.0.0.1:1 --repo https://127.0.0.1:1/x",
                "review comment --forge github --repository a/b --api-url https://kim:MARK@example.org --from x"
                        + " --pull-request 1",
                "MARK"
            })
    void commandLineErrorPrintsNoValue(String line) {
        String secret = marks.plant("command line");

        var ran = searched(line.replace("MARK", secret).split(" "));

        assertThat(ran.code()).isIn(64, 77, 78);
    }

    @Test
    void settingsErrorPrintsNoValue() throws IOException {
        String secret = marks.plant("settings");
        for (String text : List.of(secret, "git-token=" + secret, "git-token " + secret)) {
            environment.put(
                    "ETCD_GITOPS_CONFIG",
                    Files.writeString(folder.resolve("settings"), text).toString());

            assertThat(searched("plan", "--repo", repository.toString()).code()).isIn(64, 78);
        }
    }

    @Test
    void helpHasNothingOfTheEnvironment() {
        for (String name : EveryCommand.leaves().keySet()) {
            searched((name + " --help").split(" "));
        }
    }

    /// The test can fail.
    @Test
    void detectsLeakedSecret() {
        String text = "error: HTTP 401 for Authorization: Bearer " + environment.get("ETCD_GITOPS_GIT_TOKEN");

        assertThat(marks.in(text.getBytes(UTF_8))).containsExactly("git token");
    }
}
