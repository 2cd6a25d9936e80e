package io.github.etcdgitops.trial.run;

import io.github.etcdgitops.it.EtcdProcess;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.Run;
import io.github.etcdgitops.trial.bench.Trial;
import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.bench.Work;
import io.github.etcdgitops.trial.change.ResizeTrial;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.regex.Pattern;

/// A process that stays and keeps the schedule itself: it founds a ring, and is asked to end in the middle of growing
/// it. It ends after the step in hand, with the Lease given back and the result published; the next run carries on.
public final class ServeTrial implements Trial {
    private static final String RING = "serve";
    private static final Pattern PORT = Pattern.compile("serving on port (\\d+)");
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    @Override
    public String name() {
        return "serve";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        bench.ring(RING, 3);
        var run = bench.tool()
                .start(
                        "serve",
                        "--schedule",
                        "* * * * *",
                        "--run-at-start",
                        "--listen",
                        "127.0.0.1:0",
                        "--grace",
                        "120");
        try {
            EtcdProcess.await("three members", PATIENCE, () -> !run.isAlive() || bench.isAtRest(RING, 3));
            TrialFailure.unless(run.isAlive(), "it ended by itself: " + run.tail());
            int port = port(run);
            TrialFailure.unless(get(port, "/readyz").startsWith("200"), "it is not ready: " + get(port, "/readyz"));
            EtcdProcess.await(
                    "the metrics of a run",
                    PATIENCE,
                    () -> get(port, "/metrics")
                            .contains("etcd_gitops_runs_total{environment=\"" + bench.namespace()
                                    + "\",exit=\"success\"}"));
            bench.ring(RING, 5);
            TrialFailure.unless(run.awaitStep(Work.step("SetReplicas")), "no run took a member in: " + run.tail());
            ended(bench, run, figures);
        } finally {
            run.process().destroyForcibly();
        }
        figures.put("runsAfter", bench.converge(RING, 5));
    }

    private static void ended(Bench bench, Run run, Figures figures) throws Exception {
        long began = System.nanoTime();
        run.process().destroy();
        int exit = run.exit();
        figures.put("endedSeconds", ResizeTrial.seconds(began));
        figures.put("exit", exit);
        var lease = bench.kube()
                .leases()
                .inNamespace(bench.namespace())
                .withName(RING + "-etcd-gitops")
                .get();
        TrialFailure.unless(lease.getSpec().getHolderIdentity() == null, "it kept the Lease: " + lease);
        String last = bench.git().ask("log", "-1", "--format=%s", "etcd-gitops/reports/" + bench.namespace());
        figures.put("lastCommit", last);
        TrialFailure.unless(last.startsWith("Run: "), "it published no result: " + last);
    }

    private static int port(Run run) {
        var match = PORT.matcher(run.log());
        TrialFailure.unless(match.find(), "it names no port: " + run.tail());
        return Integer.parseInt(match.group(1));
    }

    /// Status and body; nothing while it does not answer.
    private static String get(int port, String path) {
        try (var client = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                    .timeout(Duration.ofSeconds(10))
                    .build();
            var answer = client.send(request, BodyHandlers.ofString());
            return answer.statusCode() + " " + answer.body();
        } catch (IOException _) {
            return "";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        }
    }
}
