package io.github.etcdgitops.trial;

import java.util.List;

/// A ring's life with everything in it that a right is asked for. No request is without one, a dry run needs the
/// planner's alone, and no right is asked for that is not made use of.
final class RightsTrial implements Trial {
    private static final String RING = "rights";

    @Override
    public String name() {
        return "rights";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        bench.ring(RING, 1);
        var dry = bench.tool().demand(0, "reconcile", "--dry-run", "--member-access", "port-forward");
        Rights.demandPlanner(List.of(Tool.metrics(dry)));
        bench.converge(RING, 1, "--member-access", "port-forward");
        bench.bringTo(RING, 3);
        bench.bringTo(RING, 1);
        spoil(bench);
        bench.bringTo(RING, 3);
        bench.ring(RING, 1);
        var dryAgain = bench.tool().demand(0, "reconcile", "--dry-run");
        Rights.demandPlanner(List.of(Tool.metrics(dryAgain)));
        var unused = Rights.unused(bench.tool().allMetrics());
        figures.put("unused", unused);
        TrialFailure.unless(unused.isEmpty(), "rights that nothing made use of: " + unused);
    }

    /// Somebody changes objects by hand.
    private static void spoil(Bench bench) {
        var kube = bench.kube();
        kube.services().inNamespace(bench.namespace()).withName(RING).edit(service -> {
            service.getSpec().setPublishNotReadyAddresses(true);
            return service;
        });
        kube.network()
                .v1()
                .networkPolicies()
                .inNamespace(bench.namespace())
                .withName(RING)
                .edit(policy -> {
                    policy.getSpec().setIngress(List.of());
                    return policy;
                });
    }
}
