package io.github.etcdgitops.trial.speed;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.zip.GZIPOutputStream;

/// The processes of one sharded run with nothing to do. Each is measured while no other one works, as if it had a
/// machine of its own.
record ShardedRun(String title, int shards, int followers, Map<String, String> environment) {
    private static final String RUN = "1";
    private static final String BOARD = "/api/v1/namespaces/etcd-gitops/configmaps/";

    /// Process 0 waits for nobody: all others have ended, before it begins. Its first run writes the report, and
    /// leaves the plan for those that follow.
    void measure(StandInFleet api, MemberProcesses etcd) throws IOException, InterruptedException {
        for (int shard = 1; shard < shards; shard++) {
            String name = "etcd-gitops-shard-bench-" + shard;
            api.store(BOARD + name, ended(name));
        }
        shown("the first run of process 0", 0, api, etcd);
        var leader = shown("process 0", 0, api, etcd);
        var others = new ArrayList<Cost>();
        for (int shard = 1; shard <= followers; shard++) {
            others.add(shown("process " + shard, shard, api, etcd));
        }
        print(leader, others);
    }

    /// What a process that had nothing to do leaves for process 0.
    private static String ended(String name) throws IOException {
        var packed = new ByteArrayOutputStream();
        try (var packing = new GZIPOutputStream(packed)) {
            packing.write("{\"word\":\"ended\",\"rings\":[]}".getBytes(StandardCharsets.US_ASCII));
        }
        return """
            {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"%s","namespace":"etcd-gitops"},
            "data":{"run":"%s"},"binaryData":{"text":"%s"}}\
            """.formatted(name, RUN, Base64.getEncoder().encodeToString(packed.toByteArray()));
    }

    private Cost shown(String name, int shard, StandInFleet api, MemberProcesses etcd)
            throws IOException, InterruptedException {
        var cost = Measuring.tool(
                        title + ", " + name,
                        environment,
                        "reconcile",
                        "--member-access",
                        "pod-ip",
                        "--shard",
                        shard + "/" + shards,
                        "--run-id",
                        RUN)
                .run();
        System.err.printf(
                "benchmarks: %s %s requests %s, %d bytes; %d calls of members%n",
                title, line(name, cost), api.requests(), api.bytes(), etcd.calls());
        return cost;
    }

    private void print(Cost leader, List<Cost> others) {
        System.out.printf(
                "%n%s, %d processes, one after the other%n%n| process | wall | processor | memory |%n"
                        + "| --- | --- | --- | --- |%n%s%n",
                title, shards, line("0, which plans for all", leader));
        others.stream()
                .max(Comparator.comparingDouble(Cost::wall))
                .ifPresent(slowest -> System.out.println(line("the slowest of " + others.size() + " others", slowest)));
        if (others.size() == shards - 1) {
            System.out.println(line(
                    "sum, and the largest memory",
                    new Cost(
                            leader.wall() + sum(others, Cost::wall),
                            leader.processor() + sum(others, Cost::processor),
                            others.stream().mapToDouble(Cost::memory).reduce(leader.memory(), Math::max))));
        }
    }

    private static double sum(List<Cost> costs, ToDoubleFunction<Cost> figure) {
        return costs.stream().mapToDouble(figure).sum();
    }

    private static String line(String process, Cost cost) {
        return String.format(
                Locale.ROOT,
                "| %s | %.2f s | %.2f s | %.0f MiB |",
                process,
                cost.wall(),
                cost.processor(),
                cost.memory());
    }
}
