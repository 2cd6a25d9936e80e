package io.github.etcdgitops.trial;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.github.etcdgitops.it.EtcdProcess;
import java.time.Duration;
import java.util.function.Predicate;

/// While a member is being taken out, every eviction of another one is refused by the budget; afterwards not.
final class EvictionTrial implements Trial {
    private static final String RING = "eviction";
    private static final int REFUSED = 429;

    @Override
    public String name() {
        return "eviction";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        bench.bringTo(RING, 5);
        var watch = new RingWatch(bench, RING);
        var load = bench.load(RING);
        try {
            window(bench, figures, 4);
            window(bench, figures, 3);
        } finally {
            Bench.demand(load.stop(), figures, "");
            watch.demand(figures, "");
        }
        TrialFailure.unless(bench.isAtRest(RING, 3), "the ring did not come to 3");
        EtcdProcess.await("evictions allowed again", Duration.ofMinutes(1), () -> evict(bench, 0, true) / 100 == 2);
        figures.put("allowedAgain", true);
    }

    /// From the end of the step that blocks evictions to the end of the one that waits for the pod to go.
    private static void window(Bench bench, Figures figures, int size) throws Exception {
        bench.ring(RING, size);
        var run = bench.tool().start("reconcile");
        TrialFailure.unless(run.awaitStep(is("BlockEvictions")), "evictions were never blocked: " + run.tail());
        long refused = 0;
        while (run.process().isAlive() && run.steps().stream().noneMatch(is("SetReplicas"))) {
            int code = evict(bench, (int) (refused % size), false);
            TrialFailure.unless(code == REFUSED, "an eviction was answered with " + code + " after " + refused);
            refused++;
        }
        int exit = run.exit();
        TrialFailure.unless(exit == 0, "the run ended with " + exit + ": " + run.tail());
        TrialFailure.unless(refused > 0, "no eviction fell into the window");
        figures.put("refusedTo" + size, refused);
        run.steps().stream()
                .filter(is("RemoveMember"))
                .forEach(s ->
                        figures.put("removalMillisTo" + size, s.path("millis").asLong()));
    }

    private static Predicate<JsonNode> is(String step) {
        return json -> json.path("step").asText().equals(step)
                && json.path("result").asText().matches("done|already so|already-so");
    }

    /// The HTTP status that the API server answers with.
    private static int evict(Bench bench, int ordinal, boolean dry) {
        String pod = RING + "-" + ordinal;
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
