package io.github.etcdgitops.trial.cluster;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.git.SshGitServer;
import io.github.etcdgitops.it.EtcdProcess;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Command;
import io.github.etcdgitops.trial.bench.TrialFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/// The reconciler installed from `cronjob/`, as its README tells people to: an overlay of one's own, applied with
/// kubectl. It reads the trial's repository over SSH, from this machine. The CronJobs are suspended: Jobs are made from
/// them when a trial wants one.
public final class Deployment implements AutoCloseable {
    static final String NAMESPACE = "etcd-gitops";
    private static final Duration END = Duration.ofMinutes(3);
    private static final ObjectMapper JSON = new ObjectMapper();

    /// The last minor version that lacks what the base has.
    private static final int OLD = 24;

    private final Bench bench;
    private final Path folder;
    private final SshGitServer server;

    public Deployment(Bench bench) throws Exception {
        this.bench = bench;
        TrialFailure.unless(
                bench.kube().namespaces().withName(NAMESPACE).get() == null,
                "there is a namespace " + NAMESPACE + " already: this trial wants one of its own");
        folder = Files.createDirectories(bench.folder().resolve("overlay"));
        var hostKey = SshGitServer.key();
        var clientKey = SshGitServer.key();
        server = new SshGitServer(addressOfThisMachine(), hostKey, clientKey.getPublic(), folder);
        try {
            prepare(hostKey, clientKey);
        } catch (Exception | AssertionError e) {
            close();
            throw e;
        }
    }

    private void prepare(KeyPair hostKey, KeyPair clientKey) throws Exception {
        SshGitServer.writePrivateKey(clientKey, folder.resolve("ssh-privatekey"));
        Files.writeString(folder.resolve("known_hosts"), server.knownHostsLine(hostKey.getPublic()));
        kubectl("apply", "-f", manifests("common/namespace.yaml").toString());
        kubectl(
                "-n",
                NAMESPACE,
                "create",
                "secret",
                "generic",
                "etcd-gitops-git",
                "--from-file=ssh-privatekey",
                "--from-file=known_hosts");
    }

    /// Applies a folder of `cronjob/`, with the component for older servers where it is needed; over what was applied
    /// before, if anything was.
    public void install(String manifests) throws IOException, InterruptedException {
        install(manifests(manifests), "");
    }

    /// The overlay without cluster-wide rights, for the trial's namespace instead of the one it is shown for.
    void installNamespaced() throws IOException, InterruptedException {
        var copy = folder.resolve("cronjob");
        Command.run(new ProcessBuilder("cp", "-r", manifests(".").toString(), copy.toString()), "");
        for (String file : List.of("kustomization.yaml", "demo/kustomization.yaml")) {
            var path = copy.resolve("overlays/namespaced").resolve(file);
            Files.writeString(
                    path,
                    Files.readString(path)
                            .replace("namespace=demo", "namespace=" + bench.namespace())
                            .replace("namespace: demo", "namespace: " + bench.namespace()));
        }
        install(copy.resolve("overlays/namespaced"), "");
    }

    /// `settings` are further lines of the settings' file.
    public void install(Path manifests, String settings) throws IOException, InterruptedException {
        String[] image = bench.options().image().orElseThrow().split(":", 2);
        // Some builds leave the field for the minor version empty.
        String minor = bench.kube().getKubernetesVersion().getGitVersion().replaceAll("^v\\d+\\.(\\d+).*", "$1");
        boolean component = Integer.parseInt(minor) <= OLD;
        Files.writeString(folder.resolve("kustomization.yaml"), """
            apiVersion: kustomize.config.k8s.io/v1beta1
            kind: Kustomization
            resources:
              - %s
            components: [%s]
            images:
              - {name: etcd-gitops, newName: %s, newTag: %s}
            configMapGenerator:
              - name: etcd-gitops-settings
                namespace: etcd-gitops
                behavior: replace
                files: [etcd-gitops.properties]
            patches:
              - target: {kind: CronJob}
                patch: |
                  - {op: add, path: /spec/suspend, value: true}
            """.formatted(
                        relative(manifests),
                        component ? relative(manifests("components/kubernetes-1.20")) : "",
                        image[0],
                        image[1]));
        Files.writeString(folder.resolve("etcd-gitops.properties"), """
            repo=ssh://git@%s:%d%s
            ref=refs/heads/main
            environment=%s
            git-ssh-key=/etc/etcd-gitops/git/ssh-privatekey
            git-known-hosts=/etc/etcd-gitops/git/known_hosts
            cache-dir=/cache
            member-access=pod-ip
            reconciler-namespace=etcd-gitops
            fail-on=error
            log-format=json
            places=file:///backups/
            %s\
            """.formatted(
                        addressOfThisMachine(), server.port(), bench.git().folder(), bench.namespace(), settings));
        kubectl("apply", "-k", folder.toString());
    }

    /// A Job of the CronJob's template, as it would start one itself; or with something changed in its spec.
    public JobRun start(String cronJob, String name, Consumer<ObjectNode> change)
            throws IOException, InterruptedException {
        var template = (ObjectNode) JSON.readTree(kubectl("-n", NAMESPACE, "get", "cronjob", cronJob, "-o", "json"))
                .at("/spec/jobTemplate/spec");
        change.accept(template);
        var job = JSON.createObjectNode().put("apiVersion", "batch/v1").put("kind", "Job");
        job.putObject("metadata").put("namespace", NAMESPACE).put("name", name);
        job.set("spec", template);
        Command.run(builder("create", "-f", "-"), job.toString());
        return new JobRun(bench.kube(), NAMESPACE, name);
    }

    public JobRun start(String name) throws IOException, InterruptedException {
        return start("etcd-gitops", name, _ -> {});
    }

    /// Lets the CronJob itself start one.
    JobRun await(String cronJob) throws IOException, InterruptedException {
        kubectl(
                "-n",
                NAMESPACE,
                "patch",
                "cronjob",
                cronJob,
                "-p",
                "{\"spec\":{\"schedule\":\"* * * * *\",\"suspend\":false}}");
        var found = new ArrayList<String>();
        EtcdProcess.await("a Job of the CronJob", END, () -> {
            bench.kube().batch().v1().jobs().inNamespace(NAMESPACE).list().getItems().stream()
                    .filter(job -> job.getMetadata().getOwnerReferences().stream()
                            .anyMatch(owner -> owner.getName().equals(cronJob)))
                    .forEach(job -> found.add(job.getMetadata().getName()));
            return !found.isEmpty();
        });
        kubectl("-n", NAMESPACE, "patch", "cronjob", cronJob, "-p", "{\"spec\":{\"suspend\":true}}");
        return new JobRun(bench.kube(), NAMESPACE, found.getFirst());
    }

    void apply(String manifest) throws IOException, InterruptedException {
        Command.run(builder("apply", "-f", "-"), manifest);
    }

    String kubectl(String... words) throws IOException, InterruptedException {
        return Command.run(builder(words), "");
    }

    private ProcessBuilder builder(String... words) {
        var all = new ArrayList<>(List.of("kubectl"));
        all.addAll(Arrays.asList(words));
        return new ProcessBuilder(all).directory(folder.toFile());
    }

    /// The node's: on a cluster of one node, that is this machine's too.
    String addressOfThisMachine() {
        return bench.kube().nodes().list().getItems().stream()
                .flatMap(node -> node.getStatus().getAddresses().stream())
                .filter(address -> address.getType().equals("InternalIP"))
                .map(address -> Objects.requireNonNull(address.getAddress()))
                .findFirst()
                .orElseThrow(() -> new TrialFailure("no node has an address"));
    }

    private Path relative(Path manifests) throws IOException {
        return folder.toRealPath().relativize(manifests.toRealPath());
    }

    static Path manifests(String path) {
        return Path.of(System.getProperty("trials.root", "."))
                .resolve("cronjob")
                .resolve(path);
    }

    /// Takes away all that was installed, as a user would.
    @Override
    public void close() throws IOException, InterruptedException {
        server.close();
        if (bench.options().keep()) {
            return;
        }
        if (Files.exists(folder.resolve("kustomization.yaml"))) {
            kubectl("delete", "--ignore-not-found", "--timeout=3m", "-k", folder.toString());
        }
        kubectl("delete", "namespace", NAMESPACE, "--ignore-not-found", "--timeout=3m");
    }
}
