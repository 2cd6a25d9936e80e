package io.github.etcdgitops.plan.fleet;

import io.github.etcdgitops.plan.ClusterPlan;

/// What the planning of one ring has come to.
public record PlannedRing(ClusterPlan plan, RingFacts facts) {}
