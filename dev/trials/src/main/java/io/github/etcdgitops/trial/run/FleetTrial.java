package io.github.etcdgitops.trial.run;

import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.Tool;
import io.github.etcdgitops.trial.bench.Trial;
import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.change.ResizeTrial;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;

/// Many rings of one member: what a run costs that finds nothing to do. Figures only; nothing is asserted of them but
/// that the number of LISTs is the same for any number of rings.
public final class FleetTrial implements Trial {
    private static final int RUNS = 3;

    /// At most: the three ConfigMaps of a ring.
    private static final int OBJECTS_OF_A_KIND = 3;
    private static final int PAGE = 500;

    @Override
    public String name() {
        return "fleet";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        int rings = bench.options().rings();
        figures.put("rings", rings);
        var before = lists(cost(bench, 1, figures));
        var after = lists(cost(bench, rings, figures));
        int pages = 1 + rings * OBJECTS_OF_A_KIND / PAGE;
        TrialFailure.unless(
                before.keySet().equals(after.keySet())
                        && after.keySet().stream().allMatch(kind -> after.get(kind) <= before.get(kind) * pages),
                "more rings took more LISTs: " + before + ", " + after);
    }

    /// Founds so many rings, and returns the requests of a run that finds nothing to do.
    private static Map<String, Long> cost(Bench bench, int rings, Figures figures) throws Exception {
        var documents = new HashMap<String, byte[]>();
        for (int i = 0; i < rings; i++) {
            String name = String.format("ring-%04d", i);
            documents.put("clusters/" + name + ".yaml", bench.document(name, 1));
        }
        bench.git().commit(rings + " rings", documents);
        long began = System.nanoTime();
        bench.tool().demand(0, "reconcile");
        figures.put(rings + "FoundedSeconds", ResizeTrial.seconds(began));
        return idle(bench, String.valueOf(rings), figures);
    }

    /// What runs cost that find nothing to do; returns the requests of one.
    static Map<String, Long> idle(Bench bench, String name, Figures figures) throws Exception {
        bench.demandNothingToDo();
        Map<String, Long> calls = Map.of();
        for (int run = 1; run <= RUNS; run++) {
            long start = System.nanoTime();
            var metrics = Tool.metrics(bench.tool().demand(0, "reconcile"));
            String prefix = name + "Run" + run;
            figures.put(prefix + "WallMillis", (System.nanoTime() - start) / 1_000_000);
            figures.put(prefix + "CpuSeconds", metrics.value("etcd_gitops_process_cpu_seconds"));
            figures.put(
                    prefix + "PeakMebibytes",
                    Math.round(metrics.value("etcd_gitops_process_peak_memory_bytes") / (1 << 20)));
            calls = metrics.apiCalls();
        }
        figures.put(name + "Calls", calls.toString());
        return calls;
    }

    private static Map<String, Long> lists(Map<String, Long> calls) {
        return calls.entrySet().stream()
                .filter(e -> e.getKey().startsWith("list "))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }
}
