package io.github.etcdgitops.trial.forge;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.etcdgitops.fake.FakeForge;
import io.github.etcdgitops.fake.Marks;
import io.github.etcdgitops.gateway.Forge;
import io.github.etcdgitops.it.EtcdProcess;
import io.github.etcdgitops.it.S3Proxy;
import io.github.etcdgitops.trial.backup.BackupCredentials;
import io.github.etcdgitops.trial.backup.BackupPlace;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.LiveRing;
import io.github.etcdgitops.trial.bench.Members;
import io.github.etcdgitops.trial.bench.Tool;
import io.github.etcdgitops.trial.bench.Trial;
import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.change.AdoptTrial;
import io.github.etcdgitops.trial.change.TlsTrial;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Real Secrets, and marked ones wherever a run comes by some: a ring with TLS and its own CA, an encrypted backup in
/// an S3 API, a Git server with a token, somebody else's ring to be taken over. Then every command in every format,
/// when all is well and when nobody lets it in; and all that came of it is searched.
public final class SecretsTrial implements Trial {
    private static final String RING = "secrets";
    private static final String LEGACY = "legacy";
    private static final String CHECKS = "junit=%1$s.junit,sarif=%1$s.sarif,github=%1$s.github";
    private static final String PLAIN = "human,json=%1$s.json,markdown=%1$s.md";
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    @Override
    public String name() {
        return "secrets";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        var marks = new Marks();
        var folder = Files.createDirectories(bench.folder().resolve("forge"));
        var place = BackupPlace.bucket(
                bench, "bucket", bench.namespace(), S3Proxy.shared().endpoint());
        var credentials = new BackupCredentials(bench);
        try (var host = new ForgeHost(folder, documents(bench, place, credentials, marks));
                var forge = new FakeForge(Forge.Kind.GITHUB)) {
            var stage = new Stage(bench, host, forge, marks, tool(bench, host, marks), new HashMap<>());
            plant(stage);
            for (int run = 1; !bench.isAtRest(RING, 1); run++) {
                TrialFailure.unless(run <= 4, RING + " is not created");
                stage.tool().demand(0, "reconcile");
            }
            found(stage);
            allIsWell(stage);
            var search = new SecretSearch(bench, host, forge, marks);
            search.demandFound(stage.found());
            nobodyLetsUsIn(stage);
            figures.put("planted", marks.size());
            search.demandNothing(figures);
        }
    }

    private record Stage(
            Bench bench, ForgeHost host, FakeForge forge, Marks marks, Tool tool, Map<String, String> found) {
        private Path said() throws IOException {
            return Files.createDirectories(bench.folder().resolve("said"));
        }

        /// In all the formats that the command has; to its end, whatever that is.
        void ask(Map<String, String> environment, String formats, String command, String... more) throws IOException {
            var words = new ArrayList<>(List.of(more));
            if (!formats.isEmpty()) {
                String name = said().resolve(command.replace(' ', '-') + "-"
                                + said().toFile().list().length)
                        .toString();
                words.addAll(List.of("-o", String.format(formats, name)));
            }
            var run = tool.start(environment, command, words.toArray(String[]::new));
            TrialFailure.unless(
                    run.exit() != 1 && run.exit() != 64, command + " ended with " + run.exit() + ": " + run.tail());
        }

        void bare(Map<String, String> environment, String command, String... more) throws IOException {
            var run = tool.bare(environment, command, more);
            TrialFailure.unless(
                    run.exit() != 1 && run.exit() != 64, command + " ended with " + run.exit() + ": " + run.tail());
        }
    }

    private static Map<String, byte[]> documents(
            Bench bench, BackupPlace place, BackupCredentials credentials, Marks marks) {
        String ring = "# " + marks.plant("a comment") + "\n"
                + new String(bench.document(RING, 1, bench.options().version(), TlsTrial.BOTH_MUTUAL), UTF_8)
                        .replace(
                                "  podTemplate:\n",
                                "  podTemplate:\n    metadata: {annotations: {example.org/note: "
                                        + marks.plant(SecretSearch.ANNOTATION) + "}}\n");
        return Map.of(
                "etcd-gitops.yaml",
                Bench.fleet("production", ""),
                "clusters/" + RING + ".yaml",
                ring.getBytes(UTF_8),
                "clusters/wrong.yaml",
                ("apiVersion: etcdgitops.dev/v1alpha1\nkind: EtcdCluster\nmetadata: {name: wrong, namespace: "
                                + bench.namespace() + "}\nspec: {size: 3, password: "
                                + marks.plant("a wrong document") + "}\n")
                        .getBytes(UTF_8),
                "policies/bucket.yaml",
                place.document(
                        bench.namespace(),
                        "  schedule: {cron: \"* * * * *\"}\n  compression: zstd\n  encryption: {recipient: "
                                + credentials.recipient() + "}\n"));
    }

    private static Tool tool(Bench bench, ForgeHost host, Marks marks) throws IOException {
        var tool = new Tool(Files.createDirectories(bench.folder().resolve("reconciler")), host.url());
        var kubeconfig = Files.writeString(bench.folder().resolve("kubeconfig"), """
            apiVersion: v1
            kind: Config
            current-context: one
            contexts: [{name: one, context: {cluster: one, user: me}}]
            clusters: [{name: one, cluster: {server: "%s"}}]
            users: [{name: me, user: {token: %s}}]
            """.formatted(
                        bench.kube().getMasterUrl().toString(), marks.plant("the kubeconfig's token")));
        tool.environment("KUBECONFIG", kubeconfig.toString());
        tool.environment("ETCD_GITOPS_GIT_TOKEN", ForgeHost.TOKEN);
        tool.environment("ETCD_GITOPS_GIT_CA", host.ca().toString());
        tool.environment("ETCD_GITOPS_ENVIRONMENT", "production");
        tool.environment(
                "ETCD_GITOPS_CREDENTIALS_DIR",
                bench.folder().resolve("credentials").toString());
        tool.environment("ETCD_GITOPS_FORGE_TOKEN", FakeForge.TOKEN);
        tool.environment("ETCD_GITOPS_FAIL_ON", "error");
        tool.environment("AWS_SECRET_ACCESS_KEY", marks.plant("a key in the environment"));
        return tool;
    }

    private static void plant(Stage stage) throws IOException {
        var marks = stage.marks();
        marks.known("the token for Git", ForgeHost.TOKEN);
        marks.known("the token for the forge", FakeForge.TOKEN);
        marks.known("the key of the store", S3Proxy.SECRET);
        // All identities begin alike.
        String identity = Files.readString(stage.bench().folder().resolve("credentials/age/identity"))
                .strip();
        marks.known("the age identity", identity.substring("AGE-SECRET-KEY-1".length()));
        var wrong = Files.createDirectories(stage.bench().folder().resolve("wrong/" + BackupCredentials.GOOD));
        Files.writeString(wrong.resolve("access-key-id"), S3Proxy.KEY_ID);
        Files.writeString(wrong.resolve("secret-access-key"), marks.plant("a key that the store does not know"));
    }

    /// What has come to be in the meantime: the ring's keys, and what people put into it. And somebody else's ring.
    private static void found(Stage stage) throws Exception {
        var bench = stage.bench();
        for (var secret :
                bench.kube().secrets().inNamespace(bench.namespace()).list().getItems()) {
            secret.getData().forEach((name, value) -> {
                if (name.endsWith(".key")) {
                    String pem = new String(Base64.getDecoder().decode(value), US_ASCII);
                    String where = "the Secret " + secret.getMetadata().getName() + ", " + name;
                    // The first line of all keys of a kind is alike.
                    stage.found()
                            .put(
                                    where,
                                    stage.marks()
                                            .known(where, pem.lines().toList().get(2)));
                }
            });
        }
        TrialFailure.unless(
                stage.found().size() >= 4,
                "the ring has too few keys: " + stage.found().keySet());
        var way = new Members(bench, RING).ways().getFirst();
        LiveRing.put(
                way,
                "/app/" + stage.marks().plant("a key in etcd"),
                stage.marks().plant("a value in etcd"));
        String manifest = AdoptTrial.manifest(
                        LEGACY, bench.namespace(), bench.options().version())
                .replace(
                        "cluster-token=legacy", "cluster-token=" + stage.marks().plant("an argument of another ring"))
                .replace(
                        "          env:\n",
                        "          env:\n            - {name: ROOT_PASSWORD, value: "
                                + stage.marks().plant("the environment of another ring") + "}\n");
        bench.kube()
                .load(new ByteArrayInputStream(manifest.getBytes(UTF_8)))
                .inNamespace(bench.namespace())
                .create();
        EtcdProcess.await("the ring that is not ours", PATIENCE, () -> ready(bench) == 3);
    }

    private static int ready(Bench bench) {
        var set = bench.kube()
                .apps()
                .statefulSets()
                .inNamespace(bench.namespace())
                .withName(LEGACY)
                .get();
        return set.getStatus() == null || set.getStatus().getReadyReplicas() == null
                ? 0
                : set.getStatus().getReadyReplicas();
    }

    private static void allIsWell(Stage stage) throws Exception {
        stage.tool().demand(0, "reconcile");
        everything(stage, Map.of());
        Path plan;
        try (var files = Files.list(stage.said())) {
            plan = files.filter(file -> file.toString().matches(".*/plan-.*\\.md"))
                    .findFirst()
                    .orElseThrow(() -> new TrialFailure("there is no plan"));
        }
        var review = List.of("--forge", "github", "--repository", "acme/rings", "--api-url");
        String api = stage.forge().api().toString();
        var words = new ArrayList<>(review);
        words.addAll(List.of(api, "--pull-request", "12", "--from", plan.toString()));
        stage.bare(Map.of(), "review comment", words.toArray(String[]::new));
        TrialFailure.unlessSame("the comments", 1, stage.forge().bodies().size());
    }

    private static void everything(Stage stage, Map<String, String> environment) throws Exception {
        String ring = stage.bench().namespace() + "/" + RING;
        String html = ",html=%1$s.html";
        Path saved = stage.bench().folder().resolve("said").resolve("saved-plan.json");
        stage.ask(environment, PLAIN + "," + CHECKS + html, "plan", "--out", saved.toString());
        stage.ask(environment, PLAIN, "apply", saved.toString());
        stage.ask(environment, PLAIN, "reconcile", "--dry-run");
        stage.ask(environment, PLAIN, "status");
        stage.ask(environment, PLAIN, "doctor");
        // These read files, which are wrong in one place.
        String clone = stage.host().personsClone().toString();
        stage.bare(environment, "validate", clone);
        stage.bare(environment, "features", clone);
        stage.bare(environment, "policy list", clone);
        stage.bare(environment, "volumes");
        stage.ask(environment, "", "approve", "--by", "kim", "--reason", "why");
        stage.ask(environment, "", "backup create", ring);
        stage.ask(environment, PLAIN, "backup list");
        stage.ask(environment, PLAIN, "backup verify", ring);
        stage.ask(environment, PLAIN, "backup prune", "--dry-run", ring);
        stage.ask(environment, "", "restore", ring, "--document");
        stage.bare(environment, "adopt", stage.bench().namespace() + "/" + LEGACY);
        stage.bare(environment, "doctor --help");
    }

    private static void nobodyLetsUsIn(Stage stage) throws Exception {
        var marks = stage.marks();
        everything(stage, Map.of("ETCD_GITOPS_GIT_TOKEN", marks.plant("a token that Git does not know")));
        everything(
                stage,
                Map.of(
                        "ETCD_GITOPS_CREDENTIALS_DIR",
                        stage.bench().folder().resolve("wrong").toString()));
        stage.bare(
                Map.of("ETCD_GITOPS_FORGE_TOKEN", marks.plant("a token that the forge does not know")),
                "review status",
                "--forge",
                "github",
                "--repository",
                "acme/rings",
                "--api-url",
                stage.forge().api().toString(),
                "--commit",
                FakeForge.COMMIT,
                "--state",
                "success",
                "--description",
                "well");
    }
}
