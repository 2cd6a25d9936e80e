package io.github.etcdgitops.trial.cluster;

import io.github.etcdgitops.it.EtcdProcess;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.Run;
import io.github.etcdgitops.trial.bench.Trial;
import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.change.ResizeTrial;
import io.github.etcdgitops.trial.fault.VolumeLoss;
import io.github.etcdgitops.trial.fence.TenantAccounts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Rings of two tenants by an executor that has next to no rights of its own and impersonates their accounts: founded,
/// grown, upgraded, repaired, shrunk. A tenant's document that points to a third team's namespace is refused by the API
/// server, and the other tenant's ring is reconciled in the same run. Needs a real API server with RBAC.
public final class ImpersonatedTrial implements Trial {
    private static final String RING = "orders";
    private static final String FIRST = "3.4.23";
    private static final String SECOND = "3.5.16";
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final int ENOUGH_RUNS = 8;

    @Override
    public String name() {
        return "impersonated";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        TrialFailure.unless(bench.options().sandbox().isEmpty(), "the trial needs an API server with RBAC");
        try (var accounts = new TenantAccounts(bench, List.of("a", "b", "c"))) {
            bench.git().commit("Two tenants", Map.of("etcd-gitops.yaml", fleet(bench, accounts)));
            var life = new Life(bench, accounts);
            life.bringTo("found", 1, FIRST, figures);
            life.bringTo("grow", 3, FIRST, figures);
            life.bringTo("upgrade", 3, SECOND, figures);
            life.loseVolume("a", figures);
            life.pointElsewhere(figures);
            refusals(accounts, figures);
        }
    }

    private static byte[] fleet(Bench bench, TenantAccounts accounts) {
        return (new String(Bench.fleet(bench.namespace(), ""), StandardCharsets.UTF_8)
                        + """
                          tenants:
                            - {name: a, paths: [clusters/a/], namespaces: [%s, %s], serviceAccount: %s}
                            - {name: b, paths: [clusters/b/], namespaces: [%s], serviceAccount: %s}
                        """.formatted(
                                        accounts.namespace("a"),
                                        accounts.namespace("c"),
                                        accounts.account("a"),
                                        accounts.namespace("b"),
                                        accounts.account("b")))
                .getBytes(StandardCharsets.UTF_8);
    }

    /// Of one ring a tenant, by runs with the executor's token.
    private record Life(Bench bench, TenantAccounts accounts) {
        void bringTo(String what, int size, String version, Figures figures) throws Exception {
            long began = System.nanoTime();
            var files = new TreeMap<String, byte[]>();
            for (String tenant : List.of("a", "b")) {
                files.put(file(tenant, RING), document(tenant, RING, size, version));
            }
            bench.git().commit(what, files);
            figures.put(what + "Runs", converge(size, version));
            figures.put(what + "Seconds", ResizeTrial.seconds(began));
        }

        private static String file(String tenant, String ring) {
            return "clusters/" + tenant + "/" + ring + ".yaml";
        }

        private byte[] document(String tenant, String ring, int size, String version) {
            String text = new String(
                    bench.document(ring, size, version, "repair: {volumes: automatic}\n"), StandardCharsets.UTF_8);
            return text.replace("namespace: " + bench.namespace(), "namespace: " + accounts.namespace(tenant))
                    .getBytes(StandardCharsets.UTF_8);
        }

        private int converge(int size, String version) throws IOException {
            String last = "";
            for (int run = 1; run <= ENOUGH_RUNS; run++) {
                var ran = start();
                int exit = ran.exit();
                last = ran.tail();
                if (exit == 0 && isAtRest("a", size, version) && isAtRest("b", size, version)) {
                    return run;
                }
                TrialFailure.unless(List.of(0, 12, 20, 75).contains(exit), "a run ended with " + exit + ": " + last);
            }
            throw new TrialFailure("the rings did not come to " + size + " of " + version + ": " + last);
        }

        private Run start() throws IOException {
            return bench.tool().start("reconcile", "--kubeconfig", accounts.executor(), "--no-publish");
        }

        private boolean isAtRest(String tenant, int size, String version) {
            var pods = bench.kube()
                    .pods()
                    .inNamespace(accounts.namespace(tenant))
                    .withLabel("etcdgitops.dev/cluster", RING)
                    .list()
                    .getItems();
            return pods.size() == size
                    && pods.stream()
                            .allMatch(p -> p.getStatus().getConditions().stream()
                                    .anyMatch(c -> c.getType().equals("Ready")
                                            && c.getStatus().equals("True")))
                    && pods.stream()
                            .allMatch(p -> p.getSpec().getContainers().stream()
                                    .anyMatch(c -> c.getImage().contains(version)));
        }

        /// The volume of the last member is taken away.
        void loseVolume(String tenant, Figures figures) throws Exception {
            long began = System.nanoTime();
            String namespace = accounts.namespace(tenant);
            var claims = bench.kube().persistentVolumeClaims().inNamespace(namespace);
            String former =
                    claims.withName("data-" + RING + "-2").get().getMetadata().getUid();
            VolumeLoss.deleteVolume(bench.kube(), namespace, "data-" + RING + "-2");
            EtcdProcess.await(
                    "the loss of the claim",
                    PATIENCE,
                    () -> "Lost"
                            .equals(claims.withName("data-" + RING + "-2")
                                    .get()
                                    .getStatus()
                                    .getPhase()));
            bench.kube().pods().inNamespace(namespace).withName(RING + "-2").delete();
            figures.put("repairRuns", converge(3, SECOND));
            TrialFailure.unless(
                    !claims.withName("data-" + RING + "-2")
                            .get()
                            .getMetadata()
                            .getUid()
                            .equals(former),
                    "the lost volume was not replaced");
            figures.put("repairSeconds", ResizeTrial.seconds(began));
        }

        /// The Fleet lets tenant a into the namespace of a third team by mistake: only the API server is in the way.
        void pointElsewhere(Figures figures) throws Exception {
            String stray = new String(document("c", "stray", 1, SECOND), StandardCharsets.UTF_8);
            bench.git()
                    .commit(
                            "A document of tenant a for the namespace of c",
                            Map.of(
                                    file("a", "stray"),
                                    stray.getBytes(StandardCharsets.UTF_8),
                                    file("b", RING),
                                    document("b", RING, 1, SECOND)));
            var ran = start();
            int exit = ran.exit();
            figures.put("foreignNamespaceExits", exit);
            TrialFailure.unless(
                    ran.log()
                            .contains("may not impersonate service account " + accounts.namespace("c") + "/"
                                    + accounts.account("a")),
                    "the API server did not refuse tenant a in the namespace of c: " + ran.tail());
            TrialFailure.unless(
                    bench.kube()
                                    .apps()
                                    .statefulSets()
                                    .inNamespace(accounts.namespace("c"))
                                    .withName("stray")
                                    .get()
                            == null,
                    "tenant a founded a ring in the namespace of c");
            converge("b", 1);
        }

        private void converge(String tenant, int size) throws IOException {
            for (int run = 0; run < ENOUGH_RUNS && !isAtRest(tenant, size, SECOND); run++) {
                start().exit();
            }
            TrialFailure.unless(isAtRest(tenant, size, SECOND), "the other tenant's ring was not reconciled");
        }
    }

    /// What the API server says to the executor, by itself and as each tenant.
    private static void refusals(TenantAccounts accounts, Figures figures) throws Exception {
        String a = accounts.namespace("a");
        String b = accounts.namespace("b");
        var allowed = new LinkedHashMap<String, Boolean>();
        allowed.put("itself reads a Secret of a", accounts.allows("", a, "get", "secrets"));
        allowed.put(
                "itself reads the journal of a by name", accounts.allows("", a, "get", "configmap", RING + "-journal"));
        allowed.put("itself makes a ConfigMap in a", accounts.allows("", a, "create", "configmap", "x"));
        allowed.put("itself deletes a pod of a", accounts.allows("", a, "delete", "pod", RING + "-0"));
        allowed.put("itself makes a namespace", accounts.allows("", a, "create", "namespace", a + "-x"));
        allowed.put("a reads a Secret of its own", accounts.allows("a", a, "get", "secrets"));
        allowed.put("a reads the journal of b", accounts.allows("a", b, "get", "configmap", RING + "-journal"));
        allowed.put("a deletes a pod of b", accounts.allows("a", b, "delete", "pod", RING + "-0"));
        allowed.put("a makes a ConfigMap in b", accounts.allows("a", b, "create", "configmap", "x"));
        allowed.put("a lists pods everywhere", accounts.allows("a", b, "get", "pods", "--all-namespaces"));
        allowed.put("b reads the Lease of a", accounts.allows("b", a, "get", "lease", RING + "-etcd-gitops"));
        figures.put("refused", allowed.size());
        var wrong = new TreeMap<>(allowed);
        wrong.values().removeIf(yes -> !yes);
        TrialFailure.unless(wrong.isEmpty(), "the API server allowed: " + wrong.keySet());
        TrialFailure.unless(
                accounts.allows("a", a, "get", "configmap", RING + "-journal"),
                "tenant a may not read its own ring: nothing was shown");
    }
}
