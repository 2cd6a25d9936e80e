package io.github.etcdgitops.trial;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/// Three processes share a run over 54 rings of one member and 6 of three, in six namespaces: every ring is founded by
/// exactly one of them, and one report tells of all.
final class ShardsTrial implements Trial {
    private static final int SHARDS = 3;
    private static final int NAMESPACES = 6;
    private static final int ONES = 9;

    @Override
    public String name() {
        return "shards";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        for (int n = 0; n < NAMESPACES; n++) {
            bench.alsoUses(namespace(bench, n));
        }
        bench.git().commit("Sixty rings", documents(bench));
        String branch = "etcd-gitops/reports/" + bench.namespace();
        long began = System.nanoTime();
        var runs = shared(bench, "first-1001");
        figures.put("sharedSeconds", ResizeTrial.seconds(began));
        figures.put("exits", runs.stream().map(Run::exit).toList());
        var weights = weights(runs);
        figures.put("weights", weights);
        TrialFailure.unless(
                runs.stream().allMatch(r -> r.exit() == 0),
                "a shard failed: " + runs.getFirst().tail());
        TrialFailure.unless(
                weights.values().stream().mapToInt(w -> w).sum() == NAMESPACES * (ONES + 3),
                "not every ring was founded once: " + weights);
        int heaviest = weights.values().stream().mapToInt(w -> w).max().orElseThrow();
        int lightest = weights.values().stream().mapToInt(w -> w).min().orElseThrow();
        TrialFailure.unless((heaviest - lightest) * 10 <= heaviest, "the weights differ by more than a tenth");
        var subjects = bench.git().ask("log", "--format=%s", branch).lines().toList();
        figures.put("commits", subjects);
        TrialFailure.unless(
                subjects.stream().filter(s -> s.startsWith("Run: ")).toList().equals(List.of("Run: 60 done")),
                "not one report of sixty rings: " + subjects);
        bench.tool().demand(0, "plan", "--detailed-exitcode");
        shared(bench, "second-1002");
        TrialFailure.unless(
                bench.git().ask("rev-list", "--count", branch).equals(String.valueOf(subjects.size())),
                "a run with nothing to do made a commit");
    }

    private static String namespace(Bench bench, int number) {
        return bench.namespace() + "-" + number;
    }

    private static Map<String, byte[]> documents(Bench bench) {
        var documents = new HashMap<String, byte[]>();
        for (int n = 0; n < NAMESPACES; n++) {
            for (int i = 0; i <= ONES; i++) {
                String name = i == ONES ? "three" : "one-" + i;
                String text = new String(bench.document(name, i == ONES ? 3 : 1), StandardCharsets.UTF_8)
                        .replace("namespace: " + bench.namespace(), "namespace: " + namespace(bench, n));
                documents.put("clusters/" + n + "/" + name + ".yaml", text.getBytes(StandardCharsets.UTF_8));
            }
        }
        return documents;
    }

    /// All at once, and to their end.
    private static List<Run> shared(Bench bench, String runId) throws Exception {
        var runs = new ArrayList<Run>();
        for (int shard = 0; shard < SHARDS; shard++) {
            runs.add(bench.tool()
                    .start(
                            "reconcile",
                            "--shard",
                            shard + "/" + SHARDS,
                            "--run-id",
                            runId,
                            "--reconciler-namespace",
                            "default",
                            "-o",
                            "json"));
        }
        runs.forEach(Run::exit);
        return runs;
    }

    /// Members founded, by shard: a ring that two of them founded would count twice.
    private static Map<Integer, Integer> weights(List<Run> runs) throws Exception {
        var weights = new TreeMap<Integer, Integer>();
        for (int shard : IntStream.range(0, runs.size()).toArray()) {
            int weight = 0;
            for (JsonNode ring :
                    new ObjectMapper().readTree(runs.get(shard).stdout()).path("clusters")) {
                boolean done = ring.path("outcome").asText().equals("done");
                weight += !done ? 0 : ring.path("id").asText().endsWith("/three") ? 3 : 1;
            }
            weights.put(shard, weight);
        }
        return weights;
    }
}
