package io.github.etcdgitops.doctor.fact;

import io.github.etcdgitops.gateway.access.ClusterProbe.AccessQuestion;

/// Whether an account may do one thing.
public record AccessRight(AccessQuestion question, Fact<Boolean> allowed) {}
