package io.github.etcdgitops.plan.fleet;

import io.github.etcdgitops.plan.ClusterPlan;

/// The result of planning one ring.
public record PlannedRing(ClusterPlan plan, RingFacts facts) {}
