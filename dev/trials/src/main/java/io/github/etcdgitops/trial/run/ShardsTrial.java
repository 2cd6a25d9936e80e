package io.github.etcdgitops.trial.run;

import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.Trial;
import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.bench.Work;
import io.github.etcdgitops.trial.change.ResizeTrial;
import io.github.etcdgitops.trial.cluster.Deployment;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Three processes share a run over 54 rings of one member and 6 of three, in six namespaces: every ring is founded by
/// exactly one of them, and one report tells of all.
public final class ShardsTrial implements Trial {
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
        if (bench.options().image().isEmpty()) {
            shared(bench, figures, (shard, run) -> process(bench, shard, run));
            return;
        }
        try (var deployment = new Deployment(bench)) {
            deployment.install("overlays/sharded-1.25");
            shared(bench, figures, (shard, run) -> {
                String cronJob = "etcd-gitops-" + shard;
                return deployment.start(cronJob, cronJob + "-" + run, _ -> {});
            });
        }
    }

    /// Starts one process of a run.
    private interface Start {
        Work start(int shard, String run) throws Exception;
    }

    private static Work process(Bench bench, int shard, String run) throws IOException {
        String[] more = {"--shard", shard + "/" + SHARDS, "--run-id", run, "--reconciler-namespace", "default"};
        return bench.tool().start("reconcile", more);
    }

    private static void shared(Bench bench, Figures figures, Start start) throws Exception {
        long began = System.nanoTime();
        var runs = all(start, "1001");
        figures.put("sharedSeconds", ResizeTrial.seconds(began));
        figures.put("exits", runs.stream().map(Work::exit).toList());
        TrialFailure.unless(
                runs.stream().allMatch(r -> r.exit() == 0),
                "a shard failed: " + runs.getFirst().tail());
        everyRingOnce(runs, figures);
        String branch = "etcd-gitops/reports/" + bench.namespace();
        var subjects = bench.git().ask("log", "--format=%s", branch).lines().toList();
        figures.put("commits", subjects);
        TrialFailure.unless(
                subjects.stream().filter(s -> s.startsWith("Run: ")).toList().equals(List.of("Run: 60 done")),
                "not one report of sixty rings: " + subjects);
        FleetTrial.idle(bench, "60", figures);
        var again = all(start, "1002").stream().map(Work::exit).toList();
        TrialFailure.unless(again.stream().allMatch(exit -> exit == 0), "the second run ended with " + again);
        TrialFailure.unless(
                bench.git().ask("rev-list", "--count", branch).equals(String.valueOf(subjects.size())),
                "a run with nothing to do made a commit");
    }

    private static void everyRingOnce(List<Work> runs, Figures figures) {
        var rings = runs.stream().map(ShardsTrial::rings).toList();
        var weights = rings.stream()
                .map(names -> names.stream()
                        .mapToInt(n -> n.endsWith("/three") ? 3 : 1)
                        .sum())
                .toList();
        figures.put("weights", weights);
        var different = new TreeSet<String>();
        rings.forEach(different::addAll);
        TrialFailure.unless(
                different.size() == NAMESPACES * (ONES + 1)
                        && rings.stream().mapToInt(Set::size).sum() == different.size(),
                "not every ring was founded by one of them: " + rings);
        int heaviest = Collections.max(weights);
        TrialFailure.unless(
                (heaviest - Collections.min(weights)) * 10 <= heaviest, "the weights differ by more than a tenth");
    }

    /// Those that a run did something to.
    private static Set<String> rings(Work run) {
        return run.steps().stream().map(step -> step.path("ring").asText()).collect(Collectors.toSet());
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
    private static List<Work> all(Start start, String run) throws Exception {
        var runs = new ArrayList<Work>();
        for (int shard = 0; shard < SHARDS; shard++) {
            runs.add(start.start(shard, run));
        }
        runs.forEach(Work::exit);
        return runs;
    }
}
