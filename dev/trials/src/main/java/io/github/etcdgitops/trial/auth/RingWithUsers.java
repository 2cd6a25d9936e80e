package io.github.etcdgitops.trial.auth;

import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Plans;
import io.github.etcdgitops.trial.bench.TrialFailure;
import java.util.List;
import java.util.Map;

/// A ring of this trial, and what its document asks for.
record RingWithUsers(Bench bench, String name) {
    private static final int MOST_RUNS = 6;

    /// As the ring's client certificate names it, and in plain text with a password.
    String client() {
        return name + "-client";
    }

    UserClient root() {
        return UserClient.root(bench, name);
    }

    UserClient user(String user) {
        return UserClient.of(bench, name, user);
    }

    void commit(String why, int size, String more) throws Exception {
        byte[] document = bench.document(name, size, bench.options().version(), more);
        bench.git().commit(name + " " + why, Map.of("clusters/" + name + ".yaml", document));
    }

    void planned(String kind) throws Exception {
        var plan = Plans.ring(bench.tool().planned("-o", "json").stdout(), bench.namespace(), name);
        TrialFailure.unless(
                Plans.operations(plan, kind).size() == 1, "the plan has no " + kind + ": " + plan.path("operations"));
    }

    /// One of them is enough.
    void found(String... codes) throws Exception {
        var plan = bench.tool().start("plan", "-o", "json");
        plan.exit();
        String findings = Plans.findings(Plans.ring(plan.stdout(), bench.namespace(), name));
        TrialFailure.unless(
                List.of(codes).stream().anyMatch(code -> findings.contains(code + ": ")),
                "none of " + List.of(codes) + " in " + findings);
    }

    /// Runs until the plan has nothing to do.
    void atRest() throws Exception {
        for (int run = 0; run < MOST_RUNS; run++) {
            var last = bench.tool().start("reconcile");
            int exit = last.exit();
            TrialFailure.unless(
                    List.of(0, 12, 20, 75).contains(exit), name + ": a run ended with " + exit + ": " + last.tail());
            if (exit == 0 && bench.tool().start("plan", "--detailed-exitcode").exit() == 0) {
                return;
            }
        }
        throw new TrialFailure(name + " is not as its document says after " + MOST_RUNS + " runs");
    }

    void erase() throws Exception {
        bench.git().remove("clusters/" + name + ".yaml");
        bench.erase(name);
    }
}
