package io.github.etcdgitops.trial.change;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.github.etcdgitops.it.EtcdProcess;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.LiveRing;
import io.github.etcdgitops.trial.bench.Members;
import io.github.etcdgitops.trial.bench.Trial;
import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.bench.Work;
import io.github.etcdgitops.trial.watch.RingWatch;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// A StatefulSet of plain etcd pods that nobody of us has made, with flags in its args and a claim
/// template and a headless Service of its own, is taken over under a client: its document is printed,
/// nothing of it is another one, no pod is restarted before it is ours, no write is lost. Then it grows
/// and is upgraded like any other.
public final class AdoptTrial implements Trial {
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    @Override
    public String name() {
        return "adopt";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        String ring = "legacy";
        String version = bench.options().version();
        found(bench, ring, version);
        var load = bench.load(ring);
        try (var watch = new RingWatch(bench, ring, true)) {
            String document =
                    bench.tool().bare("adopt", bench.namespace() + "/" + ring).stdout();
            bench.git().commit("take over " + ring, Map.of("clusters/" + ring + ".yaml", bytes(document)));
            proven(bench);
            var before = uids(bench, ring);
            cut(bench, ring, figures);
            TrialFailure.unlessSame("the pods that were taken over", before, uids(bench, ring));
            // What was begun ends in a run of its own.
            bench.converge(ring, 3);
            bench.tool().demand(0, "reconcile");
            figures.put("converted", demandOurs(bench, ring, before));
            later(bench, ring, document);
            watch.demand(figures, "adopt.");
        } finally {
            Bench.demand(load.stop(), figures, "adopt.");
        }
        bench.demandNothingToDo();
        TrialFailure.unlessSame("the members", 5, LiveRing.demandAlike(bench, ring));
        TrialFailure.unless(
                new Members(bench, ring)
                        .versions().stream().allMatch(bench.options().newest()::equals),
                "not every member is upgraded");
        bench.git().remove("clusters/" + ring + ".yaml");
        bench.erase(ring);
    }

    private static void proven(Bench bench) throws Exception {
        var plan = bench.tool().planned();
        UpgradesTrial.said(plan, "/spec/etcd/snapshotCount is 20000, the same as in the running ring");
        UpgradesTrial.said(plan, "with its data in default.etcd of the claim datadir-legacy-2");
        TrialFailure.unless(
                !plan.stdout().contains("and the running ring has")
                        && !plan.stdout().contains("error:"),
                "the printed document is not what runs: " + plan.tail());
    }

    /// A run that is killed when the ring is ours, and no member was restarted yet.
    private static void cut(Bench bench, String ring, Figures figures) throws Exception {
        var run = bench.tool().start("reconcile");
        TrialFailure.unless(run.awaitStep(Work.step("RecreateStatefulSet")), "it was not taken over: " + run.tail());
        run.kill();
        figures.put("takenOver", run.steps().size());
        var set = bench.kube()
                .apps()
                .statefulSets()
                .inNamespace(bench.namespace())
                .withName(ring)
                .get();
        TrialFailure.unless(
                "etcd-gitops".equals(set.getMetadata().getLabels().get("app.kubernetes.io/managed-by")),
                "the StatefulSet is not ours");
    }

    private static List<String> demandOurs(Bench bench, String ring, Map<String, String> before) {
        var urls = LiveRing.peerUrls(bench, ring);
        TrialFailure.unless(
                urls.stream().allMatch(url -> url.contains("." + ring + "-peer.")),
                "peer URLs of before are left: " + urls);
        TrialFailure.unless(
                uids(bench, ring).values().stream().noneMatch(before::containsValue), "a pod of before is left");
        TrialFailure.unlessSame("the members", 3, LiveRing.demandAlike(bench, ring));
        return List.copyOf(urls);
    }

    private static void later(Bench bench, String ring, String document) throws Exception {
        String larger = document.replace("size: 3", "size: 5");
        bench.git().commit(ring + " grows", Map.of("clusters/" + ring + ".yaml", bytes(larger)));
        bench.converge(ring, 5);
        String newer = larger.replace(bench.options().version(), bench.options().newest());
        if (newer.equals(larger)) {
            return;
        }
        bench.git().commit(ring + " is upgraded", Map.of("clusters/" + ring + ".yaml", bytes(newer)));
        bench.tool().demand(0, "reconcile");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static Map<String, String> uids(Bench bench, String ring) {
        return bench.kube().pods().inNamespace(bench.namespace()).withLabel("app", ring).list().getItems().stream()
                .collect(Collectors.toMap(
                        pod -> pod.getMetadata().getName(),
                        pod -> pod.getMetadata().getUid(),
                        (a, _) -> a,
                        TreeMap::new));
    }

    private static void found(Bench bench, String ring, String version) {
        bench.kube()
                .namespaces()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(bench.namespace())
                        .endMetadata()
                        .build())
                .create();
        bench.kube()
                .load(new ByteArrayInputStream(bytes(manifest(ring, bench.namespace(), version))))
                .inNamespace(bench.namespace())
                .create();
        EtcdProcess.await("the ring that is not ours", PATIENCE, () -> {
            var set = bench.kube()
                    .apps()
                    .statefulSets()
                    .inNamespace(bench.namespace())
                    .withName(ring)
                    .get();
            return set.getStatus() != null
                    && Integer.valueOf(3).equals(set.getStatus().getReadyReplicas());
        });
    }

    /// As somebody writes it who has read etcd's own guide.
    public static String manifest(String ring, String namespace, String version) {
        String cluster = IntStream.range(0, 3)
                .mapToObj(o -> "RING-" + o + "=http://RING-" + o + ".RING.NAMESPACE.svc.cluster.local:2380")
                .collect(Collectors.joining(","));
        return """
            apiVersion: v1
            kind: Service
            metadata: {name: RING, labels: {app: RING}}
            spec:
              clusterIP: None
              publishNotReadyAddresses: true
              selector: {app: RING}
              ports: [{name: client, port: 2379}, {name: peer, port: 2380}]
            ---
            apiVersion: apps/v1
            kind: StatefulSet
            metadata: {name: RING, labels: {app: RING}}
            spec:
              serviceName: RING
              replicas: 3
              podManagementPolicy: Parallel
              selector: {matchLabels: {app: RING}}
              template:
                metadata: {labels: {app: RING}}
                spec:
                  securityContext: {runAsUser: 65532, runAsGroup: 65532, fsGroup: 65532}
                  containers:
                    - name: etcd
                      image: gcr.io/etcd-development/etcd:vVERSION
                      command: [/usr/local/bin/etcd]
                      args:
                        - --name=$(POD_NAME)
                        - --data-dir=/var/run/etcd/default.etcd
                        - --listen-peer-urls=http://0.0.0.0:2380
                        - --listen-client-urls=http://0.0.0.0:2379
                        - --advertise-client-urls=http://$(POD_NAME).RING.NAMESPACE.svc.cluster.local:2379
                        - --initial-advertise-peer-urls=http://$(POD_NAME).RING.NAMESPACE.svc.cluster.local:2380
                        - --initial-cluster-token=legacy
                        - --initial-cluster-state=new
                        - --initial-cluster=CLUSTER
                        - --snapshot-count=20000
                        - --auto-compaction-mode=periodic
                        - --auto-compaction-retention=8h
                      env:
                        - name: POD_NAME
                          valueFrom: {fieldRef: {fieldPath: metadata.name}}
                      ports: [{name: client, containerPort: 2379}, {name: peer, containerPort: 2380}]
                      readinessProbe:
                        httpGet: {path: /health, port: 2379}
                        periodSeconds: 2
                      resources: {requests: {cpu: 10m, memory: 64Mi}, limits: {memory: 512Mi}}
                      volumeMounts: [{name: datadir, mountPath: /var/run/etcd}]
              volumeClaimTemplates:
                - metadata: {name: datadir}
                  spec:
                    accessModes: [ReadWriteOnce]
                    resources: {requests: {storage: 1Gi}}
            """.replace("CLUSTER", cluster)
                .replace("RING", ring)
                .replace("NAMESPACE", namespace)
                .replace("VERSION", version);
    }
}
