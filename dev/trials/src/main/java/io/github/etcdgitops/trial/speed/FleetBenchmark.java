package io.github.etcdgitops.trial.speed;

import io.github.etcdgitops.trial.speed.StandInMembers.Faults;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// What a run with nothing to do costs over a whole fleet: a real ring in a sandbox is the pattern, and stand-ins
/// for the API server and for all members answer for as many copies as wanted.
@Command(
        name = "fleet",
        mixinStandardHelpOptions = true,
        description = "A run with nothing to do over many rings, beside validate of the same documents. API server and"
                + " members are stand-ins on this machine; their processor time is not counted, but they share the"
                + " machine.")
final class FleetBenchmark implements Callable<Integer> {
    @Mixin
    private final Measuring measuring = new Measuring();

    @Option(
            names = "--rings",
            split = ",",
            defaultValue = "1,100,1000",
            description = "How many rings (${DEFAULT-VALUE}).")
    private List<Integer> rings = List.of();

    @Option(names = "--members", defaultValue = "3", description = "Members of each ring (${DEFAULT-VALUE}).")
    private int members;

    @Option(names = "--one-slow-of", defaultValue = "0", description = "One member of so many answers late; 0: none.")
    private int oneSlowOf;

    @Option(names = "--slow-millis", defaultValue = "500", description = "How late (${DEFAULT-VALUE}).")
    private int slowMillis;

    @Option(
            names = "--one-dead-of",
            defaultValue = "0",
            description =
                    "One member of so many never answers; 0: none. Then a plan is measured, and nothing is carried"
                            + " out.")
    private int oneDeadOf;

    @Option(
            names = "--changes",
            defaultValue = "0",
            description = "So many rings have a document that asks for two more members; then a plan is measured, and"
                    + " nothing is carried out (${DEFAULT-VALUE}).")
    private int changes;

    @Option(names = "--tls", description = "All rings have TLS between members and towards clients.")
    private boolean tls;

    @Option(
            names = "--shards",
            paramLabel = "N",
            defaultValue = "0",
            description = "Measures the N processes of a sharded run instead, one after the other; 0: none. Rounds and"
                    + " record do not apply.")
    private int shards;

    @Option(
            names = "--followers",
            paramLabel = "COUNT",
            defaultValue = "999",
            description =
                    "With --shards: how many of the processes that follow process 0 are measured. All by default.")
    private int followers;

    @Option(names = "--heap", paramLabel = "SIZE", description = "The heap of etcd-gitops, such as 2g.")
    private Optional<String> heap = Optional.empty();

    @Override
    public Integer call() throws IOException, InterruptedException {
        var table = measuring.table();
        try (var folder = new Scratch()) {
            var pattern = RingInSandbox.pattern(folder.path(), members, tls);
            var authority = tls ? Optional.of(folder.path()) : Optional.<Path>empty();
            for (int count : rings) {
                measure(table, pattern, count, authority);
            }
        }
        if (shards == 0) {
            measuring.end(table);
        }
        return CommandLine.ExitCode.OK;
    }

    private void measure(SpeedTable table, RingPattern pattern, int count, Optional<Path> authority)
            throws IOException, InterruptedException {
        var faults = new Faults(oneSlowOf, slowMillis, oneDeadOf);
        var certificates =
                authority.isPresent() ? Optional.of(StandInTls.create(authority.get())) : Optional.<StandInTls>empty();
        try (var folder = new Scratch();
                var api = StandInFleet.start(pattern, 0, count, certificates);
                var etcd = MemberProcesses.start(count, members, FleetDocuments.VERSION, faults, authority)) {
            var namespaces =
                    IntStream.range(0, count).mapToObj(RingPattern::namespace).toList();
            var documents = FleetDocuments.write(folder.path().resolve("fleet"), namespaces, members, 0, tls);
            var environment = new HashMap<>(FleetDocuments.environment(
                    documents, Files.createDirectory(folder.path().resolve("cache"))));
            environment.put("KUBECONFIG", api.kubeconfig(folder.path()).toString());
            heap.ifPresent(size -> environment.put("ETCD_GITOPS_JAVA_OPTS", "-Xmx" + size));
            if (shards > 0) {
                new ShardedRun(count + " × " + members, shards, Math.min(followers, shards - 1), environment)
                        .measure(api, etcd);
                return;
            }
            var changed = namespaces.subList(0, Math.min(changes, count));
            FleetDocuments.resize(documents, changed, members + 2, tls);
            String command = onlyPlanned() ? "plan" : "reconcile";
            var run = Measuring.tool(title(count), environment, command, "--member-access", "pod-ip");
            // The first run writes the report.
            run.run();
            api.requests();
            api.bytes();
            etcd.calls();
            run.run();
            System.err.printf(
                    "benchmarks: %d rings: requests %s, %d bytes; %d calls of members%n",
                    count, api.requests(), api.bytes(), etcd.calls());
            table.measure(run, Measuring.tool("validate", Map.of(), "validate", documents.toString()));
        }
    }

    /// The stand-ins change nothing.
    private boolean onlyPlanned() {
        return changes > 0 || oneDeadOf > 0;
    }

    private String title(int count) {
        return (changes > 0 ? "plan, " + changes + " to change, " : onlyPlanned() ? "plan, " : "no-change run, ")
                + count + " × " + members + (tls ? " with TLS" : "")
                + (oneSlowOf > 0 ? ", 1 of " + oneSlowOf + " slow" : "")
                + (oneDeadOf > 0 ? ", 1 of " + oneDeadOf + " dead" : "");
    }
}
