package io.github.etcdgitops.trial.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.github.etcdgitops.trial.bench.Bench;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.function.Function;

/// What one tenant can put into a shared cluster and a shared repository: how much of it, and how to make it.
record Junk(int configMaps, int largeConfigMaps, int blobMebibytes, int keys, int documents) {
    static final Junk WHOLE = new Junk(10_000, 150, 300, 1_000_000, 20_000);
    static final Junk QUICK = new Junk(2000, 20, 60, 600_000, 2000);

    private static final int MEBIBYTE = 1 << 20;

    /// What the API server takes at most, less the name of the key.
    private static final int LARGEST_DATA = MEBIBYTE - 64;
    private static final int AT_ONCE = 16;
    private static final int KINDS = 20;

    /// Makes ConfigMaps with our labels, each of a ring of its own that no document is about; the first large one is
    /// the journal of `ring`.
    List<ConfigMap> fill(Bench bench, String namespace, String ring) throws Exception {
        var made = new ArrayList<ConfigMap>();
        bench.kube()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .endMetadata()
                        .build())
                .create();
        String text = "x".repeat(LARGEST_DATA);
        for (int i = 0; i < largeConfigMaps; i++) {
            String name = i == 0 ? ring : "large-" + i;
            made.add(configMap(namespace, name + "-journal", name, text));
        }
        for (int i = 0; i < configMaps; i++) {
            made.add(configMap(namespace, "junk-" + i, "junk-" + i, "junk"));
        }
        manyAtOnce(made, object -> bench.kube().resource(object).create());
        return made;
    }

    /// Deletes what [#fill] has made, one by one: a list of it does not fit into the trial's own memory. Deleting the
    /// namespace alone would leave it to a controller for as long as the next trial runs.
    static void clear(Bench bench, List<ConfigMap> made) throws Exception {
        manyAtOnce(
                made,
                object -> bench.kube()
                        .configMaps()
                        .inNamespace(object.getMetadata().getNamespace())
                        .withName(object.getMetadata().getName())
                        .delete());
    }

    private static void manyAtOnce(List<ConfigMap> objects, Function<ConfigMap, Object> work) throws Exception {
        try (var workers = Executors.newFixedThreadPool(AT_ONCE)) {
            for (var done : workers.invokeAll(objects.stream()
                    .<Callable<Object>>map(object -> () -> work.apply(object))
                    .toList())) {
                done.get();
            }
        }
    }

    private static ConfigMap configMap(String namespace, String name, String ring, String text) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .withLabels(Map.of("app.kubernetes.io/managed-by", "etcd-gitops", "etcdgitops.dev/cluster", ring))
                .endMetadata()
                .withData(Map.of("text", text))
                .build();
    }

    /// A blob that does not compress: as a file that is no document, and as one that is named like one.
    void blob(Path work) throws IOException {
        Path folder = Files.createDirectories(work.resolve("clusters/junk"));
        var random = new Random(1);
        byte[] piece = new byte[MEBIBYTE];
        try (var out = Files.newOutputStream(folder.resolve("dump.bin"))) {
            for (int i = 0; i < blobMebibytes; i++) {
                random.nextBytes(piece);
                out.write(piece);
            }
        }
        Files.copy(folder.resolve("dump.bin"), folder.resolve("dump.yaml"));
    }

    /// Documents that nothing is to be done for: approvals of operations that there are no longer, and of each twenty
    /// one ring that is suspended and one whose document is wrong.
    Map<String, byte[]> documents(Bench bench) {
        var files = new TreeMap<String, byte[]>();
        for (int i = 0; i < documents; i++) {
            String name = "idle-%05d".formatted(i);
            switch (i % KINDS) {
                case 0 -> files.put(ring(name), suspended(bench, name));
                case 1 -> files.put(ring(name), bench.document(name, -1));
                default -> files.put("approvals/" + name + ".yaml", approval(bench, name));
            }
        }
        return files;
    }

    private static String ring(String name) {
        return "clusters/junk/" + name + ".yaml";
    }

    private static byte[] suspended(Bench bench, String name) {
        return (new String(bench.document(name, 1), UTF_8) + "  suspend: {by: trial, reason: one of many}\n")
                .getBytes(UTF_8);
    }

    private static byte[] approval(Bench bench, String name) {
        return """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: Approval
            metadata: {name: %s}
            spec:
              cluster: {namespace: %s, name: good}
              operations: ["cca61c2d65b8168b"]
              approvedBy: trial
              reason: one of many
              expires: "2100-01-01T00:00:00Z"
            """.formatted(name, bench.namespace()).getBytes(UTF_8);
    }
}
