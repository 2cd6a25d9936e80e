package io.github.etcdgitops.trial.fence;

import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Command;
import io.github.etcdgitops.trial.bench.TrialFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// The rights of `overlays/impersonated` for two tenants, each with a namespace and an account of its own, and nothing
/// that runs: the trial's own processes have the executor's token.
public final class TenantAccounts implements AutoCloseable {
    private static final String RECONCILER = "etcd-gitops";
    private static final String EXECUTOR = "etcd-gitops-executor";

    private final Bench bench;
    private final Path folder;
    private final Path kubeconfig;

    /// `tenants` end the names of their namespaces and accounts.
    public TenantAccounts(Bench bench, List<String> tenants) throws IOException, InterruptedException {
        this.bench = bench;
        TrialFailure.unless(
                bench.kube().namespaces().withName(RECONCILER).get() == null,
                "there is a namespace " + RECONCILER + " already: this trial wants one of its own");
        folder = Files.createDirectories(bench.folder().toRealPath().resolve("overlay"));
        for (String tenant : tenants) {
            kubectl("create", "namespace", namespace(tenant));
            bench.alsoUses(namespace(tenant));
            write(tenant, """
                apiVersion: kustomize.config.k8s.io/v1beta1
                kind: Kustomization
                namespace: %s
                nameSuffix: -%s
                resources: [%s]
                patches:
                  - target: {kind: Role, name: etcd-gitops-impersonate}
                    patch: |
                      - {op: replace, path: /rules/0/resourceNames/0, value: %s}
                """.formatted(
                            namespace(tenant),
                            tenant,
                            manifests(tenant, "overlays/impersonated/tenant-namespace"),
                            account(tenant)));
        }
        write(".", """
            apiVersion: kustomize.config.k8s.io/v1beta1
            kind: Kustomization
            resources: [%s, %s]
            components: [%s]
            """.formatted(
                        manifests(".", "common"),
                        tenants.stream().collect(Collectors.joining(", ")),
                        manifests(".", "components/impersonation")));
        kubectl("apply", "-k", folder.toString());
        kubeconfig = Files.writeString(folder.resolve("executor.kubeconfig"), kubeconfig());
    }

    private void write(String where, String kustomization) throws IOException {
        Files.writeString(Files.createDirectories(folder.resolve(where)).resolve("kustomization.yaml"), kustomization);
    }

    /// Kustomize takes relative paths alone.
    private Path manifests(String from, String name) throws IOException {
        Path root = Path.of(System.getProperty("trials.root", ".")).toRealPath();
        return folder.resolve(from)
                .normalize()
                .relativize(root.resolve("cronjob").resolve(name));
    }

    private String kubeconfig() throws IOException {
        var config = bench.kube().getConfiguration();
        String token = bench.kube()
                .serviceAccounts()
                .inNamespace(RECONCILER)
                .withName(EXECUTOR)
                .tokenRequest(new TokenRequestBuilder()
                        .withNewSpec()
                        .withExpirationSeconds(7200L)
                        .endSpec()
                        .build())
                .getStatus()
                .getToken();
        String authority = config.getCaCertData() == null
                ? "certificate-authority: " + config.getCaCertFile()
                : "certificate-authority-data: " + config.getCaCertData();
        return """
            apiVersion: v1
            kind: Config
            current-context: executor
            contexts: [{name: executor, context: {cluster: here, user: executor}}]
            clusters: [{name: here, cluster: {server: "%s", %s}}]
            users: [{name: executor, user: {token: %s}}]
            """.formatted(config.getMasterUrl(), authority, token);
    }

    public String namespace(String tenant) {
        return bench.namespace() + "-" + tenant;
    }

    public String account(String tenant) {
        return "etcd-rings-" + tenant;
    }

    /// Of the executor, which may do next to nothing by itself.
    public String executor() {
        return kubeconfig.toString();
    }

    /// The admin of a tenant's namespace: whatever is there, and nothing elsewhere.
    KubernetesClient admin(String tenant) throws IOException, InterruptedException {
        kubectl("-n", namespace(tenant), "create", "role", "everything", "--verb=*", "--resource=*.*");
        kubectl("-n", namespace(tenant), "create", "rolebinding", "mallory", "--role=everything", "--user=mallory");
        var config = new ConfigBuilder(bench.kube().getConfiguration())
                .withImpersonateUsername("mallory")
                .build();
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    /// Whether the API server lets the executor do this; `as` is the tenant whose account it is then, or nobody.
    public boolean allows(String as, String namespace, String... what) throws IOException, InterruptedException {
        var words = new ArrayList<>(List.of("kubectl", "--kubeconfig", executor(), "-n", namespace));
        if (!as.isEmpty()) {
            words.addAll(List.of("--as", "system:serviceaccount:" + namespace(as) + ":" + account(as)));
        }
        words.addAll(Arrays.asList(what));
        var process = new ProcessBuilder(words).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        boolean allowed = process.waitFor() == 0;
        TrialFailure.unless(
                allowed || said.toLowerCase(Locale.ROOT).contains("forbidden"),
                words + " was not forbidden, but failed: " + said);
        return allowed;
    }

    String kubectl(String... words) throws IOException, InterruptedException {
        var all = new ArrayList<>(List.of("kubectl"));
        all.addAll(Arrays.asList(words));
        return Command.run(new ProcessBuilder(all).directory(folder.toFile()), "");
    }

    @Override
    public void close() throws IOException, InterruptedException {
        if (!bench.options().keep()) {
            kubectl("delete", "-k", folder.toString(), "--ignore-not-found", "--wait=true");
        }
    }
}
