package io.github.etcdgitops.trial;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Many rings of one member: what a run costs that finds nothing to do. Figures only; nothing is asserted of them but
/// that the number of LISTs is the same for any number of rings.
final class FleetTrial implements Trial {
    private static final int RUNS = 3;

    /// At most: the three ConfigMaps of a ring.
    private static final int OBJECTS_OF_A_KIND = 3;
    private static final int PAGE = 500;
    private static final Pattern CALLS = Pattern.compile("etcd_gitops_api_calls_total\\{(.*)} ([0-9.E]+)");

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
    private static Map<String, Double> cost(Bench bench, int rings, Figures figures) throws Exception {
        var documents = new HashMap<String, byte[]>();
        for (int i = 0; i < rings; i++) {
            String name = String.format("ring-%04d", i);
            documents.put("clusters/" + name + ".yaml", bench.document(name, 1));
        }
        bench.git().commit(rings + " rings", documents);
        long began = System.nanoTime();
        bench.tool().demand(0, "reconcile");
        figures.put(rings + "FoundedSeconds", ResizeTrial.seconds(began));
        bench.tool().demand(0, "plan", "--detailed-exitcode");
        Map<String, Double> calls = Map.of();
        for (int run = 1; run <= RUNS; run++) {
            var file = Files.createTempFile("fleet", ".prom");
            long start = System.nanoTime();
            bench.tool().demand(0, "reconcile", "--metrics-file", file.toString());
            String prefix = rings + "Run" + run;
            figures.put(prefix + "WallMillis", (System.nanoTime() - start) / 1_000_000);
            figures.put(prefix + "CpuSeconds", value(file, "etcd_gitops_process_cpu_seconds"));
            figures.put(
                    prefix + "PeakMebibytes",
                    Math.round(value(file, "etcd_gitops_process_peak_memory_bytes") / (1 << 20)));
            calls = calls(file);
        }
        figures.put(rings + "Calls", calls.toString());
        return calls;
    }

    private static double value(Path file, String name) throws Exception {
        return Files.readAllLines(file).stream()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .findFirst()
                .orElseThrow(() -> new TrialFailure("there is no " + name + " among the metrics"));
    }

    private static Map<String, Double> calls(Path file) throws Exception {
        return Files.readAllLines(file).stream()
                .map(CALLS::matcher)
                .filter(m -> m.matches())
                .collect(Collectors.toMap(m -> m.group(1), m -> Double.parseDouble(m.group(2))));
    }

    private static Map<String, Double> lists(Map<String, Double> calls) {
        return calls.entrySet().stream()
                .filter(e -> e.getKey().contains("verb=\"list\""))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }
}
