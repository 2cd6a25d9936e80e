package io.github.etcdgitops.trial.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.Tool;
import io.github.etcdgitops.trial.bench.Trial;
import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.change.ResizeTrial;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// Much more of everything than a fleet has, made by one tenant: the run stays below the memory that its pod has, says
/// what it met, and serves the ring of somebody else.
public final class JunkTrial implements Trial {
    private static final String GOOD = "good";
    private static final String SWAMPED = "swamped";
    private static final String CONNECTION = GOOD + "-connection";
    private static final String CREDENTIALS = "junk";

    /// A ring could not be read; that weighs more than documents that are wrong.
    private static final int UNREAD = 75;

    /// What the pod of the CronJob has.
    private static final long MEMORY = 512L << 20;

    /// Half of it is the heap there, and memory that is used up ends the run.
    private static final String AS_IN_THE_IMAGE = "-Xmx256m -XX:-UsePerfData -XX:+ExitOnOutOfMemoryError";

    @Override
    public String name() {
        return "junk";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        var junk = bench.options().quick() ? Junk.QUICK : Junk.WHOLE;
        String namespace = bench.namespace() + "-junk";
        bench.alsoUses(namespace);
        bench.bringTo(GOOD, 1);
        List<ConfigMap> made = List.of();
        try (var bucket = new EndlessBucket(junk.keys())) {
            long began = System.nanoTime();
            made = junk.fill(bench, namespace, SWAMPED);
            commit(bench, junk, namespace, bucket);
            figures.put("fillingSeconds", ResizeTrial.seconds(began));
            withstand(bench, bucket, figures);
        } finally {
            Junk.clear(bench, made);
        }
    }

    private static void commit(Bench bench, Junk junk, String namespace, EndlessBucket bucket) throws Exception {
        Path set = Files.createDirectories(bench.folder().resolve("credentials/" + CREDENTIALS));
        Files.writeString(set.resolve("access-key-id"), "AKID");
        Files.writeString(set.resolve("secret-access-key"), "secret");
        Files.writeString(set.resolve("places"), "s3://junk/ endpoint=" + bucket.endpoint() + "\n");
        bench.tool()
                .environment(
                        "ETCD_GITOPS_CREDENTIALS_DIR",
                        set.toAbsolutePath().getParent().toString());
        var documents = junk.documents(bench);
        documents.put(
                "clusters/swamped.yaml",
                new String(bench.document(SWAMPED, 1), UTF_8)
                        .replace("namespace: " + bench.namespace(), "namespace: " + namespace)
                        .getBytes(UTF_8));
        documents.put("policies/endless.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: BackupPolicy
            metadata: {name: endless}
            spec:
              clusters: {namespaces: [%s]}
              every: 24h
              destination:
                s3: {bucket: junk, endpoint: "%s", pathStyle: true, credentialsRef: {name: %s}}
            """.formatted(bench.namespace(), bucket.endpoint(), CREDENTIALS)
                .getBytes(UTF_8));
        junk.blob(bench.git().work());
        bench.git().commit("Junk", documents);
    }

    private static void withstand(Bench bench, EndlessBucket bucket, Figures figures) throws Exception {
        var connection =
                bench.kube().configMaps().inNamespace(bench.namespace()).withName(CONNECTION);
        connection.delete();
        long began = System.nanoTime();
        var run = bench.tool().start(Map.of("ETCD_GITOPS_JAVA_OPTS", AS_IN_THE_IMAGE), "reconcile");
        int exit = run.exit();
        figures.put("exit", exit);
        figures.put("runSeconds", ResizeTrial.seconds(began));
        figures.put("keysListed", bucket.listed());
        TrialFailure.unless(exit == UNREAD, "the run ended with " + exit + ": " + run.tail());
        double peak = Tool.metrics(run).value("etcd_gitops_process_peak_memory_bytes");
        figures.put("peakMebibytes", Math.round(peak / (1 << 20)));
        TrialFailure.unless(peak < MEMORY, "the run took " + (long) peak + " bytes of memory");
        TrialFailure.unless(connection.get() != null, "the good ring was not reconciled: " + run.tail());
        demandReported(bench);
    }

    /// Each kind of junk by its name.
    private static void demandReported(Bench bench) throws Exception {
        String report = bench.git().ask("show", "etcd-gitops/reports/" + bench.namespace() + ":latest/plan.json");
        for (String word : List.of(
                "more rings without a document",
                SWAMPED + "-journal: the answer has more than",
                "listing s3://junk/",
                "clusters/junk/dump.yaml",
                "clusters/junk/dump.bin",
                "clusters/junk/idle-00001.yaml")) {
            TrialFailure.unless(report.contains(word), "the report does not say \"" + word + "\"");
        }
    }
}
