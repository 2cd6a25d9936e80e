package io.github.etcdgitops.trial.fault;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.github.etcdgitops.it.EtcdProcess;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.bench.Work;
import java.time.Duration;
import java.util.HashSet;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/// Asks the API server to evict members of a ring while a run takes one of them out.
public final class Evictions {
    private static final int REFUSED = 429;
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final Bench bench;
    private final String ring;

    public Evictions(Bench bench, String ring) {
        this.bench = bench;
        this.ring = ring;
    }

    /// From the end of the step that blocks evictions to the end of the one that waits for the pod to go:
    /// every one is refused. Ends with the run; returns how many there were.
    public long refusedDuring(Work run, int size) {
        TrialFailure.unless(run.awaitStep(Work.step("BlockEvictions")), "evictions were never blocked: " + run.tail());
        long refused = 0;
        while (run.isAlive() && run.steps().stream().noneMatch(Work.step("SetReplicas"))) {
            int code = evict((int) (refused % size), false);
            TrialFailure.unless(code == REFUSED, "an eviction was answered with " + code + " after " + refused);
            refused++;
        }
        int exit = run.exit();
        TrialFailure.unless(exit == 0, "the run ended with " + exit + ": " + run.tail());
        TrialFailure.unless(refused > 0, "no eviction fell into the window");
        return refused;
    }

    /// From the first refusal of evictions to the end of the run. A pod that does not run yet may be
    /// evicted, as Kubernetes has it: that is the one that was just restarted, and it is once each time,
    /// as by a drain. Returns how many were answered with which status.
    public SortedMap<Integer, Long> duringRoll(Work run, int size) {
        TrialFailure.unless(run.awaitStep(Work.step("BlockEvictions")), "evictions were never blocked: " + run.tail());
        var answers = new TreeMap<Integer, Long>();
        var early = new HashSet<Integer>();
        for (int turn = 0; run.isAlive() && run.steps().stream().noneMatch(Work.step("SetBudget")); turn++) {
            int ordinal = turn % size;
            boolean placed = isReady(ordinal);
            if (placed) {
                early.remove(ordinal);
            } else if (early.contains(ordinal)) {
                continue;
            }
            int code = evict(ordinal, false);
            if (code / 100 == 2) {
                early.add(ordinal);
            }
            TrialFailure.unless(
                    !placed || code / 100 != 2 || !isReady(ordinal),
                    "an eviction of the ready member " + ordinal + " was answered with " + code);
            answers.merge(code, 1L, Long::sum);
        }
        int exit = run.exit();
        TrialFailure.unless(exit == 0, "the run ended with " + exit + ": " + run.tail());
        TrialFailure.unless(answers.getOrDefault(REFUSED, 0L) > 0, "no eviction was refused: " + answers);
        // The last one may have been allowed: the roll was over by then.
        EtcdProcess.await(
                "all members", PATIENCE, () -> IntStream.range(0, size).allMatch(this::isReady));
        return answers;
    }

    private boolean isReady(int ordinal) {
        var pod = bench.kube()
                .pods()
                .inNamespace(bench.namespace())
                .withName(ring + "-" + ordinal)
                .get();
        return pod != null
                && pod.getMetadata().getDeletionTimestamp() == null
                && pod.getStatus().getConditions().stream()
                        .anyMatch(c ->
                                c.getType().equals("Ready") && c.getStatus().equals("True"));
    }

    /// Whether a member could be evicted now. None is.
    public boolean wouldBeAllowed(int ordinal) {
        return evict(ordinal, true) / 100 == 2;
    }

    /// The HTTP status that the API server answers with.
    private int evict(int ordinal, boolean dry) {
        String pod = ring + "-" + ordinal;
        String path = "/api/v1/namespaces/" + bench.namespace() + "/pods/" + pod + "/eviction";
        String options = dry ? ", \"deleteOptions\": {\"dryRun\": [\"All\"]}" : "";
        String body = "{\"apiVersion\": \"policy/v1beta1\", \"kind\": \"Eviction\", \"metadata\": {\"name\": \"" + pod
                + "\", \"namespace\": \"" + bench.namespace() + "\"}" + options + "}";
        try {
            bench.kube().raw(path, "POST", body);
            return 201;
        } catch (KubernetesClientException e) {
            return e.getCode();
        }
    }
}
