package io.github.etcdgitops.trial.cluster;

import com.sun.net.httpserver.HttpServer;
import io.github.etcdgitops.it.EtcdProcess;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.Trial;
import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.change.ResizeTrial;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// The other ways of installing it, as far as a ring of three: a Deployment that keeps the schedule itself, and rights
/// in the rings' namespaces alone; and a run that pushes its metrics. Needs what the trial `deployed` needs.
public final class OverlaysTrial implements Trial {
    private static final String RING = "overlaid";
    private static final Duration END = Duration.ofMinutes(5);

    @Override
    public String name() {
        return "overlays";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        try (var deployment = new Deployment(bench)) {
            served(bench, deployment, figures);
        }
        try (var deployment = new Deployment(bench)) {
            namespaced(bench, deployment, figures);
            pushed(bench, deployment, figures);
        }
    }

    private static void served(Bench bench, Deployment deployment, Figures figures) throws Exception {
        bench.ring(RING, 1);
        deployment.install("overlays/serve");
        deployment.kubectl(
                "-n",
                Deployment.NAMESPACE,
                "patch",
                "deployment",
                "etcd-gitops",
                "--type=json",
                "-p",
                "[{\"op\": \"replace\", \"path\": \"/spec/template/spec/containers/0/args/1\","
                        + " \"value\": \"--schedule=* * * * *\"}]");
        deployment.kubectl("-n", Deployment.NAMESPACE, "rollout", "status", "deployment/etcd-gitops", "--timeout=4m");
        long began = System.nanoTime();
        EtcdProcess.await("the ring of the Deployment", END, () -> bench.isAtRest(RING, 1));
        bench.ring(RING, 3);
        EtcdProcess.await("three members", END, () -> bench.isAtRest(RING, 3));
        figures.put("servedSeconds", ResizeTrial.seconds(began));
        deployment.kubectl("-n", Deployment.NAMESPACE, "delete", "pod", "-l", "app.kubernetes.io/name=etcd-gitops");
        deployment.kubectl("-n", Deployment.NAMESPACE, "rollout", "status", "deployment/etcd-gitops", "--timeout=4m");
        bench.ring(RING, 1);
        EtcdProcess.await("one member, by the next pod", END, () -> bench.isAtRest(RING, 1));
    }

    private static void namespaced(Bench bench, Deployment deployment, Figures figures) throws Exception {
        deployment.installNamespaced();
        bench.ring(RING, 3);
        var run = deployment.start("namespaced");
        int exit = run.exit();
        figures.put("namespacedExits", exit);
        TrialFailure.unless(exit == 0 && bench.isAtRest(RING, 3), "it did not bring up three: " + run.tail());
    }

    private static void pushed(Bench bench, Deployment deployment, Figures figures) throws Exception {
        var address = deployment.addressOfThisMachine();
        List<String> pushes = new CopyOnWriteArrayList<>();
        var gateway = HttpServer.create(new InetSocketAddress(address, 0), 0);
        gateway.createContext("/", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            pushes.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + "\n" + body);
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        gateway.start();
        try {
            deployment.install(
                    Deployment.manifests("base"),
                    "pushgateway=http://" + address + ":" + gateway.getAddress().getPort() + "\n");
            var run = deployment.start("pushed");
            int exit = run.exit();
            figures.put(
                    "pushes",
                    pushes.stream().map(p -> p.lines().findFirst().orElse("")).toList());
            TrialFailure.unless(exit == 0, "the run ended with " + exit + ": " + run.tail());
            TrialFailure.unless(
                    pushes.size() == 1
                            && pushes.getFirst()
                                    .startsWith("PUT /metrics/job/etcd-gitops/environment/" + bench.namespace())
                            && pushes.getFirst().contains("etcd_gitops_last_look_timestamp_seconds"),
                    "what was pushed is not one set of metrics: " + pushes);
        } finally {
            gateway.stop(0);
        }
    }
}
